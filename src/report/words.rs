//! The names of the domain's closed sets, as people say them.

use super::Lang;
use super::lang::say;
use crate::agents::context::Cut;
use crate::domain::book::checkpoint::Phase;
use crate::domain::book::config::Agent;
use crate::domain::book::work::{Part, PlanStage, Step};
use crate::domain::chapter::evaluation::{Confidence, Dimension, Finding};
use crate::domain::chapter::gate::Gate;
use crate::domain::chapter::reader_note::{ChapterKind, Hook};
use crate::domain::chapter::scene::{SceneNo, Scenes};
use crate::domain::chapter::stage::{Decision, PipelineStage, Stage};
use crate::domain::impact::{ChangeKind, ItemKind};
use crate::domain::metrics::Measure;
use crate::domain::volume::foreshadowing::{Action, Scope};
use crate::domain::volume::inventory::Standing;
use crate::domain::world::contract::{Layer, Strength};
use crate::domain::world::storyline::{Reach, Status};
use crate::domain::world::style::StyleSource;
use crate::store::Kind;

/// A value that has a name in both languages.
pub trait Words: Copy {
    /// Chinese and English.
    fn words(self) -> (&'static str, &'static str);

    /// The name in one language.
    fn say(self, lang: Lang) -> &'static str {
        let (zh, en) = self.words();
        lang.pick(zh, en)
    }
}

impl Words for Phase {
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::QuickStart => ("起步", "getting started"),
            Self::VolumePlanning => ("规划分卷", "planning the volume"),
            Self::Writing => ("写作中", "writing"),
            Self::ChapterRewrite => ("修订章节", "revising a chapter"),
            Self::VolumeReview => ("卷末回顾", "reviewing the volume"),
            Self::ErrorRetry => ("出错待重试", "waiting to try again after an error"),
            Self::Completed => ("全书完", "complete"),
        }
    }
}

impl Words for ItemKind {
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Rule => ("世界规则", "world rule"),
            Self::CharacterContract => ("人物契约", "character contract"),
            Self::Character => ("人物", "character"),
            Self::Storyline => ("故事线", "storyline"),
            Self::Outline => ("章纲", "outline section"),
            Self::Foreshadowing => ("伏笔计划", "planned foreshadowing"),
            Self::Schedule => ("调度", "schedule"),
            Self::ChapterContract => ("章节契约", "chapter contract"),
            Self::Chapter => ("章", "chapter"),
        }
    }
}

impl Words for ChangeKind {
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Added => ("新添", "added"),
            Self::Changed => ("改了", "changed"),
            Self::Removed => ("没了", "removed"),
        }
    }
}

impl Words for Measure {
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Score => ("均分", "mean score"),
            Self::Style => ("风格自然度", "naturalness of style"),
            Self::Compliance => ("契约与故事线合规", "chapters that keep all rules"),
            Self::Conduct => ("人物合乎契约", "character contracts kept"),
            Self::Errors => ("一致性错误（每百章）", "consistency errors in 100 chapters"),
            Self::Foreshadowing => ("到期伏笔已回收", "due foreshadowings resolved"),
            Self::Convergence => ("交汇如期", "meetings where planned"),
            Self::Chained => ("章前条件都有来处", "conditions that follow"),
            Self::Leaks => ("串线的章", "chapters that leak between lines"),
            Self::Minutes => ("每章分钟", "minutes a chapter"),
            Self::Cost => ("每章费用", "cost a chapter"),
            Self::Revisions => ("每章修订次数", "revisions a chapter"),
            Self::Cached => ("命中缓存", "tokens from a cache"),
            Self::Contradictions => ("和记录冲突（每百章）", "contradictions in 100 chapters"),
            Self::Author => ("你拍板收录的章", "chapters accepted by you"),
            Self::FirstChapter => ("第一章用了几分钟", "minutes to the first chapter"),
        }
    }
}

impl Words for PipelineStage {
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Drafting => ("起草中", "drafting"),
            Self::Drafted => ("已起草", "drafted"),
            Self::Refined => ("已润色", "refined"),
            Self::Judged => ("已评审", "judged"),
            Self::Revising => ("修订中", "revising"),
            Self::Committed => ("已入册", "accepted"),
        }
    }
}

