//! The names of the domain's closed sets, for people.

use crate::agents::context::Cut;
use crate::domain::book::checkpoint::Phase;
use crate::domain::book::config::Agent;
use crate::domain::book::work::{Part, PlanStage, Step, Work};
use crate::domain::chapter::evaluation::{Confidence, Dimension, Finding};
use crate::domain::chapter::gate::Gate;
use crate::domain::chapter::reader_note::{ChapterKind, Hook};
use crate::domain::chapter::scene::{SceneNo, Scenes};
use crate::domain::chapter::stage::{Decision, PipelineStage, Stage};
use crate::domain::impact::ItemKind;
use crate::domain::metrics::Measure;
use crate::domain::volume::foreshadowing::{Action, Scope};
use crate::domain::volume::inventory::Standing;
use crate::domain::world::contract::{Layer, Strength};
use crate::domain::world::storyline::{Reach, Status, VolumeRole};
use crate::domain::world::style::StyleSource;
use crate::report::Lang;
use crate::report::catalogue::{pair, say};
use crate::store::Kind;

pub trait Words: Copy {
    /// Chinese and English.
    fn words(self) -> (&'static str, &'static str);

    fn say(self, lang: Lang) -> &'static str {
        let (zh, en) = self.words();
        lang.pick(zh, en)
    }
}

impl Words for Phase {
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::QuickStart => pair!(phase_quick_start),
            Self::VolumePlanning => pair!(phase_volume_planning),
            Self::Writing => pair!(phase_writing),
            Self::ChapterRewrite => pair!(phase_chapter_rewrite),
            Self::VolumeReview => pair!(phase_volume_review),
            Self::ErrorRetry => pair!(phase_error_retry),
            Self::Completed => pair!(phase_completed),
        }
    }
}

impl Words for ItemKind {
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Rule => pair!(item_kind_rule),
            Self::CharacterContract => pair!(item_kind_character_contract),
            Self::Character => pair!(item_kind_character),
            Self::Storyline => pair!(item_kind_storyline),
            Self::Outline => pair!(item_kind_outline),
            Self::Foreshadowing => pair!(item_kind_foreshadowing),
            Self::Schedule => pair!(item_kind_schedule),
            Self::ChapterContract => pair!(item_kind_chapter_contract),
            Self::Chapter => pair!(item_kind_chapter),
        }
    }
}

impl Words for Measure {
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Score => pair!(measure_score),
            Self::Style => pair!(measure_style),
            Self::Compliance => pair!(measure_compliance),
            Self::Conduct => pair!(measure_conduct),
            Self::Errors => pair!(measure_errors),
            Self::Foreshadowing => pair!(measure_foreshadowing),
            Self::Convergence => pair!(measure_convergence),
            Self::Chained => pair!(measure_chained),
            Self::Leaks => pair!(measure_leaks),
            Self::Minutes => pair!(measure_minutes),
            Self::Cost => pair!(measure_cost),
            Self::Revisions => pair!(measure_revisions),
            Self::Cached => pair!(measure_cached),
            Self::Contradictions => pair!(measure_contradictions),
            Self::Author => pair!(measure_author),
            Self::FirstChapter => pair!(measure_first_chapter),
        }
    }
}

impl Words for PipelineStage {
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Drafting => pair!(pipeline_stage_drafting),
            Self::Drafted => pair!(pipeline_stage_drafted),
            Self::Refined => pair!(pipeline_stage_refined),
            Self::Judged => pair!(pipeline_stage_judged),
            Self::Revising => pair!(pipeline_stage_revising),
            Self::Committed => pair!(pipeline_stage_committed),
        }
    }
}

