//! Where a suite goes, and in which form.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{MAIN_SEPARATOR, Path, PathBuf};

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueHint};
use gramercy::suite::manifest;
use gramercy::suite::sinks::{
    Compression, CoverageTable, Directory, Existing, Format, FuzzCorpus, NameStyle, Naming, Tar,
    Zip,
};
use gramercy::suite::{Sink, SinkError};

use super::one_of;
use crate::outcome::Failure;

const HEADING: &str = "Output options";

/// The output options of every command that makes a suite.
#[derive(Args, Clone)]
pub(crate) struct DestinationArgs {
    /// How to write the suite [default: lines; with -o by the name, or a file a test]
    #[arg(long, value_name = "NAME", value_parser = forms(), help_heading = HEADING)]
    format: Option<Form>,
    /// Write into this folder or archive (.tar, .tar.zst, .zip), or with --format this file
    #[arg(long, short, value_name = "PATH", help_heading = HEADING, value_hint = ValueHint::AnyPath)]
    pub(crate) output: Option<PathBuf>,
    /// Extension of the names of tests in folders and archives
    #[arg(long, value_name = "EXT", default_value = "txt", help_heading = HEADING)]
    ext: String,
    /// How names of files begin: accept- and reject- (words), or y_ and n_ (letters)
    #[arg(
        long, value_name = "STYLE", default_value = "words", help_heading = HEADING,
        value_parser = one_of(&NameStyle::ALL, NameStyle::as_str)
    )]
    names: NameStyle,
    /// Write into a folder that holds other files
    #[arg(long, help_heading = HEADING)]
    force: bool,
    /// Write a table of how coverage grows with the tests
    #[arg(long, value_name = "FILE", help_heading = HEADING, value_hint = ValueHint::FilePath)]
    csv: Option<PathBuf>,
    /// Write how the suite was made, for --from [default: suite.json in a folder]
    #[arg(long, value_name = "FILE", help_heading = HEADING, value_hint = ValueHint::FilePath)]
    manifest: Option<PathBuf>,
}

/// The forms of a suite.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Stream(Format),
    Files,
    Fuzzing,
}

impl Form {
    fn all() -> impl Iterator<Item = (Form, &'static str)> {
        let streams = Format::ALL.map(|format| (Form::Stream(format), format.as_str()));
        streams.into_iter().chain([(Form::Files, "files"), (Form::Fuzzing, "fuzzing")])
    }
}

fn forms() -> impl TypedValueParser<Value = Form> {
    let names = Form::all().map(|(_, name)| name).collect::<Vec<_>>();
    PossibleValuesParser::new(names).map(|chosen| {
        let form = Form::all().find(|(_, name)| *name == chosen).map(|(form, _)| form);
        form.expect("invariant: the parser lets only known names through")
    })
}

/// What a place is by its name.
enum Place<'p> {
    Stream(Format, Option<&'p Path>),
    Tar(&'p Path, Compression),
    Zip(&'p Path),
    Folder(&'p Path),
    Fuzzing(&'p Path),
}

impl DestinationArgs {
    /// The sink; `out` is the standard output.
    pub(crate) fn sink<'w>(
        &self,
        out: impl Write + 'w,
        literals: &[&str],
        criteria: Vec<String>,
    ) -> Result<Box<dyn Sink + 'w>, Failure> {
        let sink = self.tests(out, literals)?;
        match &self.csv {
            None => Ok(sink),
            Some(path) => {
                let table = CoverageTable::new(create(path)?, criteria);
                Ok(Box::new(gramercy::suite::sink::Both(sink, table)))
            }
        }
    }

    fn tests<'w>(
        &self,
        out: impl Write + 'w,
        literals: &[&str],
    ) -> Result<Box<dyn Sink + 'w>, SinkError> {
        let naming = Naming { extension: self.ext.clone(), style: self.names };
        let existing = if self.force { Existing::Force } else { Existing::Respect };
        Ok(match self.place() {
            Place::Stream(format, None) => format.sink(out),
            Place::Stream(format, Some(path)) => format.sink(create(path)?),
            Place::Tar(path, compression) => Box::new(Tar::new(path, naming, compression)?),
            Place::Zip(path) => Box::new(Zip::new(path, naming)?),
            Place::Folder(path) => Box::new(Directory::new(path, naming, existing)?),
            Place::Fuzzing(path) => Box::new(FuzzCorpus::new(path, naming, existing, literals)?),
        })
    }

    fn place(&self) -> Place<'_> {
        let Some(path) = self.output.as_deref() else {
            return match self.format {
                Some(Form::Stream(format)) => Place::Stream(format, None),
                Some(Form::Files) => Place::Folder(Path::new("suite")),
                Some(Form::Fuzzing) => Place::Fuzzing(Path::new("suite")),
                None => Place::Stream(Format::Lines, None),
            };
        };
        let name = path.to_string_lossy();
        let is = |ending: &str| name.ends_with(ending) && !path.is_dir();
        match self.format {
            Some(Form::Stream(format)) => Place::Stream(format, Some(path)),
            Some(Form::Fuzzing) => Place::Fuzzing(path),
            _ if is(".tar") => Place::Tar(path, Compression::None),
            _ if is(".tar.zst") => Place::Tar(path, Compression::Zstd),
            _ if is(".zip") => Place::Zip(path),
            None if is(".ndjson") || is(".jsonl") => Place::Stream(Format::Ndjson, Some(path)),
            None if is(".txt") && !name.ends_with(MAIN_SEPARATOR) => {
                Place::Stream(Format::Lines, Some(path))
            }
            _ => Place::Folder(path),
        }
    }

    /// The folder that the suite goes to, if it is one.
    pub(crate) fn folder(&self) -> Option<PathBuf> {
        match self.place() {
            Place::Folder(path) | Place::Fuzzing(path) => Some(path.to_owned()),
            Place::Stream(..) | Place::Tar(..) | Place::Zip(_) => None,
        }
    }

    /// The same in a folder below.
    pub(crate) fn below(&self, name: &str) -> Self {
        let output = self.folder().map(|folder| folder.join(name));
        Self { output, manifest: None, ..self.clone() }
    }

    /// Whether the suite goes to standard output.
    pub(crate) fn is_standard(&self) -> bool {
        matches!(self.place(), Place::Stream(_, None))
    }

    /// Where it is written how the suite was made.
    pub(crate) fn manifest(&self) -> Option<PathBuf> {
        let in_folder = || match self.place() {
            Place::Folder(path) | Place::Fuzzing(path) => Some(path.join(manifest::FILE_NAME)),
            Place::Stream(..) | Place::Tar(..) | Place::Zip(_) => None,
        };
        self.manifest.clone().or_else(in_folder)
    }
}

fn create(path: &Path) -> Result<BufWriter<File>, SinkError> {
    let file = File::create(path).map_err(|error| SinkError::of_file(path, error))?;
    Ok(BufWriter::new(file))
}