impl Words for Stage {
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Draft => ("起草", "draft"),
            Self::ScenePlan => ("分场", "scene plan"),
            Self::Scene => ("写场", "scene"),
            Self::Rollback => ("退回", "rollback"),
            Self::Summarize => ("摘要", "summarize"),
            Self::Refine => ("润色", "refine"),
            Self::Judge => ("评审", "judge"),
            Self::SecondJudge => ("复审", "second judge"),
            Self::Polish => ("二次润色", "polish"),
            Self::Revise => ("修订", "revise"),
            Self::Rewrite => ("重写", "rewrite"),
            Self::Edit => ("手改", "edit by hand"),
            Self::Decision => ("作者决定", "author's decision"),
            Self::Fault => ("无效回复", "unusable reply"),
            Self::Partial => ("未写完的稿子", "unfinished text"),
            Self::Kept => ("保留原稿", "text kept"),
        }
    }
}

impl Words for Step {
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::World => ("世界规则", "the world's rules"),
            Self::Theme => ("主题与核心冲突", "theme and conflict"),
            Self::Characters => ("人物", "the people"),
            Self::Storyline => ("故事线", "a storyline"),
            Self::Style => ("文风", "the style"),
            Self::Trial => ("大纲", "an outline"),
            Self::Ending => ("结局", "the ending"),
            Self::Research => ("研究资料", "research notes"),
            Self::Regenerate => ("更新计划", "bringing the plan up to date"),
            Self::Rebuild => ("重建摘要与状态", "rebuilding summaries and state"),
            Self::Waive => ("豁免", "a waiver"),
            Self::Calibration => ("试评审", "trying the judge"),
        }
    }
}

impl Words for ChapterKind {
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Confrontation => ("交锋", "confrontation"),
            Self::Pursuit => ("追逃", "pursuit"),
            Self::Investigation => ("查探", "investigation"),
            Self::Negotiation => ("周旋", "negotiation"),
            Self::Revelation => ("揭底", "revelation"),
            Self::Preparation => ("筹备", "preparation"),
            Self::Journey => ("行路", "journey"),
            Self::Respite => ("喘息", "respite"),
        }
    }
}

impl Words for Hook {
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Question => ("悬念", "an open question"),
            Self::Danger => ("危机", "danger"),
            Self::Reversal => ("反转", "a reversal"),
            Self::Arrival => ("来人来物", "an arrival"),
            Self::Choice => ("抉择", "a choice"),
            Self::Promise => ("约定将至", "something announced"),
            Self::Rest => ("收住", "at rest"),
        }
    }
}

impl Words for PlanStage {
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::World => ("世界设定", "world"),
            Self::Theme => ("主题与冲突", "theme"),
            Self::Characters => ("人物设定", "characters"),
            Self::Storyline => ("故事线", "storyline"),
            Self::Style => ("文风", "style"),
            Self::Schedule => ("分卷调度", "schedule"),
            Self::Outline => ("章纲", "outline"),
            Self::Contracts => ("章节契约", "contracts"),
            Self::Review => ("卷末回顾", "review"),
            Self::Summary => ("重做摘要", "summary"),
            Self::Edit => ("手改", "edit by hand"),
            Self::Resize => ("调整章数", "resize"),
            Self::Proposal => ("待批准的改动", "changes to approve"),
            Self::Calibration => ("试评审", "trying the judge"),
            Self::Fault => ("无效回复", "unusable reply"),
        }
    }
}

impl Words for Part {
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Chapter(stage) => stage.words(),
            Self::Plan(stage) => stage.words(),
        }
    }
}

impl Words for Status {
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Active => ("进行中", "active"),
            Self::Dormant => ("休眠", "dormant"),
            Self::Planned => ("未开始", "planned"),
            Self::Ended => ("已了结", "ended"),
        }
    }
}

