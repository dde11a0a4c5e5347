//! Trailers of the commits of drafts, and those that join a commit of the book to the draft that it was.

pub const STAGE: &str = "Novel-Stage";
pub const MODEL: &str = "Novel-Model";
/// The overall score of a judge's report.
pub const SCORE: &str = "Novel-Score";
pub const DECISION: &str = "Novel-Decision";
/// Which scene was written or gone back to; of a plan, how many there are.
pub const SCENE: &str = "Novel-Scene";
/// The stage that an unfinished text or a fault is of.
pub const OF: &str = "Novel-Of";
/// True for a fault that the same question would meet again.
pub const LASTS: &str = "Novel-Lasts";
/// The doubt in which a text is.
pub const DOUBT: &str = "Novel-Doubt";
pub const RESULT: &str = "Novel-Result";
/// The part of the work that a result is about, of work that has several.
pub const COVERS: &str = "Novel-Covers";
/// The number of flaws that a result repairs.
pub const REPAIRS: &str = "Novel-Repairs";
pub const TOKENS: &str = "Novel-Tokens";
/// The cost of a call, or of all calls of a work together.
pub const COST: &str = "Novel-Cost";
/// The models that a work has used.
pub const MODELS: &str = "Novel-Models";
pub const WORK: &str = "Novel-Work";
pub const STEP: &str = "Novel-Step";
/// Which request it answers: sixteen hexadecimal digits.
pub const REQUEST: &str = "Novel-Request";
pub const PROMPT: &str = "Novel-Prompt";
/// The commit since which everything that follows from changes of plans was brought up to date, or stays as the author wants.
pub const SINCE: &str = "Novel-Since";
/// A chapter whose contract stays as it is by the author's word.
pub const KEPT: &str = "Novel-Kept";
/// The chapters, separated by commas, about whose contracts the author is still to be asked although the commit settles the plans.
pub const ASKS: &str = "Novel-Asks";
