//! Doing it: from a snapshot to the next action, one action at a time, and the events in between.
//!
//! [`decide`](crate::domain::stage::Progress::next) is pure and stands with the stages in `domain`; this room reads what
//! it needs ([`shelf`]), performs one stage (`stages`), writes its result down ([`desk`]), and makes the settled chapter a
//! commit of the book (`accept`).

pub mod event;
pub mod halt;

pub mod shelf;
pub mod voice;

mod measure;

pub mod checkup;
pub mod damage;
pub mod estimate;
pub mod filling;
pub mod found;
pub mod impact;
pub mod ledger;
pub mod metrics;
mod migrate;
pub mod preview;
pub mod replay;

mod accept;
mod again;
pub mod approval;
mod ask;
pub mod decide;
pub mod desk;
pub mod destination;
pub mod journey;
pub mod people;
mod plain;
mod plan_desk;
pub mod planning;
mod prose;
pub mod review;
pub mod run;
pub mod scenes;
mod stages;
pub mod storylines;
pub mod style;
pub mod thin;
pub mod write;

pub use ask::Unrecorded;
pub use event::{Accepted, Event, Restored, Warning, Why};
pub use halt::Halt;
pub use run::{Budget, Clock, Goal, Outcome, Run, Stop};
pub use shelf::{Shelf, config_now, sound_config};
pub use voice::{Models, Speaker, Voice};