impl Words for Reach {
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Novel => ("全书", "the whole book"),
            Self::MultiVolume => ("跨卷", "several volumes"),
            Self::SingleVolume => ("一卷", "one volume"),
        }
    }
}

impl Words for StyleSource {
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Original => ("作者自己的文字", "the author's own prose"),
            Self::Extracted => ("从写成的章节提取", "drawn from written chapters"),
            Self::Reference => ("参考作者", "another author's prose"),
            Self::Preset => ("内置文风", "a built-in style"),
            Self::Deferred => ("先写后提：写完第一章就提取", "neutral until it is drawn from the first chapter"),
        }
    }
}

/// A part of the work, with its number when it is a scene: `写场 2/4`.
#[must_use]
pub fn of_part(part: Part, scene: Option<SceneNo>, lang: Lang) -> String {
    scene.map_or_else(|| part.say(lang).to_owned(), |scene| format!("{} {scene}", part.say(lang)))
}

/// How many of a chapter's scenes are there: `scene 2 of 4`.
#[must_use]
pub fn of_scenes(scenes: Scenes, lang: Lang) -> String {
    let Scenes { written, planned } = scenes;
    say!(lang, "写到第 {written} 场，共 {planned} 场", "scene {written} of {planned}")
}

impl Words for Gate {
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Pass => ("通过", "pass"),
            Self::Polish => ("再润色", "polish"),
            Self::Revise => ("修订", "revise"),
            Self::Rewrite => ("重写", "rewrite"),
            Self::Pause => ("暂停", "pause"),
            Self::ForcePass => ("强制通过", "force-passed"),
            Self::AuthorPass => ("作者放行", "accepted by the author"),
        }
    }
}

impl Words for Decision {
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Continue => ("从断处接着写", "go on where it broke off"),
            Self::Accept => ("照原样收下", "take it as it is"),
            Self::Judge => ("让评审再读一遍", "let the judge read it again"),
            Self::Revise => ("交给强模型修订", "let the strong model revise it"),
            Self::Rewrite => ("按大纲重写整章", "write the whole chapter again from the outline"),
            Self::Edit => ("自己动手改 staging/ 里的稿子", "edit the draft in staging/ yourself"),
            Self::Drop => ("不要新稿，书里那一章照旧", "put the new text aside; the chapter stays as it is"),
            Self::Hold => ("改好了等作者看", "wait for the author"),
        }
    }
}

impl Words for Cut {
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::SomePassages => ("部分前文相关段落", "some related earlier passages"),
            Self::Passages => ("前文相关段落", "related earlier passages"),
            Self::Pages => ("设定与资料里的段落", "passages of the world and of your notes"),
            Self::SomeSamples => ("部分样稿片段", "some excerpts of your samples"),
            Self::Samples => ("样稿片段", "excerpts of your samples"),
            Self::Cast => ("本线人物里次要的", "lesser people of the line"),
            Self::MinorCast => ("没有档案的人物", "people without a file"),
            Self::SomeWorn => ("近来用滥的后几条", "some of what is worn out"),
            Self::OldestSummary => ("三章以前的摘要", "summaries before the last three"),
            Self::OlderSummary => ("上一章以前的摘要", "all summaries but the last"),
            Self::Worn => ("近来用滥的", "what is worn out"),
            Self::Reader => ("读者账", "the reader's ledger"),
            Self::ChapterMemory => ("章节记忆", "the chapter memory"),
            Self::Overview => ("全卷概览里较远的章", "distant chapters of the overview"),
            Self::SomeExtras => ("部分未出场的人物", "some characters that the plan does not name"),
            Self::Extras => ("所有未出场的人物", "all characters that the plan does not name"),
            Self::OpenForeshadowing => ("本章用不到的伏笔", "foreshadowing without a task here"),
            Self::State => ("较次要的状态", "lesser facts of the state"),
            Self::Profiles => ("人物小传的后半", "the ends of profiles"),
            Self::Brief => ("纲领的后半", "the end of the brief"),
            Self::Rules => ("较次要的世界规则", "lesser world rules"),
            Self::Contracts => ("较次要的人物契约", "lesser contracts"),
            Self::Style => ("较次要的文风指令", "lesser directives of style"),
            Self::Clauses => ("本章契约的次要条目", "lesser lines of the chapter's contract"),
            Self::Named => ("部分出场的人物", "some characters that the plan names"),
        }
    }
}

