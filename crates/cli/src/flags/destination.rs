//! Where a suite goes, and in which form.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueHint};
use gramercy::suite::manifest;
use gramercy::suite::sink::Both;
use gramercy::suite::sinks::{
    Compression, CoverageTable, Directory, Existing, Format, FuzzCorpus, NameStyle, Naming, Tar,
    Zip,
};
use gramercy::suite::{Sink, SinkError};

use super::one_of;
use crate::outcome::Failure;
use crate::output_file;

const HEADING: &str = "Output options";

/// The output options of every command that makes a suite.
#[derive(Args, Clone)]
pub(crate) struct DestinationArgs {
    /// How to write the suite [default: by the name of -o, else lines]
    #[arg(long, value_name = "NAME", value_parser = forms(), help_heading = HEADING)]
    format: Option<Form>,
    /// Write to this folder, archive (.tar, .tar.gz, .tgz, .tar.zst, .zip) or file (.txt, .ndjson, .jsonl,
    /// .py, .rs, others with --format); - is standard output
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
    /// Write a table of how coverage grows with the tests; - is standard output
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

    fn as_str(self) -> &'static str {
        let named = Form::all().find(|(form, _)| *form == self);
        named.expect("invariant: all forms are listed").1
    }
}

fn forms() -> impl TypedValueParser<Value = Form> {
    let names = Form::all().map(|(_, name)| name).collect::<Vec<_>>();
    PossibleValuesParser::new(names).map(|chosen| {
        let form = Form::all().find(|(_, name)| *name == chosen).map(|(form, _)| form);
        form.expect("invariant: the parser lets only known names through")
    })
}

/// What the extension of a name stands for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Named {
    Stream(Format),
    Tar(Compression),
    Zip,
    Unknown,
}

impl Named {
    fn of(extension: &str) -> Self {
        match extension {
            "txt" => Named::Stream(Format::Lines),
            "ndjson" | "jsonl" => Named::Stream(Format::Ndjson),
            "py" => Named::Stream(Format::Pytest),
            "rs" => Named::Stream(Format::Rust),
            "tar" => Named::Tar(Compression::None),
            "tar.gz" | "tgz" => Named::Tar(Compression::Gzip),
            "tar.zst" => Named::Tar(Compression::Zstd),
            "zip" => Named::Zip,
            _ => Named::Unknown,
        }
    }
}