impl Words for Stage {
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Draft => pair!(stage_draft),
            Self::ScenePlan => pair!(stage_scene_plan),
            Self::Scene => pair!(stage_scene),
            Self::Rollback => pair!(stage_rollback),
            Self::Summarize => pair!(stage_summarize),
            Self::Refine => pair!(stage_refine),
            Self::Judge => pair!(stage_judge),
            Self::SecondJudge => pair!(stage_second_judge),
            Self::Polish => pair!(stage_polish),
            Self::Revise => pair!(stage_revise),
            Self::Rewrite => pair!(stage_rewrite),
            Self::Edit => pair!(stage_edit),
            Self::Decision => pair!(stage_decision),
            Self::Fault => pair!(stage_fault),
            Self::Partial => pair!(stage_partial),
            Self::Kept => pair!(stage_kept),
        }
    }
}

impl Words for Step {
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::World => pair!(step_world),
            Self::Theme => pair!(step_theme),
            Self::Characters => pair!(step_characters),
            Self::Storyline => pair!(step_storyline),
            Self::Style => pair!(step_style),
            Self::Trial => pair!(step_trial),
            Self::Ending => pair!(step_ending),
            Self::Research => pair!(step_research),
            Self::Regenerate => pair!(step_regenerate),
            Self::Rebuild => pair!(step_rebuild),
            Self::Waive => pair!(step_waive),
            Self::Calibration => pair!(step_calibration),
            Self::Blurb => pair!(step_blurb),
        }
    }
}

impl Words for ChapterKind {
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Confrontation => pair!(chapter_kind_confrontation),
            Self::Pursuit => pair!(chapter_kind_pursuit),
            Self::Investigation => pair!(chapter_kind_investigation),
            Self::Negotiation => pair!(chapter_kind_negotiation),
            Self::Revelation => pair!(chapter_kind_revelation),
            Self::Preparation => pair!(chapter_kind_preparation),
            Self::Journey => pair!(chapter_kind_journey),
            Self::Respite => pair!(chapter_kind_respite),
        }
    }
}

impl Words for Hook {
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Question => pair!(hook_question),
            Self::Danger => pair!(hook_danger),
            Self::Reversal => pair!(hook_reversal),
            Self::Arrival => pair!(hook_arrival),
            Self::Choice => pair!(hook_choice),
            Self::Promise => pair!(hook_promise),
            Self::Rest => pair!(hook_rest),
        }
    }
}

impl Words for PlanStage {
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::World => pair!(plan_stage_world),
            Self::Theme => pair!(plan_stage_theme),
            Self::Characters => pair!(plan_stage_characters),
            Self::Storyline => pair!(plan_stage_storyline),
            Self::Style => pair!(plan_stage_style),
            Self::Schedule => pair!(plan_stage_schedule),
            Self::Outline => pair!(plan_stage_outline),
            Self::Contracts => pair!(plan_stage_contracts),
            Self::Review => pair!(plan_stage_review),
            Self::Summary => pair!(plan_stage_summary),
            Self::Edit => pair!(plan_stage_edit),
            Self::Resize => pair!(plan_stage_resize),
            Self::Mend => pair!(plan_stage_mend),
            Self::Proposal => pair!(plan_stage_proposal),
            Self::Calibration => pair!(plan_stage_calibration),
            Self::Blurb => pair!(plan_stage_blurb),
            Self::Fault => pair!(plan_stage_fault),
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
            Self::Active => pair!(status_active),
            Self::Dormant => pair!(status_dormant),
            Self::Planned => pair!(status_planned),
            Self::Ended => pair!(status_ended),
        }
    }
}

impl Words for Reach {
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Novel => pair!(reach_novel),
            Self::MultiVolume => pair!(reach_multi_volume),
            Self::SingleVolume => pair!(reach_single_volume),
        }
    }
}

/// A character's role in the author's language; an unusual one stays.
#[must_use]
pub fn role(role: &str, lang: Lang) -> &str {
    match role {
        "protagonist" => say!(lang, role_protagonist),
        "deuteragonist" => say!(lang, role_deuteragonist),
        "antagonist" => say!(lang, role_antagonist),
        "supporting" => say!(lang, role_supporting),
        "mentor" => say!(lang, role_mentor),
        "friend" | "ally" => say!(lang, role_friend),
        "rival" => say!(lang, role_rival),
        "love_interest" | "love-interest" => say!(lang, role_love_interest),
        "minor" => say!(lang, role_minor),
        _ => role,
    }
}

