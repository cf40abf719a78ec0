//! Which files of a corpus are inputs.

use clap::Args;
use gramercy::base::{Encoding, Limits};
use gramercy::suite::{Corpus, NamePattern};

const HEADING: &str = "Corpus options";

/// For commands that read inputs.
#[derive(Args, Clone)]
pub(crate) struct CorpusArgs {
    /// Of folders and archives, read only files that match this pattern, such as `*.json`; may be given
    /// several times
    #[arg(long, value_name = "PATTERN", help_heading = HEADING)]
    include: Vec<NamePattern>,
    /// Of folders and archives, read no files that match this pattern; may be given several times
    #[arg(long, value_name = "PATTERN", help_heading = HEADING)]
    exclude: Vec<NamePattern>,
    /// Refuse inputs with more bytes than this
    #[arg(
        long, value_name = "N", default_value_t = Limits::default().input_bytes,
        help_heading = HEADING
    )]
    max_input_bytes: usize,
}

impl CorpusArgs {
    /// The inputs that these arguments stand for, in some encoding.
    pub(crate) fn corpus(&self, arguments: &[String], encoding: Encoding) -> Corpus {
        Corpus::new(arguments)
            .only(&self.include, &self.exclude)
            .with_limit(self.max_input_bytes)
            .with_encoding(encoding)
    }
}
