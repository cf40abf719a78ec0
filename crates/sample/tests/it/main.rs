//! Random methods: bounds that hold, choices that are as likely as they should be, and fast paths that write what
//! the plain path writes.

mod fast;
mod graph;
mod methods;
mod repair;
mod request;
#[path = "../../../derive/tests/it/support.rs"]
mod support;
mod uniform;
mod uniform_constructions;
mod uniform_plan;
