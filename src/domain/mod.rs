//! The novel as values: no IO, no clock, no chance, nothing asynchronous, and nothing that can fail because of the
//! world.
//!
//! The vocabulary, the same in code, prompts, help and reports:
//!
//! - **chapter** 章, **volume** 卷: numbered from 1 through the whole book ([`id`], [`chapter`], [`outline`]).
//! - **state** 状态: what is true after a chapter; it changes only by the **operations** of a chapter's **delta**
//!   ([`state`]), so folding the deltas 1..N gives state N.
//! - **foreshadowing** 伏笔: planted, advanced, resolved ([`foreshadowing`]).
//! - **storyline** 故事线: lines that run side by side, each with a **memory** ([`storyline`]).
//! - **chapter memory** 章节记忆: what each chapter leaves to be looked up, in short entries ([`memory`]).
//! - **contract** 契约: rules in four layers, L1 world, L2 character, L3 chapter, LS storyline ([`contract`]).
//! - **evaluation** 评估: contract checks and eight scores ([`evaluation`]); the **gate** 门控 decides on it ([`gate`]).
//! - **retirement** 退场: what keeps a person or a storyline in the story ([`retirement`]).
//! - **work**: what a draft branch is about, a chapter, a volume's plan or a step of planning ([`work`]).
//! - **stage** 阶段: one step of the chapter pipeline; its results are commits on the draft branch ([`stage`]).
//! - **impact** 影响: what a change of a rule, a person or a plan touches, by ids ([`impact`]).
//! - **metrics** 指标: how well the book is doing by its own figures ([`metrics`]).
//! - **checkpoint** 断点: where the book stands ([`checkpoint`]).
//! - **ending** 收尾: how the book goes on after a volume ([`ending`]), and what of the state may go then ([`cleanup`]).

pub mod id;
pub(crate) mod named;

pub mod chapter;
pub mod character;
pub mod contract;
pub mod foreshadowing;
pub mod outline;
pub mod storyline;
pub mod style;

pub mod memory;
pub mod state;
pub mod summary;

pub mod evaluation;
pub mod gate;

pub mod checkpoint;
pub mod chronicle;
pub mod cleanup;
pub mod config;
pub mod ending;
pub mod impact;
pub mod journey;
pub mod log;
pub mod metrics;
pub mod plan;
pub mod retirement;
pub mod scene;
pub mod stage;
pub mod work;

pub use id::{ChapterNo, IdError, Slug, VolumeNo};
pub use named::UnknownName;
pub use work::Work;
