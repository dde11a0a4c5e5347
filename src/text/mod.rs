//! Chinese text as values: where sentences and speech begin and end, how long a chapter is, how a writer sounds, what
//! repeats, what changed. Everything here is a pure function of its arguments.
//!
//! The unit of nearly every measure is the *Han character*; "per thousand" means per 1,000 Han characters. Positions
//! are byte ranges into the text that was passed in, always on character boundaries.
//!
//! | file | question it answers |
//! |---|---|
//! | `split` | where are the paragraphs, sentences and clauses? |
//! | `quotes` | where are the quoted spans, and which of them are speech? |
//! | `count` | how long is it, for a platform, for a rate, for a model's window? |
//! | `phrases` | how often does it use the phrases of a list? |
//! | `repeat` | what does it say again, within itself and after earlier chapters? |
//! | `names` | who and what of a registry is mentioned? |
//! | `new_names` | who is named whom no registry has? |
//! | `homophone` | which words are perhaps names with a wrong character of the same sound? |
//! | `consistency` | what does a chapter say against the records of the book? |
//! | `fingerprint` | how does the writer sound? |
//! | `drift` | has the writing moved away from a fingerprint? |
//! | `style_figures` | which figures of style does one chapter have? |
//! | `ai_tells` | what does it overuse that models overuse? |
//! | `extracts` | which parts stand for the whole of a long text? |
//! | `diff` | what changed between two versions, by sentence and character? |
//! | `change` | how much of it changed? |
//! | `ending` | does it end with a whole sentence, outside a quotation? |
//! | `evidence` | does a quotation really stand in the chapter? |
//! | `quote_marks` | which quotation marks does it use, and is it the same ones everywhere? |
//! | `removal` | which phrases does an author take out again and again? |
//! | `source_sentence` | which sentence does a noted fact come from? |
//! | `overlap` | which texts have to do with a wish? |
//! | `sanitize` | which characters steer a terminal or hide text, and what becomes of them? |
//! | `search` | which terms does an index have of it, and which passage answers a query? |
//! | `slug` | what id does a name get? |
//! | `wording` | did an edit change the wording alone, and which words did it take out? |
//! | `speakers` | who says which line? |
//! | `voice` | how does a person speak, and can two be told apart? |
//! | `typo` | which known name was perhaps meant? |
//! | `windows` | which stretches of about the same length does it have? |
//! | `worn` | which phrases, openings and ends do the last chapters use again and again? |
//!
//! `chars`, `common_words`, `sentence_pattern` and `align` are shared by these; of them only what a Han character is is seen outside.

mod ai_tells;
mod align;
mod change;
mod char_set;
mod chars;
mod common_words;
pub mod consistency;
mod count;
mod diff;
mod drift;
mod ending;
mod evidence;
mod excerpt;
mod extracts;
mod fingerprint;
mod homophone;
mod name_words;
mod names;
mod new_names;
mod overlap;
mod phrases;
mod quote_marks;
mod quotes;
mod removal;
mod repeat;
mod sanitize;
mod search;
mod sentence_pattern;
mod slug;
mod source_sentence;
mod speakers;
mod split;
mod style_figures;
mod typo;
mod voice;
mod windows;
mod wording;
mod worn;

pub use ai_tells::{BEATS, Norm, Panel, Reading, SHORT_SENTENCE};
pub use change::{Change, change};
pub(crate) use chars::is_han;
pub(crate) use common_words::is_common;
pub use count::{Count, TokenRate, per_thousand};
pub use diff::{CharOp, Hunk, ProseDiff, SentenceOp, diff, line_changes};
pub use drift::{ComparedFigure, Comparison, Deviation, LEAST_BASELINE};
pub use ending::{Ending, ending, whole_part};
pub use evidence::{Evidence, MIN_EVIDENCE_HAN, find_evidence};
pub use excerpt::{Excerpt, ExcerptKind, excerpts};
pub use extracts::extracts;
pub(crate) use fingerprint::deviation;
pub use fingerprint::{FIRST_PERSON_FROM, Fingerprint, Measure, PointOfView};
pub use homophone::Variant;
pub use names::{Mention, NameIndex, Named};
pub use new_names::{LEAST_SCORE, NewName, new_names};
pub use overlap::common;
pub use phrases::{PhraseHit, PhraseHits, PhraseList};
pub use quote_marks::{in_one_quote_style, quote_style_of};
pub use quotes::{Quote, QuoteStyle, quotes};
pub use removal::{Removal, repeated_removals};
pub use repeat::{
    CONTAINMENT_ALARM, Copied, Habit, MONOTONY, Monotony, RECURRING_ALARM, RECURRING_END, RECYCLED_ALARM, Recurrence,
    SHARED_RUN_ALARM, SHINGLE, SharedRun, Shingles, TELLING_SENTENCE, containment, copied, habits, longest_shared_run,
    looping_end, recurrence, same_openings, same_skeletons,
};
pub use sanitize::{escape_json, is_steering, sanitize, visible};
pub use search::{FREQUENCIES, IndexEntries, Passage, Query, Term};
pub use slug::{free_slug, slug_of};
pub use source_sentence::{Basis, Clue, SourceSentence, source_sentence};
pub use speakers::{Lines, Speech, speech};
pub use split::{
    Block, Paragraph, Sentence, SentenceEnds, clauses, paragraphs, prose_sentences, sentences, sentences_with,
};
pub use style_figures::{MeasuredFigure, RECYCLED_HUMAN, style_figures};
pub use typo::{by_likeness, nearest};
pub use voice::{LEAST_LINES, Tic, Voice};
pub use windows::{MOST_WINDOWS, Window, opening, windows};
pub use wording::{is_wording_alone, lost_phrases};
pub use worn::worn;
