//! The novel as values: no IO, no clock, no chance, no async. The vocabulary, one for code, prompts, help and reports:
//!
//! - **chapter** 章, **volume** 卷: numbered from 1 through the whole book ([`id`], [`chapter`], [`outline`](volume::outline)).
//! - **state** 状态: what is true after a chapter; it changes only by the **operations** of a chapter's **delta**
//!   ([`state`]), so folding the deltas 1..N gives state N.
//! - **foreshadowing** 伏笔: planted, advanced, resolved ([`foreshadowing`](volume::foreshadowing)).
//! - **storyline** 故事线: lines that run side by side, each with a **memory** ([`storyline`](world::storyline)).
//! - **chapter memory** 章节记忆: what each chapter leaves to be looked up, in short entries ([`memory`](chapter::memory)).
//! - **contract** 契约: rules in four layers, L1 world, L2 character, L3 chapter, LS storyline ([`contract`](world::contract)).
//! - **evaluation** 评估: contract checks and eight scores ([`evaluation`](chapter::evaluation)); the **gate** 门控 decides on it ([`Gate`](chapter::Gate)).
//! - **retirement** 退场: what keeps a person or a storyline in the story ([`retirement`](world::retirement)).
//! - **work**: what a draft branch is about, a chapter, a volume's plan or a step of planning ([`work`](book::work)).
//! - **stage** 阶段: one step of the chapter pipeline; its results are commits on the draft branch ([`stage`](chapter::stage)).
//! - **impact** 影响: what a change of a rule, a person or a plan touches, by ids ([`impact`]).
//! - **metrics** 指标: how well the book is doing by its own figures ([`metrics`]).
//! - **checkpoint** 断点: where the book stands ([`checkpoint`](book::checkpoint)).
//! - **ending** 收尾: how the book goes on after a volume ([`ending`](volume::ending)), and what of the state may go then ([`cleanup`](state::cleanup)).

pub mod book;
pub mod chapter;
pub mod id;
pub mod impact;
pub mod metrics;
pub mod notation;
mod prelude;
pub mod quality;
pub mod renumbering;
pub mod state;
pub mod volume;
pub mod workflow;
pub mod world;

pub use book::work::Work;
pub use id::{ChapterNo, ContentId, IdError, NotAContentId, Slug, UnknownName, VolumeNo};
pub use notation::BadText;
