//! What runner and launcher say to each other over a socket, as bytes.
//!
//! The runner sends the program as JSON and then batches of tests. The launcher answers the program with a
//! [`Greeting`], and each batch with one [`Reply`] per test or one failure.

use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::observation::{End, Observation, Resource, WasRead};
use crate::program::SandboxReport;
use crate::subject::SubjectError;

/// The launcher's first words.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Greeting {
    /// It is ready.
    Ready {
        /// Where the temporary directories of tests are made.
        scratch: PathBuf,
        /// What the sandbox does.
        sandbox: SandboxReport,
    },
    /// It cannot work on this machine; why.
    Unable(String),
}

/// An answer to one test.
pub(crate) type Reply = Result<Observation, SubjectError>;

pub(crate) fn write_json(to: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    let text = serde_json::to_vec(value)?;
    write_bytes(to, &text)?;
    to.flush()
}

pub(crate) fn read_json<T: for<'d> Deserialize<'d>>(from: &mut impl Read) -> io::Result<T> {
    Ok(serde_json::from_slice(&read_bytes(from)?)?)
}

pub(crate) fn write_tests(to: &mut impl Write, tests: &[&[u8]]) -> io::Result<()> {
    write_number(to, tests.len() as u64)?;
    tests.iter().try_for_each(|test| write_bytes(to, test))?;
    to.flush()
}

/// The next batch; `None` when the runner is gone.
pub(crate) fn read_tests(from: &mut impl Read) -> io::Result<Option<Vec<Vec<u8>>>> {
    let count = match read_number(from) {
        Ok(count) => count,
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        Err(error) => return Err(error),
    };
    (0..count).map(|_| read_bytes(from)).collect::<io::Result<_>>().map(Some)
}

pub(crate) fn write_reply(to: &mut impl Write, reply: &Reply) -> io::Result<()> {
    match reply {
        Ok(observation) => write_observation(to, observation),
        Err(SubjectError::CannotStart { program, reason }) => {
            to.write_all(&[FAILED_START])?;
            write_bytes(to, program.as_bytes())?;
            write_bytes(to, reason.as_bytes())
        }
        Err(SubjectError::Machine(what)) => {
            to.write_all(&[FAILED_MACHINE])?;
            write_bytes(to, what.as_bytes())
        }
    }
}

const FAILED_START: u8 = 100;
const FAILED_MACHINE: u8 = 101;

fn write_observation(to: &mut impl Write, observation: &Observation) -> io::Result<()> {
    let (kind, number, text): (u8, i32, &str) = match &observation.end {
        End::Exit(code) => (0, *code, ""),
        End::Signal(signal) => (1, *signal, ""),
        End::Accepted => (2, 0, ""),
        End::Rejected => (3, 0, ""),
        End::BadAnswer => (4, 0, ""),
        End::TimedOut => (5, 0, ""),
        End::Exceeded(resource) => (6, *resource as i32, ""),
        End::Undeliverable(reason) => (7, 0, reason),
        End::Escaped => (8, 0, ""),
    };
    let read = match observation.read {
        WasRead::Yes => 1,
        WasRead::No => 2,
        WasRead::Unknown => 0,
    };
    to.write_all(&[kind, read, u8::from(observation.is_cut)])?;
    to.write_all(&number.to_le_bytes())?;
    let nanos = u64::try_from(observation.time.as_nanos()).unwrap_or(u64::MAX);
    write_number(to, nanos)?;
    write_bytes(to, text.as_bytes())?;
    write_bytes(to, &observation.stdout)?;
    write_bytes(to, &observation.stderr)
}

