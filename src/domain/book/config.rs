//! The values of `novel.toml`, which make the book reproducible. Keys and endpoints are never among them.
//! The genres of web novels, recognised in an author's words.

use crate::domain::chapter::Thresholds;
use crate::domain::prelude::*;

named! {
    /// Four of the agents work on every chapter, three plan.
    pub enum Agent {
        Writer = "writer",
        /// Summarises a chapter and extracts what it changes.
        Summarizer = "summarizer",
        /// Takes machine-made traces out of the prose.
        Refiner = "refiner",
        /// Checks contracts and scores.
        Judge = "judge",
        /// Draws directives from style samples.
        StyleAnalyzer = "style-analyzer",
        /// Builds the world: rules and pages.
        WorldBuilder = "world-builder",
        CharacterWeaver = "character-weaver",
        PlotArchitect = "plot-architect",
    }
}

named! {
    /// A class of models; the user's settings say which model has it.
    pub enum ModelTier {
        /// For most of the work.
        Standard = "standard",
        /// For revisions and delicate work.
        Strong = "strong",
    }
}

/// The purpose of a call, which decides whether a model set for the agent counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ModelRole {
    /// The agent's usual work: the agent's own model counts.
    Usual(ModelTier),
    /// Work for which the book has a revision role (revisions, rewrites, the second judge): if that role is the strong
    /// one, no other model takes its place.
    Revision(ModelTier),
}

impl ModelRole {
    pub fn role(self) -> ModelTier {
        match self {
            Self::Usual(role) | Self::Revision(role) => role,
        }
    }

    /// True when a model of the agent's own counts.
    pub fn takes_own(self) -> bool {
        self != Self::Revision(ModelTier::Strong)
    }
}

impl From<ModelTier> for ModelRole {
    fn from(role: ModelTier) -> Self {
        Self::Usual(role)
    }
}

named! {
    /// The answer of a run to chapters that contradict the records, found by the check after every tenth chapter (row
    /// R29).
    pub enum RevisionPolicy {
        /// The run stops with a message.
        None = "none",
        /// The strong model revises the chapters, and revisions that pass the gate are accepted.
        AutoApply = "auto_apply",
        /// The strong model revises the chapters, and each revision waits for the author.
        ManualConfirm = "manual_confirm",
    }
}

/// How the book is shared between devices.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SyncSettings {
    /// The name of one of the user's remotes, never an address; empty for that of the last sync.
    pub remote: String,
    /// Sync before and after each run.
    pub auto: bool,
    /// Take a lease on the remote before an agent is called.
    pub lease: bool,
    /// Minutes until a lease ends without renewal.
    pub lease_minutes: u32,
    /// Stop a run when the remote is out of reach.
    pub required: bool,
}

