//! Which features of an input reach which code of a program (Havrikov, Kampmann, Zeller, TOSEM, section 5).
//!
//! The way of the data: the [`behaviour`] of a program on inputs, and the [`features`] of these inputs, become two
//! tables of bits with a row for each input. A learner of [`trees`] finds for each target (a function, a line, a
//! verdict) a small decision tree over features. All trees together are a [`model`], which is saved, explained in the
//! grammar's own words, asked about new inputs, and solved for inputs that reach a target.
//!
//! In reading order: [`bits`], [`behaviour`] and [`readers`] (coverage reports of other tools), [`features`],
//! [`trees`] (greedy and provably optimal), [`model`], [`mod@train`], [`explain`], [`compare`] (conditions that changed),
//! [`predict`], [`target`], [`dataset`] (inputs with behaviour and features), [`verify`] (predictions beside what the
//! program did), [`refine`] (the feedback loop), [`correlate`], [`statistics`].

pub mod behaviour;
pub mod bits;
pub mod compare;
pub mod correlate;
pub mod dataset;
pub mod explain;
pub mod features;
pub mod model;
pub mod predict;
pub mod readers;
pub mod refine;
pub mod statistics;
pub mod target;
pub mod train;
pub mod trees;
pub mod verify;

pub use behaviour::{Behaviour, Observed, TargetInfo};
pub use dataset::Dataset;
pub use features::{Feature, FeatureSet};
pub use model::{Model, ModelError};
pub use train::{TrainOptions, train};
