//! Chinese text as values: sentences and speech, length, style, repetition, changes. Everything here is a pure function
//! of its arguments.
//! The unit of nearly every measure is the *Han character*; "per thousand" means per 1,000 Han characters. Positions
//! are byte ranges into the text that was passed in, always on character boundaries.

mod ai_tells;
mod chars;
pub mod consistency;
mod diff;
mod drift;
pub mod encoding;
mod ending;
mod evidence;
mod excerpt;
mod fingerprint;
mod homophone;
mod names;
mod new_names;
mod prelude;
mod quotes;
mod repeat;
pub mod sanitize;
mod scripts;
mod search;
mod speakers;
mod split;
mod voice;
mod wording;
mod worn;

pub use ai_tells::{BEATS, Panel, PanelFigure, SHORT_SENTENCE};
pub(crate) use chars::is_han;
pub use chars::{Count, characters, per_thousand};
pub use diff::{CharOp, Hunk, ProseDiff, SentenceOp, diff, likeness, line_changes};
pub use drift::{
    ComparedFigure, Deviation, LEAST_BASELINE, MeasuredFigure, RECYCLED_HUMAN, StyleComparison, style_figures,
};
pub use ending::{Ending, ending, whole_part};
pub use evidence::{Basis, Clue, Evidence, MIN_EVIDENCE_HAN, SourceSentence, find_evidence, source_sentence};
pub use excerpt::{Excerpt, ExcerptKind, MOST_WINDOWS, Window, excerpts, extracts, opening, windows};
pub(crate) use fingerprint::deviation;
pub use fingerprint::{Fingerprint, SampledFigure};
pub use homophone::{StandIn, Variant, by_likeness, nearest};
pub(crate) use names::is_common;
pub use names::{
    Mention, NameIndex, NamedEntity, OldName, Renaming, Replacement, free_slug, objective, slug_of, with_names,
};
pub use new_names::{LEAST_SCORE, NewName, new_names};
pub use quotes::{Quote, QuoteStyle, in_one_quote_style, quote_style_of, quotes};
pub use repeat::{
    Copied, Habit, MONOTONY, Monotony, RECURRING_ALARM, RECURRING_END, RECYCLED_ALARM, Recurrence, SHARED_RUN_ALARM,
    SHINGLE, SharedRun, Shingles, TELLING_SENTENCE, copied, habits, longest_shared_run, looping_end, recurrence,
    same_openings, same_skeletons,
};
pub use sanitize::{escape_json, is_steering, sanitize, visible};
pub use scripts::{Script, Scripts};
pub use search::{FREQUENCIES, IndexEntries, Passage, Query, Term, common};
pub use speakers::{Lines, Speech, speech};
pub use split::{
    BlockKind, Paragraph, Sentence, SentenceEnds, clauses, paragraphs, prose_sentences, sentences, sentences_with,
};
pub use voice::{LEAST_LINES, Tic, Voice};
pub use wording::{
    PhraseHit, PhraseHits, PhraseList, PhraseRemoval, former_names, is_piece_of_name, is_wording_alone, lost_phrases,
    repeated_removals,
};
pub use worn::worn;
