//! Suites as a whole: how large they are, what they cover, and that they do not depend on how they are made.

mod engine;
mod large_lexers;
mod modes;
mod naive;
mod negative_criteria;
mod negatives;
mod neighbours;
mod packed;
mod random;
mod recipes;
mod same_texts;
mod sizes;
mod suites;
mod support;
