use crate::agents::context::PromptSection;
use crate::domain::id::named;

/// Limits of a prompt's parts, in entries or, where said, in characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PartLimits {
    /// Summaries per storyline told.
    pub(crate) recent: usize,
    pub(crate) passages: usize,
    pub(crate) pages: usize,
    pub(crate) samples: usize,
    pub(crate) minor_cast: usize,
    pub(crate) worn: usize,
    pub(crate) memories: usize,
    pub(crate) reader: usize,
    /// Chapters on each side in the outline's overview; `None` for the usual window.
    pub(crate) radius: Option<u32>,
    /// People of the line who are described before anything about the chapter.
    pub(crate) cast: usize,
    /// Characters outside the plan.
    pub(crate) extras: usize,
    /// Characters in the plan.
    pub(crate) named: usize,
    /// Characters (of text) of a person's profile.
    pub(crate) profile: usize,
    pub(crate) contracts: usize,
    /// Open foreshadowings without a task in the chapter.
    pub(crate) open: usize,
    pub(crate) facts: usize,
    /// Characters (of text) of the brief.
    pub(crate) brief: usize,
    /// World rules, the hard ones first.
    pub(crate) rules: usize,
    /// Lines per group of the chapter's contract.
    pub(crate) clauses: usize,
    pub(crate) directives: usize,
    /// Words that the author avoids.
    pub(crate) forbidden: usize,
    /// Characters (of text) of the scene before the chapter.
    pub(crate) ending: usize,
    /// Characters (of text) of the rules of each genre, and of those for the first chapters.
    pub(crate) genre: usize,
    /// Whether the judge is told all steps of its scales, or only how good enough differs from not good enough.
    pub(crate) whole_scale: bool,
}

impl Default for PartLimits {
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
            ending: 800,
            genre: 400,
            whole_scale: true,
        }
    }
}

named! {
    /// A cut from a large prompt, in the order of attempts.
    pub enum Cut {
        /// Passages of earlier chapters, all but one.
        SomePassages = "some-passages",
        /// All passages of earlier chapters.
        Passages = "passages",
        /// Passages of world pages and notes.
        Pages = "pages",
        /// Excerpts of the author's samples, all but one.
        SomeSamples = "some-samples",
        /// People without a file.
        MinorCast = "minor-cast",
        /// Worn-out patterns, all but four.
        SomeWorn = "some-worn",
        /// Summaries before the last three of the own line and of others.
        OldestSummary = "oldest-summary",
        /// Summaries before the last of the own line and of others.
        OlderSummary = "older-summary",
        /// All worn-out patterns.
        Worn = "worn",
        /// The reader's ledger, all but the question to be taken up.
        Reader = "reader",
        ChapterMemory = "chapter-memory",
        /// The outline's overview, down to three chapters on each side.
        Overview = "overview",
        /// People of the line, down to four; those of the chapter are described elsewhere.
        Cast = "cast",
        /// Characters outside the plan, down to six.
        SomeExtras = "some-extras",
        /// All characters outside the plan.
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
        /// Characters beyond eight, even in the plan.
        Named = "named",
        /// The rules of the genre, and those for the first chapters.
        Genre = "genre",
        /// The scene before the chapter, down to 300 characters.
        Ending = "ending",
        /// The judge's scales, down to what is good enough.
        Scale = "scale",
        /// The rest of the brief, of the outline's overview and of the summaries, and threads without a task.
        Background = "background",
    }
}

impl Cut {
    fn apply(self, extent: &mut PartLimits) {
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
            Self::Cast => extent.cast = 4,
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
            Self::Genre => extent.genre = 0,
            Self::Ending => extent.ending = 300,
            Self::Scale => extent.whole_scale = false,
            Self::Background => {
                (extent.brief, extent.radius, extent.recent, extent.open) = (0, Some(0), 0, 0);
            }
        }
    }
}

/// Builds the sections, with one cut after the other until they and the `fixed` tokens stay within `limit`. Cuts
/// without an effect on this prompt are not recorded.
pub(crate) fn fit(
    limit: Option<u32>,
    fixed: u32,
    build: &dyn Fn(&PartLimits) -> Vec<PromptSection>,
) -> (Vec<PromptSection>, Vec<Cut>) {
    let total = |sections: &[PromptSection]| fixed.saturating_add(sections.iter().map(|section| section.tokens).sum());
    let (mut extent, mut cuts) = (PartLimits::default(), Vec::new());
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
