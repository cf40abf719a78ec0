//! From characters to alphabet classes: one look-up for a byte of ASCII, two for anything else.
//!
//! Code points are cut into pages; pages that lie wholly in one class are shared. Making the table
//! costs a step per page and one per code point of the mixed pages, which are few: a page is mixed
//! only if a range of some set ends in it.

use gramercy_base::{Id, Map};
use gramercy_regular::{ClassId, Classes};

const PAGE: usize = 128;
const CODES: usize = 0x11_0000;

/// The classes of all characters.
#[derive(Clone, Debug)]
pub(crate) struct ClassTable {
    /// The class of each ASCII byte; other bytes have the column after all classes.
    pub(crate) bytes: [u16; 256],
    /// Where the page of a code point begins in `classes`.
    pages: Box<[u32]>,
    classes: Box<[u16]>,
}

impl ClassTable {
    /// The table of classes that hold the whole alphabet. Bytes that are no character by themselves
    /// get `not_ascii`.
    pub(crate) fn new(classes: &Classes, not_ascii: u16) -> Self {
        let mut building = Building { classes, table: Vec::new(), uniform: Map::default() };
        let pages: Box<[u32]> = (0..CODES / PAGE).map(|page| building.page(page * PAGE)).collect();
        let classes: Box<[u16]> = building.table.into();
        let first = pages[0] as usize;
        let byte = |code: usize| if code < PAGE { classes[first + code] } else { not_ascii };
        Self { bytes: std::array::from_fn(byte), pages, classes }
    }

    /// The class of a code point.
    #[inline]
    pub(crate) fn get(&self, code: u32) -> usize {
        let code = code as usize;
        usize::from(self.classes[self.pages[code / PAGE] as usize + code % PAGE])
    }
}

struct Building<'c> {
    classes: &'c Classes,
    table: Vec<u16>,
    uniform: Map<ClassId, u32>,
}

impl Building<'_> {
    fn page(&mut self, first: usize) -> u32 {
        let begins = u32::try_from(self.table.len()).expect("invariant: the alphabet fits");
        let (whole, class) = self.class_at(first);
        if !whole {
            let page = (first..first + PAGE).map(|code| index(self.class_at(code).1));
            self.table.extend(page.collect::<Vec<_>>());
            return begins;
        }
        *self.uniform.entry(class).or_insert_with(|| {
            self.table.extend([index(class); PAGE]);
            begins
        })
    }

    /// The class of a code point, and whether a whole page of its range begins there.
    fn class_at(&self, code: usize) -> (bool, ClassId) {
        let code = u32::try_from(code).expect("invariant: code points fit");
        let class = self.classes.get(code).expect("invariant: the classes are the whole alphabet");
        let ranges = self.classes.chars(class).ranges();
        let (_, last) = ranges[ranges.partition_point(|&(_, last)| last < code)];
        ((last - code) as usize >= PAGE - 1, class)
    }
}

fn index(class: ClassId) -> u16 {
    u16::try_from(class.index()).expect("invariant: the number of classes was checked")
}

#[cfg(test)]
mod tests {
    use super::ClassTable;
    use gramercy_base::Id;
    use gramercy_regular::{CharSet, classes::partition};

    #[test]
    fn the_table_agrees_with_the_classes() {
        let sets = [
            CharSet::from_ranges([(0x41, 0x5A), (0x7F, 0x80), (0x1_F600, 0x1_F64F)]),
            CharSet::range(0x400, 0x10_FFFF),
            CharSet::range(0xD800, 0xDFFF),
        ];
        let classes = partition(&sets).classes;
        let table = ClassTable::new(&classes, 99);
        for code in (0..0x500).chain(0xD700..0xE100).chain(0x1_F500..0x1_F700).chain([0x10_FFFF]) {
            assert_eq!(Some(table.get(code)), classes.get(code).map(Id::index), "{code:x}");
        }
        assert_eq!((table.bytes[0x80], usize::from(table.bytes[0x41])), (99, table.get(0x41)));
    }
}
