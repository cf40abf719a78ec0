//! How criteria are named: `kpath:2`, `step:3`, `pop-edge:lr1`, `lr-path:2`, several joined with `+`.

use std::fmt;
use std::str::FromStr;

use gramercy_lr::Construction;

/// A criterion as a user names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CriterionSpec {
    /// Every symbol occurs.
    Symbol,
    /// Every production is used.
    Rule,
    /// Every chain of so many nested productions occurs; `cdrc` is two of them.
    Step(u32),
    /// Everything that so many rounds of replacing all nonterminals can give occurs; `cdrc-full`
    /// is two rounds.
    Bfs(u32),
    /// Every symbol occurs below every nonterminal from which it can be derived.
    Deriv,
    /// Every nonterminal begins with every terminal with which it can begin.
    Pll,
    /// Every two symbols stand side by side that can.
    Pair,
    /// Every path of so many symbolic nodes of the grammar graph occurs.
    KPath(u32),
    /// Every path of so many symbolic nodes in the graph of a token rule occurs in a lexeme.
    Lexeme(u32),
    /// Every push edge of the LR-graph is taken.
    PushEdge(Construction),
    /// Every pop edge of the LR-graph is taken.
    PopEdge(Construction),
    /// Every so many pop edges of the LR-graph follow each other that can.
    LrPath(u32, Construction),
}

/// Why a name is not a criterion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecError {
    /// What is wrong with it, without a final period.
    pub message: String,
}

impl fmt::Display for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for SpecError {}

/// The criteria with what they take, for help texts and messages.
pub const NAMES: [&str; 14] = [
    "symbol",
    "rule",
    "cdrc",
    "cdrc-full",
    "step:K",
    "bfs:K",
    "deriv",
    "pll",
    "pair",
    "kpath:K",
    "lexeme:K",
    "push-edge:A",
    "pop-edge:A",
    "lr-path:K[:A]",
];

impl CriterionSpec {
    /// Several criteria joined with `+`.
    ///
    /// # Errors
    /// If one of them is not a criterion.
    pub fn parse_list(text: &str) -> Result<Vec<Self>, SpecError> {
        text.split('+').map(str::parse).collect()
    }
}

impl FromStr for CriterionSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        let (name, argument) = match text.split_once(':') {
            Some((name, argument)) => (name, Some(argument)),
            None => (text, None),
        };
        let plain = |spec| match argument {
            None => Ok(spec),
            Some(_) => Err(error(format!("`{name}` takes no argument"))),
        };
        match name {
            "symbol" => plain(Self::Symbol),
            "rule" => plain(Self::Rule),
            "cdrc" => plain(Self::Step(2)),
            "cdrc-full" => plain(Self::Bfs(2)),
            "deriv" => plain(Self::Deriv),
            "pll" => plain(Self::Pll),
            "pair" => plain(Self::Pair),
            "step" => number(name, argument).map(Self::Step),
            "bfs" => number(name, argument).map(Self::Bfs),
            "kpath" => number(name, argument).map(Self::KPath),
            "lexeme" => number(name, argument).map(Self::Lexeme),
            "push-edge" => automaton(name, argument).map(Self::PushEdge),
            "pop-edge" => automaton(name, argument).map(Self::PopEdge),
            "lr-path" => match argument.and_then(|argument| argument.split_once(':')) {
                None => number(name, argument).map(|k| Self::LrPath(k, Construction::Lr0)),
                Some((k, of)) => {
                    Ok(Self::LrPath(number(name, Some(k))?, automaton(name, Some(of))?))
                }
            },
            _ => Err(error(format!("`{text}` is not a criterion; known are {}", NAMES.join(", ")))),
        }
    }
}

fn error(message: String) -> SpecError {
    SpecError { message }
}

fn number(name: &str, argument: Option<&str>) -> Result<u32, SpecError> {
    let argument = argument.ok_or_else(|| error(format!("`{name}` needs a number: `{name}:2`")))?;
    match argument.parse() {
        Ok(0) => Err(error(format!("`{name}:0` covers nothing; the least is `{name}:1`"))),
        Ok(number) => Ok(number),
        Err(_) => Err(error(format!("`{argument}` is not a number that `{name}` can take"))),
    }
}

fn automaton(name: &str, argument: Option<&str>) -> Result<Construction, SpecError> {
    let known = Construction::ALL.map(Construction::as_str).join(", ");
    let argument = argument.ok_or_else(|| {
        error(format!("`{name}` needs an automaton, one of {known}: `{name}:lr0`"))
    })?;
    Construction::ALL
        .into_iter()
        .find(|construction| construction.as_str() == argument)
        .ok_or_else(|| error(format!("`{argument}` is not an automaton; known are {known}")))
}

impl fmt::Display for CriterionSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Symbol => f.write_str("symbol"),
            Self::Rule => f.write_str("rule"),
            Self::Step(2) => f.write_str("cdrc"),
            Self::Step(k) => write!(f, "step:{k}"),
            Self::Bfs(k) => write!(f, "bfs:{k}"),
            Self::Deriv => f.write_str("deriv"),
            Self::Pll => f.write_str("pll"),
            Self::Pair => f.write_str("pair"),
            Self::KPath(k) => write!(f, "kpath:{k}"),
            Self::Lexeme(k) => write!(f, "lexeme:{k}"),
            Self::PushEdge(automaton) => write!(f, "push-edge:{}", automaton.as_str()),
            Self::PopEdge(automaton) => write!(f, "pop-edge:{}", automaton.as_str()),
            Self::LrPath(k, Construction::Lr0) => write!(f, "lr-path:{k}"),
            Self::LrPath(k, automaton) => write!(f, "lr-path:{k}:{}", automaton.as_str()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::CriterionSpec;

    #[test]
    fn names_are_read_and_written() {
        let names = ["symbol", "rule", "cdrc", "step:3", "bfs:2", "kpath:4", "pop-edge:lr1"];
        for name in names.into_iter().chain(["lr-path:2", "lr-path:3:lr1"]) {
            assert_eq!(name.parse::<CriterionSpec>().expect("known").to_string(), name);
        }
        assert_eq!("step:2".parse(), Ok(CriterionSpec::Step(2)));
        assert_eq!(CriterionSpec::parse_list("rule+kpath:2").map(|list| list.len()), Ok(2));
    }

    #[test]
    fn mistakes_are_explained() {
        let check = |name: &str, expected: &str| {
            let message = name.parse::<CriterionSpec>().expect_err("a mistake").message;
            assert!(message.contains(expected), "{name}: {message}");
        };
        check("kpath:0", "the least is");
        check("kpath", "needs a number");
        check("kpath:x", "not a number");
        check("kpath:99999999999", "not a number");
        check("rule:2", "takes no argument");
        check("pop-edge:lr7", "known are lr0, lalr, lr1");
        check("lr-path:2:lr7", "known are lr0, lalr, lr1");
        check("lr-path:0:lr0", "the least is");
        check("foo", "known are symbol");
    }
}
