//! The elements of an XML document with their attributes, one after the other.

use gramercy_base::IndexMap;
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

/// The beginning or end of an element.
pub(super) enum Tag {
    /// An element begins.
    Begin(Element),
    /// An element of this name ends.
    End(String),
}

/// An element.
pub(super) struct Element {
    /// Its name.
    pub(super) name: String,
    attributes: IndexMap<String, String>,
}

impl Element {
    /// An attribute.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.attributes.get(name).map(String::as_str)
    }

    /// An attribute that is a number.
    pub(super) fn number<T: std::str::FromStr>(&self, name: &str) -> Option<T> {
        self.get(name)?.parse().ok()
    }
}

/// Tells all tags of a document.
pub(super) fn tags(text: &str, mut visit: impl FnMut(Tag)) -> Result<(), String> {
    let mut reader = Reader::from_str(text);
    loop {
        match reader.read_event().map_err(|error| error.to_string())? {
            Event::Start(start) => visit(Tag::Begin(element(&start)?)),
            Event::Empty(start) => {
                let element = element(&start)?;
                let name = element.name.clone();
                visit(Tag::Begin(element));
                visit(Tag::End(name));
            }
            Event::End(end) => visit(Tag::End(end.name().as_ref().to_owned())),
            Event::Eof => return Ok(()),
            _ => {}
        }
    }
}

fn element(start: &BytesStart<'_>) -> Result<Element, String> {
    let mut attributes = IndexMap::default();
    for attribute in start.attributes() {
        let attribute = attribute.map_err(|error| error.to_string())?;
        let value =
            quick_xml::escape::unescape(&attribute.value).map_err(|error| error.to_string())?;
        attributes.insert(attribute.key.as_ref().to_owned(), value.into_owned());
    }
    Ok(Element { name: start.name().as_ref().to_owned(), attributes })
}