/// Where a suite goes.
#[derive(Clone, Copy)]
enum Target<'p> {
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
        let target = self.target()?;
        self.check_standard(target)?;
        let Some(csv) = &self.csv else { return Ok(self.tests(target, out, literals)?) };
        if output_file::is_standard(csv) {
            let tests = self.tests(target, std::io::empty(), literals)?;
            return Ok(Box::new(Both(tests, CoverageTable::new(out, criteria))));
        }
        let table = CoverageTable::new(create(csv)?, criteria);
        Ok(Box::new(Both(self.tests(target, out, literals)?, table)))
    }

    /// Refuses two results on standard output.
    fn check_standard(&self, target: Target<'_>) -> Result<(), Failure> {
        let is = |path: &Option<PathBuf>| path.as_deref().is_some_and(output_file::is_standard);
        let users = [
            ("the suite", matches!(target, Target::Stream(_, None))),
            ("--csv", is(&self.csv)),
            ("--manifest", is(&self.manifest)),
        ];
        let used: Vec<&str> =
            users.iter().filter(|(_, used)| *used).map(|(name, _)| *name).collect();
        match used[..] {
            [first, second, ..] => Err(Failure::usage(&format!(
                "{first} and {second} cannot both go to standard output: name a file"
            ))),
            _ => Ok(()),
        }
    }

    fn tests<'w>(
        &self,
        target: Target<'_>,
        out: impl Write + 'w,
        literals: &[&str],
    ) -> Result<Box<dyn Sink + 'w>, SinkError> {
        let naming = Naming { extension: self.ext.clone(), style: self.names };
        let existing = if self.force { Existing::Force } else { Existing::Respect };
        Ok(match target {
            Target::Stream(format, None) => format.sink(out),
            Target::Stream(format, Some(path)) => format.sink(create(path)?),
            Target::Tar(path, compression) => Box::new(Tar::new(path, naming, compression)?),
            Target::Zip(path) => Box::new(Zip::new(path, naming)?),
            Target::Folder(path) => Box::new(Directory::new(path, naming, existing)?),
            Target::Fuzzing(path) => Box::new(FuzzCorpus::new(path, naming, existing, literals)?),
        })
    }

    /// Where the suite goes: the name decides, or is refused.
    fn target(&self) -> Result<Target<'_>, Failure> {
        let standard = |form: Option<Form>| match form {
            Some(Form::Stream(format)) => Ok(Target::Stream(format, None)),
            None => Ok(Target::Stream(Format::Lines, None)),
            Some(form @ (Form::Files | Form::Fuzzing)) => Err(Failure::usage(&format!(
                "--format {} writes several files: name a folder with -o",
                form.as_str()
            ))),
        };
        let Some(path) = self.output.as_deref().filter(|path| !output_file::is_standard(path))
        else {
            return standard(self.format);
        };
        let named = match output_file::names_folder(path) {
            true => None,
            false => output_file::extension(path).map(|extension| Named::of(&extension)),
        };
        let contradiction = |form: Form| {
            let form = form.as_str();
            Failure::usage(&format!(
                "`{}` does not name what --format {form} writes: use another name, or another format",
                path.display()
            ))
        };
        match (self.format, named) {
            (None | Some(Form::Files), None) => Ok(Target::Folder(path)),
            (Some(Form::Fuzzing), None) => Ok(Target::Fuzzing(path)),
            (Some(Form::Stream(format)), None) if !output_file::names_folder(path) => {
                Ok(Target::Stream(format, Some(path)))
            }
            (None | Some(Form::Files), Some(Named::Tar(compression))) => {
                Ok(Target::Tar(path, compression))
            }
            (None | Some(Form::Files), Some(Named::Zip)) => Ok(Target::Zip(path)),
            (None, Some(Named::Stream(format))) => Ok(Target::Stream(format, Some(path))),
            (None, Some(Named::Unknown)) => Err(Failure::usage(&format!(
                "`{}` does not say how to write the suite: use --format, or end the name of a folder with /",
                path.display()
            ))),
            // Plain text may hold every stream; an unknown extension too.
            (Some(Form::Stream(format)), Some(Named::Unknown | Named::Stream(Format::Lines))) => {
                Ok(Target::Stream(format, Some(path)))
            }
            (Some(Form::Stream(format)), Some(Named::Stream(named))) if format == named => {
                Ok(Target::Stream(format, Some(path)))
            }
            (Some(form), _) => Err(contradiction(form)),
        }
    }

    /// The folder that the suite goes to, if it is one.
    pub(crate) fn folder(&self) -> Option<PathBuf> {
        match self.target().ok()? {
            Target::Folder(path) | Target::Fuzzing(path) => Some(path.to_owned()),
            Target::Stream(..) | Target::Tar(..) | Target::Zip(_) => None,
        }
    }

    /// The same in a folder below.
    pub(crate) fn below(&self, name: &str) -> Self {
        let output = self.folder().map(|folder| folder.join(name).join(""));
        Self { output, manifest: None, ..self.clone() }
    }

    /// Whether the suite goes to standard output.
    pub(crate) fn is_standard(&self) -> bool {
        matches!(self.target(), Ok(Target::Stream(_, None)))
    }

    /// Where the manifest is written.
    pub(crate) fn manifest(&self) -> Option<PathBuf> {
        let in_folder = || Some(self.folder()?.join(manifest::FILE_NAME));
        self.manifest.clone().or_else(in_folder)
    }

    /// The place of the suite, for people.
    pub(crate) fn in_words(&self) -> String {
        match &self.output {
            Some(path) if !self.is_standard() => path.display().to_string(),
            _ => "standard output".to_owned(),
        }
    }
}

fn create(path: &Path) -> Result<BufWriter<File>, SinkError> {
    let file = File::create(path).map_err(|error| SinkError::of_file(path, error))?;
    Ok(BufWriter::new(file))
}
