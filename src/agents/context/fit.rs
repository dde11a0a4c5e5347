//! Making a prompt small enough.

use super::Section;
use crate::domain::named::named;

/// How much of everything is shown. The numbers count entries, except where they say characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Extent {
    /// Summaries of the last chapters of each line that is told.
    pub(crate) recent: usize,
    /// Passages of chapters further back.
    pub(crate) passages: usize,
    /// Passages of the world's pages and of the author's notes.
    pub(crate) pages: usize,
    /// Excerpts of the author's samples.
    pub(crate) samples: usize,
    /// People without a file of their own.
    pub(crate) minor_cast: usize,
    /// Patterns that the last chapters have worn out.
    pub(crate) worn: usize,
    /// Entries of the chapters' ledger.
    pub(crate) memories: usize,
    /// Lines of the reader's ledger.
    pub(crate) reader: usize,
    /// Chapters to each side of this one in the outline's overview; `None` for the usual window.
    pub(crate) radius: Option<u32>,
    /// People of the line who are described before anything about the chapter.
    pub(crate) cast: usize,
    /// Characters beside those that the plan names.
    pub(crate) extras: usize,
    /// Characters that the plan names.
    pub(crate) named: usize,
    /// Characters (of text) of a person's profile.
    pub(crate) profile: usize,
    /// Contracts of one person.
    pub(crate) contracts: usize,
    /// Open foreshadowings without a task in this chapter.
    pub(crate) open: usize,
    /// Facts of the state.
    pub(crate) facts: usize,
    /// Characters (of text) of the brief.
    pub(crate) brief: usize,
    /// World rules, the hard ones first.
    pub(crate) rules: usize,
    /// Lines of each group of the chapter's contract.
    pub(crate) clauses: usize,
    /// Directives of the style.
    pub(crate) directives: usize,
    /// Words that the author avoids.
    pub(crate) forbidden: usize,
}

impl Default for Extent {
    fn default() -> Self {
        Self {
            recent: 8,
            passages: 3,
            pages: 3,
            samples: 3,
            minor_cast: 8,
            worn: 12,
            memories: usize::MAX,
            reader: 8,
            radius: None,
            cast: 14,
            extras: 15,
            named: usize::MAX,
            profile: 400,
            contracts: 8,
            open: 12,
            facts: 120,
            brief: 3000,
            rules: 60,
            clauses: 12,
            directives: 15,
            forbidden: 40,
        }
    }
}

named! {
    /// Something taken out of a prompt that was too large, in the order in which it is tried.
    pub enum Cut {
        /// The passages of chapters further back, all but one.
        SomePassages = "some-passages",
        /// All passages of chapters further back.
        Passages = "passages",
        /// The passages of the world's pages and of the author's notes.
        Pages = "pages",
        /// The excerpts of the author's samples, all but one.
        SomeSamples = "some-samples",
        /// The people without a file of their own.
        MinorCast = "minor-cast",
        /// Patterns that the last chapters have worn out, all but four.
        SomeWorn = "some-worn",
        /// The summaries before the last three of the own line and of others.
        OldestSummary = "oldest-summary",
        /// All summaries but the last of the own line and of others.
        OlderSummary = "older-summary",
        /// All patterns that the last chapters have worn out.
        Worn = "worn",
        /// The reader's ledger, all but the question to be taken up.
        Reader = "reader",
        /// The ledger of chapters.
        ChapterMemory = "chapter-memory",
        /// The outline's overview, down to three chapters on each side.
        Overview = "overview",
        /// The people of the line, down to six; those of the chapter are described there.
        Cast = "cast",
        /// Characters that the plan does not name, down to six.
        SomeExtras = "some-extras",
        /// All characters that the plan does not name.
        Extras = "extras",
        /// Open foreshadowings without a task, down to four.
        OpenForeshadowing = "open-foreshadowing",
        /// Facts of the state, down to forty.
        State = "state",
        /// All excerpts of the author's samples.
        Samples = "samples",
        /// Profiles, down to 150 characters.
        Profiles = "profiles",
        /// The brief, down to 800 characters.
        Brief = "brief",
        /// World rules beyond twenty.
        Rules = "rules",
        /// Contracts beyond three a person.
        Contracts = "contracts",
        /// The style, down to eight directives and fifteen words.
        Style = "style",
        /// The chapter contract's lines beyond six of a kind.
        Clauses = "clauses",
        /// Characters beyond eight, even where the plan names them.
        Named = "named",
    }
}

impl Cut {
    fn apply(self, extent: &mut Extent) {
        match self {
            Self::SomePassages => extent.passages = 1,
            Self::Passages => extent.passages = 0,
            Self::Pages => extent.pages = 0,
            Self::SomeSamples => extent.samples = 1,
            Self::Samples => extent.samples = 0,
            Self::MinorCast => extent.minor_cast = 0,
            Self::SomeWorn => extent.worn = 4,
            Self::OldestSummary => extent.recent = 3,
            Self::OlderSummary => extent.recent = 1,
            Self::Worn => extent.worn = 0,
            Self::Reader => extent.reader = 1,
            Self::ChapterMemory => extent.memories = 0,
            Self::Overview => extent.radius = Some(3),
            Self::Cast => extent.cast = 6,
            Self::SomeExtras => extent.extras = 6,
            Self::Extras => extent.extras = 0,
            Self::OpenForeshadowing => extent.open = 4,
            Self::State => extent.facts = 40,
            Self::Profiles => extent.profile = 150,
            Self::Brief => extent.brief = 800,
            Self::Rules => extent.rules = 20,
            Self::Contracts => extent.contracts = 3,
            Self::Style => (extent.directives, extent.forbidden) = (8, 15),
            Self::Clauses => extent.clauses = 6,
            Self::Named => extent.named = 8,
        }
    }
}

/// Builds the sections, cutting one thing after the other until they and the `fixed` tokens around them stay within
/// `limit`. Cuts that take nothing out of this prompt are not recorded.
pub(crate) fn fit(limit: Option<u32>, fixed: u32, build: &dyn Fn(&Extent) -> Vec<Section>) -> (Vec<Section>, Vec<Cut>) {
    let total = |sections: &[Section]| fixed.saturating_add(sections.iter().map(|section| section.tokens).sum());
    let (mut extent, mut cuts) = (Extent::default(), Vec::new());
    let mut sections = build(&extent);
    for &cut in Cut::ALL {
        if limit.is_none_or(|limit| total(&sections) <= limit) {
            break;
        }
        cut.apply(&mut extent);
        let smaller = build(&extent);
        if total(&smaller) < total(&sections) {
            cuts.push(cut);
        }
        sections = smaller;
    }
    (sections, cuts)
}
