//! What the other reducers make of a case. Their results do not depend on our reducer, so they are kept in the folder
//! of the case and used again while input and condition stay the same. Remove the folder to run them anew.

use std::fs;

use serde_json::{Value, json};

use super::cases::Case;
use super::peers::Peers;
use super::{Figures, ddmin};
use crate::process::Fallible;

/// The results of the others on a case.
#[derive(Clone, Copy, Debug)]
pub(super) struct Others {
    pub(super) ddmin: Figures,
    pub(super) picireny: Option<Figures>,
    pub(super) shrink_ray: Option<Figures>,
}

impl Others {
    /// The results of an earlier run if there are any, else new ones.
    pub(super) fn of(case: &Case, peers: &Peers) -> Fallible<Self> {
        let script = fs::read_to_string(case.test()).map_err(|error| error.to_string())?;
        let path = case.folder.join("others.json");
        let known =
            fs::read_to_string(&path).ok().and_then(|text| serde_json::from_str(&text).ok());
        if let Some(known) = known.and_then(|known| read(&known, &case.text, &script)) {
            return Ok(known);
        }
        let made = Self {
            ddmin: ddmin::run(case, &case.folder)?,
            picireny: peers.run_picireny(case, &case.folder)?,
            shrink_ray: peers.run_shrink_ray(case, &case.folder)?,
        };
        let kept = json!({
            "input": case.text,
            "script": script,
            "ddmin": written(Some(made.ddmin)),
            "picireny": written(made.picireny),
            "shrink_ray": written(made.shrink_ray),
        });
        fs::write(&path, kept.to_string()).map_err(|error| error.to_string())?;
        Ok(made)
    }

    /// The smallest result.
    pub(super) fn smallest(&self) -> usize {
        let all = [Some(self.ddmin), self.picireny, self.shrink_ray];
        all.into_iter().flatten().map(|figures| figures.bytes).min().unwrap_or(usize::MAX)
    }
}

fn read(kept: &Value, input: &str, script: &str) -> Option<Others> {
    let is_same = kept["input"].as_str() == Some(input) && kept["script"].as_str() == Some(script);
    let figures = |name: &str| -> Option<Figures> {
        let bytes = usize::try_from(kept[name]["bytes"].as_u64()?).ok()?;
        let is_finished = kept[name]["finished"].as_bool()?;
        Some(Figures { bytes, runs: kept[name]["runs"].as_u64()?, is_finished })
    };
    let (picireny, shrink_ray) = (figures("picireny"), figures("shrink_ray"));
    is_same.then_some(Others { ddmin: figures("ddmin")?, picireny, shrink_ray })
}

fn written(figures: Option<Figures>) -> Value {
    figures.map_or(Value::Null, |Figures { bytes, runs, is_finished }| {
        json!({ "bytes": bytes, "runs": runs, "finished": is_finished })
    })
}