impl Default for SyncSettings {
    fn default() -> Self {
        Self { remote: String::new(), auto: false, lease: true, lease_minutes: 30, required: false }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct BookConfig {
    pub title: String,
    /// The name for the title page; may be empty.
    pub author: String,
    pub genre: String,
    /// The language of commit subjects.
    pub language: Lang,
    /// Of how many chapters, the last ones, the recorded calls are kept; `None` for all.
    pub keep_calls: Option<u32>,
    /// The fewest words of a chapter (Han characters and Latin words).
    pub min_words: u32,
    pub max_words: u32,
    pub gate: Thresholds,
    /// The share of a chapter that the refiner may change, 0 to 1 (row R21: 0.15).
    pub max_refinement: f64,
    /// Agents without an entry have the default role.
    pub roles: BTreeMap<Agent, ModelTier>,
    /// The role for revisions, rewrites, and the second judge of key chapters.
    pub revision_role: ModelTier,
    pub revision_policy: RevisionPolicy,
    /// Chapters are written by the built-in offline writer.
    pub offline: bool,
    /// The largest prompt of an ordinary chapter, in estimated tokens (row R23: 25,000).
    pub context_tokens: u32,
    /// The largest prompt of a convergence chapter (row R23: 30,000).
    pub convergence_context_tokens: u32,
    /// The number of chapters whose ledger entries agents and planners get; 0 for none.
    pub memory_chapters: u32,
    /// Chapters are planned and written scene by scene (row R28).
    pub scene_mode: bool,
    /// The cost in US dollars that a run may not exceed, unless a flag says otherwise.
    pub budget_usd: Option<f64>,
    /// The budget in yuan, instead of dollars.
    pub budget_cny: Option<f64>,
    pub sync: SyncSettings,
}

impl Default for BookConfig {
    fn default() -> Self {
        Self {
            title: String::new(),
            author: String::new(),
            genre: String::new(),
            language: Lang::default(),
            keep_calls: None,
            min_words: 2500,
            max_words: 3500,
            gate: Thresholds::default(),
            max_refinement: 0.15,
            roles: BTreeMap::new(),
            revision_role: ModelTier::Strong,
            revision_policy: RevisionPolicy::None,
            offline: false,
            context_tokens: 25_000,
            convergence_context_tokens: 30_000,
            memory_chapters: 5,
            scene_mode: false,
            budget_usd: None,
            budget_cny: None,
            sync: SyncSettings::default(),
        }
    }
}

impl BookConfig {
    /// The model role of an agent. By default planners, the refiner and the style analyzer have the strong one (product
    /// document §4.3).
    pub fn role(&self, agent: Agent) -> ModelTier {
        self.roles.get(&agent).copied().unwrap_or(match agent {
            Agent::Refiner
            | Agent::StyleAnalyzer
            | Agent::WorldBuilder
            | Agent::CharacterWeaver
            | Agent::PlotArchitect => ModelTier::Strong,
            Agent::Writer | Agent::Summarizer | Agent::Judge => ModelTier::Standard,
        })
    }
}

named! {
    /// Settings come before moods, because a system novel may play in any world.
    pub enum Genre {
        /// 无限流: one closed world with rules of its own after the other.
        Infinite = "infinite",
        /// 系统流: a system sets tasks and counts points.
        System = "system",
        /// 仙侠: cultivation, sects, immortality.
        Xianxia = "xianxia",
        /// 武侠: fighters and their code, without immortals.
        Wuxia = "wuxia",
        /// 玄幻: invented worlds and ranks of power.
        Fantasy = "fantasy",
        /// 科幻.
        SciFi = "scifi",
        /// 悬疑, with crime and horror.
        Mystery = "mystery",
        /// 古言: romance and households of the past.
        Costume = "costume",
        /// 言情 of today.
        Romance = "romance",
        /// 历史, with war and statecraft.
        History = "history",
        /// 都市: today's cities and trades.
        Urban = "urban",
    }
}

impl Genre {
    const fn words(self) -> &'static [&'static str] {
        match self {
            Self::Infinite => &["无限", "副本", "规则怪谈", "infinite"],
            Self::System => &["系统", "签到", "面板", "litrpg"],
            Self::Xianxia => &["仙侠", "修真", "修仙", "仙", "xianxia"],
            Self::Wuxia => &["武侠", "江湖", "wuxia"],
            Self::Fantasy => &["玄幻", "奇幻", "异世", "异能", "西幻", "高武", "热血", "升级", "fantasy"],
            Self::SciFi => &["科幻", "末世", "星际", "赛博", "废土", "机甲", "science", "sci-fi"],
            Self::Mystery => {
                &["悬疑", "推理", "惊悚", "恐怖", "灵异", "谍", "刑侦", "奇谈", "mystery", "thriller", "horror"]
            }
            Self::Costume => &["古言", "古代言情", "古风言情", "宫斗", "宅斗", "宫廷"],
            Self::Romance => &["言情", "恋爱", "婚恋", "甜宠", "虐恋", "romance"],
            Self::History => &["历史", "权谋", "争霸", "科举", "种田", "historical"],
            Self::Urban => &["都市", "现实", "职场", "校园", "年代", "娱乐", "urban"],
        }
    }

    /// The genres that the words name, in the order of [`Genre::ALL`]. A romance of the past is no romance of today.
    pub fn named_in(words: &str) -> Vec<Self> {
        let words = words.to_lowercase();
        let is_named = |genre: &Self| genre.words().iter().any(|word| words.contains(word));
        let mut genres: Vec<Self> = Self::ALL.iter().copied().filter(is_named).collect();
        if genres.contains(&Self::Costume) {
            genres.retain(|genre| *genre != Self::Romance);
        }
        genres
    }
}

#[cfg(test)]
mod genre_tests {
    use super::*;