impl Words for VolumeRole {
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Primary => pair!(volume_role_primary),
            Self::Secondary => pair!(volume_role_secondary),
            Self::Seasoning => pair!(volume_role_seasoning),
        }
    }
}

impl Words for StyleSource {
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Original => pair!(style_source_original),
            Self::Extracted => pair!(style_source_extracted),
            Self::Reference => pair!(style_source_reference),
            Self::Preset => pair!(style_source_preset),
            Self::Deferred => pair!(style_source_deferred),
        }
    }
}

/// A piece of work at the head of a line: by its id, or on a Chinese screen a step by its name.
#[must_use]
pub fn of_work(work: Work, lang: Lang) -> String {
    match (work, lang) {
        (Work::Step(step), Lang::Zh) => step.say(lang).to_owned(),
        _ => work.to_string(),
    }
}

/// A stage of a piece of work. Stages of a step need no prefix.
#[must_use]
pub fn of_stage(work: Work, part: Part, scene: Option<SceneNo>, lang: Lang) -> String {
    let part = of_part(part, scene, lang);
    match work {
        Work::Step(_) => part,
        work => format!("{work} {part}"),
    }
}

/// A part of the work, with the number of a scene: `写场 2/4`.
#[must_use]
pub fn of_part(part: Part, scene: Option<SceneNo>, lang: Lang) -> String {
    scene.map_or_else(|| part.say(lang).to_owned(), |scene| format!("{} {scene}", part.say(lang)))
}

/// The progress of a chapter's scenes: `scene 2 of 4`.
#[must_use]
pub fn of_scenes(scenes: Scenes, lang: Lang) -> String {
    let Scenes { written, planned } = scenes;
    say!(lang, words_scene_of(written, planned))
}

impl Words for Gate {
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Pass => pair!(gate_pass),
            Self::Polish => pair!(gate_polish),
            Self::Revise => pair!(gate_revise),
            Self::Rewrite => pair!(gate_rewrite),
            Self::Pause => pair!(gate_pause),
            Self::ForcePass => pair!(gate_force_pass),
            Self::AuthorPass => pair!(gate_author_pass),
        }
    }
}

impl Words for Decision {
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Continue => pair!(decision_continue),
            Self::AcceptUnjudged => pair!(decision_accept_unjudged),
            Self::Cut => pair!(decision_cut),
            Self::Accept => pair!(decision_accept),
            Self::Judge => pair!(decision_judge),
            Self::Revise => pair!(decision_revise),
            Self::Rewrite => pair!(decision_rewrite),
            Self::Edit => pair!(decision_edit),
            Self::Drop => pair!(decision_drop),
            Self::Hold => pair!(decision_hold),
        }
    }
}

impl Words for Cut {
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::SomePassages => pair!(cut_some_passages),
            Self::Passages => pair!(cut_passages),
            Self::Pages => pair!(cut_pages),
            Self::SomeSamples => pair!(cut_some_samples),
            Self::Samples => pair!(cut_samples),
            Self::Cast => pair!(cut_cast),
            Self::MinorCast => pair!(cut_minor_cast),
            Self::SomeWorn => pair!(cut_some_worn),
            Self::OldestSummary => pair!(cut_oldest_summary),
            Self::OlderSummary => pair!(cut_older_summary),
            Self::Worn => pair!(cut_worn),
            Self::Reader => pair!(cut_reader),
            Self::ChapterMemory => pair!(cut_chapter_memory),
            Self::Overview => pair!(cut_overview),
            Self::SomeExtras => pair!(cut_some_extras),
            Self::Extras => pair!(cut_extras),
            Self::OpenForeshadowing => pair!(cut_open_foreshadowing),
            Self::State => pair!(cut_state),
            Self::Profiles => pair!(cut_profiles),
            Self::Brief => pair!(cut_brief),
            Self::Rules => pair!(cut_rules),
            Self::Contracts => pair!(cut_contracts),
            Self::Style => pair!(cut_style),
            Self::Clauses => pair!(cut_clauses),
            Self::Named => pair!(cut_named),
            Self::Genre => pair!(cut_genre),
            Self::Ending => pair!(cut_ending),
            Self::Scale => pair!(cut_scale),
            Self::Background => pair!(cut_background),
        }
    }
}

