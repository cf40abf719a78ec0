//! The protocol of Shrink Ray's external reducers.
//!
//! Shrink Ray starts a reducer and talks to it in lines of JSON. It sends `{"content": BASE64, "interesting": BOOL}`:
//! the answer to a query with that content, or, if there is no such query, a new test case. The reducer sends
//! `{"content": BASE64}` to ask whether a candidate is interesting, and `{"idle": true}` when it cannot make the test
//! case any smaller. The reducer stays alive for further test cases until its input ends. Lines that are no messages
//! are ignored. Queries may be open at the same time; answers come in any order.
//!
//! A thread reads lines ([`Session::listen`]): it passes answers to the threads that wait for them, and test cases to a
//! channel. The condition sends a query and waits for its answer.

use std::collections::VecDeque;
use std::io::{BufRead, Write};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, PoisonError};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use gramercy_base::Map;
use serde::{Deserialize, Serialize};

use super::condition::{Condition, ConditionError};

#[derive(Deserialize)]
struct Feedback {
    content: String,
    interesting: bool,
}

#[derive(Serialize)]
struct Query<'q> {
    content: &'q str,
}

/// The queries that wait for an answer, those of equal content in order; `None` once the input ended.
type Waiting = Option<Map<Vec<u8>, VecDeque<Sender<bool>>>>;

/// A conversation with Shrink Ray.
pub struct Session<W> {
    output: Mutex<W>,
    waiting: Mutex<Waiting>,
}

impl<W: Write + Send> Session<W> {
    /// A conversation whose other half is [`listen`](Self::listen).
    pub fn new(output: W) -> Self {
        Self { output: Mutex::new(output), waiting: Mutex::new(Some(Map::default())) }
    }

    /// Reads lines until the input ends. Test cases are sent on.
    pub fn listen(&self, input: impl BufRead, test_cases: &Sender<Vec<u8>>) {
        for line in input.split(b'\n') {
            let Ok(line) = line else { break };
            let Some((content, is_interesting)) = parse(&line) else { continue };
            if !self.answer(&content, is_interesting) && test_cases.send(content).is_err() {
                break;
            }
        }
        // Threads that still wait learn that no answer comes.
        *self.waiting.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Hands an answer to the query that waits for it; `false` if there is none.
    fn answer(&self, content: &[u8], is_interesting: bool) -> bool {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(waiting) = waiting.as_mut() else { return false };
        let Some(queue) = waiting.get_mut(content) else { return false };
        let sender = queue.pop_front();
        if queue.is_empty() {
            waiting.remove(content);
        }
        // A query may be abandoned; its answer is still an answer.
        sender.is_some_and(|sender| {
            let _ = sender.send(is_interesting);
            true
        })
    }

    /// Says that the test case cannot be made smaller.
    ///
    /// # Errors
    /// If Shrink Ray is gone.
    pub fn idle(&self) -> Result<(), ConditionError> {
        self.send("{\"idle\": true}")
    }

    fn send(&self, line: &str) -> Result<(), ConditionError> {
        let mut output = self.output.lock().unwrap_or_else(PoisonError::into_inner);
        let sent = writeln!(output, "{line}").and_then(|()| output.flush());
        sent.map_err(|_| ConditionError::Closed)
    }
}

impl<W: Write + Send> Condition for Session<W> {
    fn is_interesting(&self, content: &[u8]) -> Result<bool, ConditionError> {
        let (sender, answer): (Sender<bool>, Receiver<bool>) = channel();
        {
            let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
            let waiting = waiting.as_mut().ok_or(ConditionError::Closed)?;
            waiting.entry(content.to_vec()).or_default().push_back(sender);
        }
        let encoded = STANDARD.encode(content);
        let line = serde_json::to_string(&Query { content: &encoded });
        self.send(&line.expect("invariant: a query is JSON"))?;
        answer.recv().map_err(|_| ConditionError::Closed)
    }
}

fn parse(line: &[u8]) -> Option<(Vec<u8>, bool)> {
    let Feedback { content, interesting } = serde_json::from_slice(line).ok()?;
    Some((STANDARD.decode(content).ok()?, interesting))
}