pub(crate) fn read_reply(from: &mut impl Read) -> io::Result<Reply> {
    let [kind] = read_array(from)?;
    match kind {
        FAILED_START => {
            let (program, reason) = (read_text(from)?, read_text(from)?);
            return Ok(Err(SubjectError::CannotStart { program, reason }));
        }
        FAILED_MACHINE => return Ok(Err(SubjectError::Machine(read_text(from)?))),
        _ => {}
    }
    let [read, is_cut] = read_array(from)?;
    let number = i32::from_le_bytes(read_array(from)?);
    let time = Duration::from_nanos(read_number(from)?);
    let text = read_text(from)?;
    let end = match kind {
        0 => End::Exit(number),
        1 => End::Signal(number),
        2 => End::Accepted,
        3 => End::Rejected,
        4 => End::BadAnswer,
        5 => End::TimedOut,
        6 => End::Exceeded(resource(number)?),
        7 => End::Undeliverable(text),
        8 => End::Escaped,
        _ => return Err(nonsense()),
    };
    let read = match read {
        1 => WasRead::Yes,
        2 => WasRead::No,
        _ => WasRead::Unknown,
    };
    let (stdout, stderr) = (read_bytes(from)?, read_bytes(from)?);
    Ok(Ok(Observation { end, stdout, stderr, is_cut: is_cut != 0, read, time }))
}

fn resource(number: i32) -> io::Result<Resource> {
    let known = Resource::ALL.into_iter().find(|&resource| resource as i32 == number);
    known.ok_or_else(nonsense)
}

fn nonsense() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "the launcher sent what no launcher sends")
}

fn write_number(to: &mut impl Write, number: u64) -> io::Result<()> {
    to.write_all(&number.to_le_bytes())
}

fn write_bytes(to: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
    write_number(to, bytes.len() as u64)?;
    to.write_all(bytes)
}

fn read_array<const N: usize>(from: &mut impl Read) -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    from.read_exact(&mut bytes)?;
    Ok(bytes)
}

fn read_number(from: &mut impl Read) -> io::Result<u64> {
    Ok(u64::from_le_bytes(read_array(from)?))
}

fn read_bytes(from: &mut impl Read) -> io::Result<Vec<u8>> {
    let length = read_number(from)?;
    let mut bytes = Vec::new();
    // A length is not trusted before its bytes are there.
    match from.take(length).read_to_end(&mut bytes)? as u64 {
        read if read == length => Ok(bytes),
        _ => Err(io::ErrorKind::UnexpectedEof.into()),
    }
}

fn read_text(from: &mut impl Read) -> io::Result<String> {
    Ok(String::from_utf8_lossy(&read_bytes(from)?).into_owned())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Reply, read_reply, read_tests, write_reply, write_tests};
    use crate::observation::{End, Observation, Resource, WasRead};
    use crate::subject::SubjectError;

    #[test]
    fn replies_come_back_as_they_were_sent() {
        let ends = [
            End::Exit(-1),
            End::Signal(11),
            End::Accepted,
            End::Rejected,
            End::BadAnswer,
            End::TimedOut,
            End::Undeliverable("why".to_owned()),
            End::Escaped,
        ];
        let exceeded = Resource::ALL.map(End::Exceeded);
        let mut replies: Vec<Reply> = Vec::new();
        for end in ends.into_iter().chain(exceeded) {
            replies.push(Ok(Observation {
                end,
                stdout: b"out".to_vec(),
                stderr: vec![0, 255],
                is_cut: true,
                read: WasRead::No,
                time: Duration::from_nanos(12_345_678_901),
            }));
        }
        let (program, reason) = ("p".to_owned(), "r".to_owned());
        replies.push(Err(SubjectError::CannotStart { program, reason }));
        replies.push(Err(SubjectError::Machine("m".to_owned())));
        let mut bytes = Vec::new();
        replies.iter().for_each(|reply| write_reply(&mut bytes, reply).expect("it is memory"));
        let mut from = &bytes[..];
        let read: Vec<Reply> =
            replies.iter().map(|_| read_reply(&mut from).expect("it is whole")).collect();
        assert_eq!(read, replies);
        assert!(from.is_empty());
        assert!(read_reply(&mut &bytes[..5]).is_err());
    }

    #[test]
    fn batches_end_with_the_stream() {
        let mut bytes = Vec::new();
        write_tests(&mut bytes, &[b"a", b"", &[0, 1]]).expect("it is memory");
        let mut from = &bytes[..];
        let tests = read_tests(&mut from).expect("it is whole");
        assert_eq!(tests, Some(vec![b"a".to_vec(), Vec::new(), vec![0, 1]]));
        assert_eq!(read_tests(&mut from).expect("it is whole"), None);
    }
}