    #[test]
    fn an_authors_words_name_the_genres() {
        let cases: [(&str, &[Genre]); 10] = [
            ("都市悬疑", &[Genre::Mystery, Genre::Urban]),
            ("仙侠", &[Genre::Xianxia]),
            ("江湖悬疑", &[Genre::Wuxia, Genre::Mystery]),
            ("系统流玄幻", &[Genre::System, Genre::Fantasy]),
            ("古风言情", &[Genre::Costume]),
            ("校园言情", &[Genre::Romance, Genre::Urban]),
            ("Science Fiction", &[Genre::SciFi]),
            ("无限流恐怖", &[Genre::Infinite, Genre::Mystery]),
            ("历史权谋", &[Genre::History]),
            ("散文", &[]),
        ];
        for (words, genres) in cases {
            assert_eq!(Genre::named_in(words), genres, "{words}");
        }
    }
}

named! {
    /// The language of messages, and of the subjects of a book's commits.
    pub enum Lang {
        Zh = "zh",
        En = "en",
    }
}

/// English, since older books do not name a language.
impl Default for Lang {
    fn default() -> Self {
        Self::En
    }
}

impl Lang {
    pub fn pick<T>(self, zh: T, en: T) -> T {
        match self {
            Self::Zh => zh,
            Self::En => en,
        }
    }

    /// The language of a locale name: Chinese for `zh`, `zh_CN.UTF-8`, `zh-Hans`, …; English for all others.
    pub fn of_locale(locale: &str) -> Self {
        let bytes = locale.trim().as_bytes();
        let chinese = bytes.len() >= 2
            && bytes[..2].eq_ignore_ascii_case(b"zh")
            && bytes.get(2).is_none_or(|next| !next.is_ascii_alphanumeric());
        if chinese { Self::Zh } else { Self::En }
    }

    /// The language of the first non-empty source, from the strongest: the flag, `NOVEL_LANG`, the user's settings,
    /// `LC_ALL`, `LC_MESSAGES`, `LANG`, and on Windows the system's language. English without one.
    pub fn resolve<'a>(sources: impl IntoIterator<Item = Option<&'a str>>) -> Self {
        let named = sources.into_iter().flatten().map(str::trim).find(|source| !source.is_empty());
        named.map_or(Self::En, Self::of_locale)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_strong_revision_passes_over_an_agent_s_own_model() {
        for tier in [ModelTier::Standard, ModelTier::Strong] {
            assert!(ModelRole::Usual(tier).takes_own());
        }
        assert!(ModelRole::Revision(ModelTier::Standard).takes_own());
        assert!(!ModelRole::Revision(ModelTier::Strong).takes_own());
    }
}

#[cfg(test)]
mod lang_tests {
    use super::*;

    #[test]
    fn the_strongest_source_that_says_anything_decides() {
        // flag, NOVEL_LANG, settings, LC_ALL, LC_MESSAGES, LANG
        let table: [([Option<&str>; 6], Lang); 8] = [
            ([None; 6], Lang::En),
            ([None, None, None, None, None, Some("zh_CN.UTF-8")], Lang::Zh),
            ([None, None, None, None, Some("en_US.UTF-8"), Some("zh_CN.UTF-8")], Lang::En),
            ([None, None, None, Some("zh_TW"), Some("en_US.UTF-8"), None], Lang::Zh),
            ([None, None, None, Some(""), None, Some("zh_CN")], Lang::Zh),
            ([None, None, Some("zh"), Some("C"), None, None], Lang::Zh),
            ([None, Some("en"), Some("zh"), Some("zh_CN"), None, None], Lang::En),
            ([Some("zh"), Some("en"), None, Some("C"), None, None], Lang::Zh),
        ];
        for (sources, lang) in table {
            assert_eq!(Lang::resolve(sources), lang, "{sources:?}");
        }
    }

    #[test]
    fn only_chinese_locales_are_chinese() {
        for locale in ["zh", "ZH_cn", "zh-Hans-CN", "zh.UTF-8"] {
            assert_eq!(Lang::of_locale(locale), Lang::Zh, "{locale}");
        }
        for locale in ["", "z", "zha", "C", "POSIX", "en_US.UTF-8", "ja_JP", "中文"] {
            assert_eq!(Lang::of_locale(locale), Lang::En, "{locale}");
        }
    }
}