impl Words for Agent {
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Writer => pair!(agent_writer),
            Self::Summarizer => pair!(agent_summarizer),
            Self::Refiner => pair!(agent_refiner),
            Self::Judge => pair!(agent_judge),
            Self::StyleAnalyzer => pair!(agent_style_analyzer),
            Self::WorldBuilder => pair!(agent_world_builder),
            Self::CharacterWeaver => pair!(agent_character_weaver),
            Self::PlotArchitect => pair!(agent_plot_architect),
        }
    }
}

impl Words for Dimension {
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::PlotLogic => pair!(dimension_plot_logic),
            Self::Character => pair!(dimension_character),
            Self::Immersion => pair!(dimension_immersion),
            Self::Foreshadowing => pair!(dimension_foreshadowing),
            Self::Pacing => pair!(dimension_pacing),
            Self::StyleNaturalness => pair!(dimension_style_naturalness),
            Self::EmotionalImpact => pair!(dimension_emotional_impact),
            Self::StorylineCoherence => pair!(dimension_storyline_coherence),
        }
    }
}

impl Words for Layer {
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::World => pair!(layer_world),
            Self::Character => pair!(layer_character),
            Self::Chapter => pair!(layer_chapter),
            Self::Storyline => pair!(layer_storyline),
        }
    }
}

impl Words for Strength {
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Hard => pair!(strength_hard),
            Self::Soft => pair!(strength_soft),
        }
    }
}

impl Words for Finding {
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Pass => pair!(finding_pass),
            Self::Violation => pair!(finding_violation),
            Self::Waived => pair!(finding_waived),
            Self::NotApplicable => pair!(finding_not_applicable),
            Self::NotChecked => pair!(finding_not_checked),
            Self::NotAsked => pair!(finding_not_asked),
        }
    }
}

impl Words for Confidence {
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::High => pair!(confidence_high),
            Self::Medium => pair!(confidence_medium),
            Self::Low => pair!(confidence_low),
        }
    }
}

impl Words for Kind {
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Init => pair!(kind_init),
            Self::Plan => pair!(kind_plan),
            Self::Chapter => pair!(kind_chapter),
            Self::Review => pair!(kind_review),
            Self::Retire => pair!(kind_retire),
            Self::World => pair!(kind_world),
            Self::Rebuild => pair!(kind_rebuild),
            Self::Rollback => pair!(kind_rollback),
            Self::Undo => pair!(kind_undo),
            Self::Redo => pair!(kind_redo),
            Self::HandEdit => pair!(kind_hand_edit),
            Self::Import => pair!(kind_import),
            Self::SyncMerge => pair!(kind_sync_merge),
            Self::Config => pair!(kind_config),
            Self::Migrate => pair!(kind_migrate),
            Self::Quality => pair!(kind_quality),
            Self::Adopt => pair!(kind_adopt),
            Self::Stage => pair!(kind_stage),
            Self::Archive => pair!(kind_archive),
        }
    }
}

impl Words for Action {
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Planted => pair!(action_planted),
            Self::Advanced => pair!(action_advanced),
            Self::Resolved => pair!(action_resolved),
        }
    }
}

impl Words for Standing {
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Overdue => pair!(standing_overdue),
            Self::Due => pair!(standing_due),
            Self::Neglected => pair!(standing_neglected),
            Self::Advanced => pair!(standing_advanced),
            Self::Planted => pair!(standing_planted),
            Self::Planned => pair!(standing_planned),
            Self::Resolved => pair!(standing_resolved),
        }
    }
}

impl Words for Scope {
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Short => pair!(scope_short),
            Self::Medium => pair!(scope_medium),
            Self::Long => pair!(scope_long),
        }
    }
}