impl Words for Agent {
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Writer => ("写手", "writer"),
            Self::Summarizer => ("摘要员", "summarizer"),
            Self::Refiner => ("润色师", "refiner"),
            Self::Judge => ("评审", "judge"),
            Self::StyleAnalyzer => ("文风分析", "style analyzer"),
            Self::WorldBuilder => ("世界设定", "world builder"),
            Self::CharacterWeaver => ("人物设定", "character weaver"),
            Self::PlotArchitect => ("情节规划", "plot architect"),
        }
    }
}

impl Words for Dimension {
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::PlotLogic => ("情节逻辑", "plot logic"),
            Self::Character => ("人物", "character"),
            Self::Immersion => ("沉浸感", "immersion"),
            Self::Foreshadowing => ("伏笔", "foreshadowing"),
            Self::Pacing => ("节奏", "pacing"),
            Self::StyleNaturalness => ("文字自然", "natural style"),
            Self::EmotionalImpact => ("情感冲击", "emotional impact"),
            Self::StorylineCoherence => ("故事线连贯", "storyline coherence"),
        }
    }
}

impl Words for Layer {
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::World => ("世界规则", "world rule"),
            Self::Character => ("人物契约", "character contract"),
            Self::Chapter => ("本章契约", "chapter contract"),
            Self::Storyline => ("故事线规则", "storyline rule"),
        }
    }
}

impl Words for Strength {
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Hard => ("硬", "hard"),
            Self::Soft => ("软", "soft"),
        }
    }
}

impl Words for Finding {
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Pass => ("符合", "kept"),
            Self::Violation => ("违反", "broken"),
            Self::Waived => ("豁免", "waived"),
            Self::NotApplicable => ("未涉及", "not touched"),
            Self::NotChecked => ("没有核对", "not checked"),
            Self::NotAsked => ("没有问", "not asked"),
        }
    }
}

impl Words for Confidence {
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::High => ("把握大", "sure"),
            Self::Medium => ("把握一般", "fairly sure"),
            Self::Low => ("把握小", "unsure"),
        }
    }
}

impl Words for Kind {
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Init => ("建书", "new book"),
            Self::Plan => ("规划", "plan"),
            Self::Chapter => ("章", "chapter"),
            Self::Review => ("卷末回顾", "review"),
            Self::Retire => ("人物退场", "retirement"),
            Self::World => ("世界设定", "world"),
            Self::Rebuild => ("重建", "rebuild"),
            Self::Rollback => ("退回", "rollback"),
            Self::Undo => ("撤销", "undo"),
            Self::Redo => ("重做", "redo"),
            Self::HandEdit => ("手改", "hand edit"),
            Self::Import => ("导入", "import"),
            Self::SyncMerge => ("同步合并", "sync"),
            Self::Config => ("设置", "settings"),
            Self::Migrate => ("格式更新", "formats"),
            Self::Quality => ("质量简报", "quality brief"),
            Self::Adopt => ("采用", "adoption"),
            Self::Stage => ("草稿", "draft"),
        }
    }
}

impl Words for Action {
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Planted => ("埋设", "planted"),
            Self::Advanced => ("推进", "advanced"),
            Self::Resolved => ("回收", "resolved"),
        }
    }
}

impl Words for Standing {
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Overdue => ("超期", "overdue"),
            Self::Due => ("该收", "due"),
            Self::Neglected => ("久未提", "neglected"),
            Self::Advanced => ("推进中", "advanced"),
            Self::Planted => ("已埋", "planted"),
            Self::Planned => ("计划中", "planned"),
            Self::Resolved => ("已收", "resolved"),
        }
    }
}

impl Words for Scope {
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Short => ("短线", "short"),
            Self::Medium => ("中线", "medium"),
            Self::Long => ("长线", "long"),
        }
    }
}
