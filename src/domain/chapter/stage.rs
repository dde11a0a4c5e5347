//! The stages of a chapter, and the progress that the commits of its draft branch record.
//! Progress is stored nowhere: it is the fold of the stage commits on the draft branch. So resuming after an
//! interruption and going on after a stage are one code.

use crate::domain::chapter::evaluation::Evaluation;
use crate::domain::chapter::{self, Gate, Mode, Scenes, Thresholds, Tries};
use crate::domain::id::named;

named! {
    /// The progress of the chapter in flight (formats chapter §9.2).
    pub enum PipelineStage {
        Drafting = "drafting",
        /// Draft, summary and delta exist.
        Drafted = "drafted",
        Refined = "refined",
        Judged = "judged",
        /// A revision or a second polish is running.
        Revising = "revising",
        Committed = "committed",
    }
}

named! {
    /// The stages that commits of the draft branch record.
    pub enum Stage {
        /// The writer's first text.
        Draft = "draft",
        /// The plan of a chapter's scenes, in place of a draft.
        ScenePlan = "scene-plan",
        /// One more scene at the end of the text.
        Scene = "scene",
        /// Back to an earlier scene, by the author's decision.
        Rollback = "rollback",
        /// Summary, delta and storyline memory of the text.
        Summarize = "summarize",
        Refine = "refine",
        Judge = "judge",
        /// The second judge's evaluation of a key chapter.
        SecondJudge = "judge-2",
        /// The refiner's second pass, which the gate asks for.
        Polish = "polish",
        /// The strong model's revision.
        Revise = "revise",
        /// A completely new text.
        Rewrite = "rewrite",
        /// The beginning of a text that broke off, up to its last whole sentence, which is continued and not judged; or a text in
        /// doubt, which waits for the author.
        Partial = "partial",
        /// The text before an unusable revision, which stays.
        Kept = "kept",
        /// The author's change of the text in `staging/`.
        Edit = "edit",
        /// The author's decision on a paused chapter.
        Decision = "decision",
        /// An unusable reply, kept because it was paid for.
        Fault = "fault",
    }
}

impl Stage {
    /// True when the answer to the stage is prose of the chapter.
    pub fn writes_prose(self) -> bool {
        matches!(self, Self::Draft | Self::Scene | Self::Revise | Self::Rewrite)
    }
}

named! {
    /// The reason why a text that the writer could not better waits for the author before anything is paid for it.
    pub enum Doubt {
        /// Far above the length that the book wants.
        Long = "long",
        /// In another language or script than the book.
        Language = "language",
        /// With words of the task in the story.
        Task = "task",
    }
}

named! {
    /// The author's decision on a chapter that is paused or broke off.
    pub enum Decision {
        /// The writer continues an unfinished text.
        Continue = "continue",
        /// The text is accepted as it is; one that broke off or is in doubt is the chapter's text from then on.
        Accept = "accept",
        /// The text is accepted without a judge's report.
        AcceptUnjudged = "accept-unjudged",
        /// A text that is too long ends with the last whole scene, or else paragraph, within the wanted length.
        Cut = "cut",
        /// The judged text before an unfinished revision, or one in doubt, is accepted.
        Before = "before",
        /// The judge reads the text again, because the report leaves out rules.
        Judge = "judge",
        /// The strong model revises the text.
        Revise = "revise",
        /// The text, or the last part of an unfinished text, is written again.
        Rewrite = "rewrite",
        /// The author has changed the text, which is summarised and judged again.
        Edit = "edit",
        /// The new text of an accepted chapter is put aside.
        Drop = "drop",
        /// A run, not the author, has the new text wait for the author, however good it is.
        Hold = "hold",
    }
}

/// One commit of the draft branch, reduced to its progress.
#[derive(Debug, Clone, PartialEq)]
pub enum Record {
    /// A text by the writer, the strong model or the author: [`Stage::Draft`], [`Stage::Revise`], [`Stage::Rewrite`] or
    /// [`Stage::Edit`].
    Text(Stage),
    /// The author's change of a text except its last paragraph.
    Touched,
    /// [`Stage::Partial`]: the text of that stage broke off. Results about the text before stay valid.
    Partial(Stage),
    /// [`Stage::Partial`] for another reason: the text of that stage is in doubt.
    Doubtful(Stage, Doubt),
    /// [`Stage::Kept`], after an unusable revision.
    Kept,
    /// [`Stage::ScenePlan`] with the number of scenes.
    Planned(u32),
    /// [`Stage::Scene`]: one more scene of the text.
    Scene,
    /// [`Stage::Rollback`] to that number of scenes; with none, the plan goes too.
    Back(u32),
    Summary,
    Refined,
    Polished,
    /// A judge's report; `second` for the second judge of a key chapter.
    Judged {
        second: bool,
        evaluation: Box<Evaluation>,
    },
    Decided(Decision),
}

#[derive(Debug, Clone, PartialEq)]
pub enum Next {
    /// Calls that need only existing results, so they may run in parallel.
    Run(Vec<Stage>),
    /// The text is final and becomes a commit of the book.
    Accept(Gate),
    /// The chapter waits for the author's decision.
    Wait(Pause),
}

/// Why a chapter waits, and the author's choices, the recommended one first.
#[derive(Debug, Clone, PartialEq)]
pub struct Pause {
    /// `None` for a text that is not judged.
    pub overall: Option<f64>,
    pub blocking: usize,
    /// True for a revision that has passed and that the author wants to see first.
    pub held: bool,
    pub options: Vec<Decision>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Partial {
    /// The stage that wrote the text and continues it.
    pub stage: Stage,
    /// True when the author has changed the text since.
    pub touched: bool,
    /// True when the author has given the text an end: it is the chapter's text, unless the author wants it continued.
    pub closed: bool,
    /// The reason why the text waits for the author; `None` for one that broke off and is continued.
    pub doubt: Option<Doubt>,
}

/// The fold of a draft's records.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Progress {
    /// The stage that wrote the present text.
    pub text: Option<Stage>,
    /// The text that broke off; one that the author has ended stays here until its summary.
    pub partial: Option<Partial>,
    /// `None` for a text written as a whole.
    pub scenes: Option<Scenes>,
    /// The number of scenes when the author changed the text.
    pub hand: Option<u32>,
    /// Summary and delta fit the present text.
    pub summarized: bool,
    /// The present text is refined, or must not be because it is the author's.
    pub refined: bool,
    /// The gate's second polish is done.
    pub polished: bool,
    /// The first judge's report on the present text.
    pub first: Option<Evaluation>,
    /// The second judge's report on the present text.
    pub second: Option<Evaluation>,
    pub tries: Tries,
    /// The author's decision on the present text.
    pub decision: Option<Decision>,
    /// A text that passes waits for the author.
    pub held: bool,
}

impl Progress {
    /// Reads the records from the first to the last.
    pub fn of<'a>(records: impl IntoIterator<Item = &'a Record>) -> Self {
        records.into_iter().fold(Self::default(), Self::after)
    }

    #[must_use]
    pub fn after(self, record: &Record) -> Self {
        match record {
            Record::Touched if self.unfinished().is_some() => {
                Self { partial: self.partial.map(|partial| Partial { touched: true, ..partial }), ..self }
            }
            Record::Text(Stage::Edit) if self.unfinished().is_some() => self.closed(),
            // The author may work on a text that lacks scenes.
            Record::Text(Stage::Edit) | Record::Touched => {
                let hand = self.hand.or(Some(self.scenes.map_or(0, |scenes| scenes.written)));
                Self { scenes: self.scenes, partial: self.partial, ..self.with_text(Stage::Edit, hand) }
            }
            Record::Text(stage) => {
                let tries = Tries {
                    revisions: self.tries.revisions + u32::from(*stage == Stage::Revise),
                    rewrites: self.tries.rewrites + u32::from(*stage == Stage::Rewrite),
                    futile: false,
                };
                let hand = self.partial.filter(|partial| partial.touched).map(|_| 0);
                Self { tries, ..self.with_text(*stage, hand) }
            }
            Record::Partial(stage) => {
                let touched = self.unfinished().is_some_and(|partial| partial.touched);
                Self { partial: Some(Partial { stage: *stage, touched, closed: false, doubt: None }), ..self }
            }
            Record::Doubtful(stage, doubt) => {
                let begun = self.after(&Record::Partial(*stage));
                Self { partial: begun.partial.map(|partial| Partial { doubt: Some(*doubt), ..partial }), ..begun }
            }
            Record::Kept => {
                let futile = self.hand.is_none();
                let tries = Tries { revisions: self.tries.revisions + 1, futile, ..self.tries };
                Self { tries, partial: None, decision: None, ..self }
            }
            Record::Planned(planned) => Self { scenes: Some(Scenes { written: 0, planned: *planned }), ..self.anew() },
            Record::Scene => {
                let next = |scenes: Scenes| Scenes { written: scenes.planned.min(scenes.written + 1), ..scenes };
                let written = self.scenes.map_or(0, |scenes| scenes.written);
                let hand = self.hand.or(self.partial.filter(|partial| partial.touched).map(|_| written));
                Self { scenes: self.scenes.map(next), ..self.with_text(Stage::Scene, hand) }
            }
            Record::Back(0) => self.anew(),
            Record::Back(kept) => {
                let back = |scenes: Scenes| Scenes { written: scenes.written.min(*kept), ..scenes };
                let hand = self.hand.filter(|at| at <= kept);
                Self { scenes: self.scenes.map(back), ..self.with_text(Stage::Scene, hand) }
            }
            Record::Summary => Self { summarized: true, partial: self.unfinished(), ..self },
            Record::Refined => Self { refined: true, ..self },
            Record::Polished => Self { polished: true, ..self },
            Record::Judged { second: false, evaluation } => Self { first: Some((**evaluation).clone()), ..self },
            Record::Judged { second: true, evaluation } => Self { second: Some((**evaluation).clone()), ..self },
            // Complete reports stand.
            Record::Decided(Decision::Judge) => {
                let complete = |report: Option<Evaluation>| report.filter(Evaluation::is_complete);
                Self { first: complete(self.first), second: complete(self.second), decision: None, ..self }
            }
            Record::Decided(Decision::Hold) => Self { held: true, ..self },
            Record::Decided(Decision::Before) if self.unfinished().is_some() => {
                Self { partial: None, decision: Some(Decision::Accept), ..self }
            }
            Record::Decided(Decision::Continue) => self.opened(),
            Record::Decided(Decision::Rewrite) if self.partial.is_some() => self.discarded(),
            Record::Decided(Decision::Cut) if self.unfinished().is_some() => self.taken(),
            Record::Decided(Decision::Accept) if self.unfinished().is_some() => {
                let taken = self.taken();
                // The chapter goes on behind a scene.
                let is_whole = taken.text != Some(Stage::Scene);
                let decision = is_whole.then_some(Decision::Accept);
                Self { decision, refined: taken.refined || is_whole, ..taken }
            }
            Record::Decided(decision) => Self { decision: Some(*decision), ..self },
        }
    }

    /// The text that broke off and is to be continued.
    pub fn unfinished(&self) -> Option<Partial> {
        self.partial.filter(|partial| !partial.closed)
    }

    /// The author has ended the unfinished text.
    fn closed(self) -> Self {
        let of_scene = self.partial.is_some_and(|partial| partial.stage == Stage::Scene);
        let written = self.scenes.map_or(0, |scenes| scenes.written);
        let scenes = self.scenes.map(|scenes| match of_scene {
            true => Scenes { written: scenes.planned.min(scenes.written + 1), ..scenes },
            false => scenes,
        });
        let partial = self.partial.map(|partial| Partial { touched: true, closed: true, ..partial });
        Self { scenes, partial, ..self.with_text(Stage::Edit, self.hand.or(Some(written))) }
    }

    /// The author takes the unfinished text as it is.
    fn taken(self) -> Self {
        let record = match self.partial.map(|partial| partial.stage) {
            Some(Stage::Scene) | None => Record::Scene,
            Some(stage) => Record::Text(stage),
        };
        self.after(&record)
    }

    fn opened(self) -> Self {
        let Some(partial) = self.partial.filter(|partial| partial.closed) else { return self };
        let back = |scenes: Scenes| Scenes { written: scenes.written.saturating_sub(1), ..scenes };
        let scenes = if partial.stage == Stage::Scene { self.scenes.map(back) } else { self.scenes };
        Self { scenes, partial: Some(Partial { closed: false, ..partial }), ..self }
    }

    /// Drops the unfinished text: the text before, if any, stands.
    fn discarded(self) -> Self {
        let was_closed = self.partial.is_some_and(|partial| partial.closed);
        let stage = self.partial.map(|partial| partial.stage);
        let before = self.opened();
        let text = match stage {
            Some(Stage::Draft) => None,
            Some(Stage::Scene) if before.scenes.is_none_or(|scenes| scenes.written == 0) => None,
            Some(Stage::Scene) if was_closed => Some(Stage::Scene),
            _ => before.text,
        };
        Self { text, partial: None, ..before }
    }

    /// The progress with another text, without results.
    fn with_text(&self, text: Stage, hand: Option<u32>) -> Self {
        let tries = Tries { futile: false, ..self.tries };
        Self { text: Some(text), hand, refined: hand.is_some(), tries, ..self.anew() }
    }

    /// The progress of an empty draft, with the properties that a run has set for the draft as a whole.
    fn anew(&self) -> Self {
        Self { held: self.held, ..Self::default() }
    }

    /// The existing results on the present text.
    pub fn done(&self) -> Vec<Stage> {
        let results = [
            (Some(Stage::Partial), self.unfinished().is_some()),
            (Some(Stage::ScenePlan), self.scenes.is_some()),
            (Some(Stage::Scene), self.scenes.is_some_and(|scenes| scenes.written > 0)),
            (self.text.filter(|text| *text != Stage::Scene), true),
            (Some(Stage::Summarize), self.summarized),
            (Some(Stage::Refine), self.refined && self.hand.is_none()),
            (Some(Stage::Judge), self.first.is_some()),
            (Some(Stage::SecondJudge), self.second.is_some()),
            (Some(Stage::Polish), self.polished),
        ];
        results.into_iter().filter_map(|(stage, there)| stage.filter(|_| there)).collect()
    }

    /// The report that counts: the stricter of two judges', or the only one.
    pub fn verdict(&self) -> Option<Evaluation> {
        match (self.first.clone(), self.second.clone()) {
            (Some(first), Some(second)) => Some(first.stricter(second)),
            (first, second) => first.or(second),
        }
    }

    pub fn next(&self, mode: Mode, borders: &Thresholds) -> Next {
        let next = self.next_by_gate(mode, borders);
        match (&next, self.decision, self.verdict()) {
            (Next::Accept(_), Some(Decision::Revise), _) if self.held => Next::Run(vec![Stage::Revise]),
            (Next::Accept(_), Some(Decision::Accept), _) => next,
            (Next::Accept(_), _, Some(verdict)) if self.held => Next::Wait(Pause::held(&verdict)),
            _ => next,
        }
    }

    fn next_by_gate(&self, mode: Mode, borders: &Thresholds) -> Next {
        match self.unfinished() {
            Some(Partial { doubt: Some(doubt), .. }) => return Next::Wait(Pause::of_doubt(doubt)),
            Some(Partial { stage, .. }) => return Next::Run(vec![stage]),
            None => {}
        }
        match (self.scenes, self.text) {
            // A text that lacks scenes is not summarised.
            (Some(scenes), _) if scenes.are_open() => return Next::Run(vec![Stage::Scene]),
            (None, None) if mode.by_scenes => return Next::Run(vec![Stage::ScenePlan]),
            (_, None) => return Next::Run(vec![Stage::Draft]),
            (_, Some(_)) => {}
        }
        if self.decision == Some(Decision::Rewrite) {
            // A text that will be thrown away need not be summarised, even if the author has worked on it.
            return Next::Run(vec![Stage::Rewrite]);
        }
        if self.decision == Some(Decision::Revise) && self.verdict().is_none() {
            // Parts of an accepted chapter are to be mended: reports on its old text do not matter.
            return Next::Run(vec![Stage::Revise]);
        }
        let missing: Vec<Stage> = [(Stage::Summarize, self.summarized), (Stage::Refine, self.refined)]
            .into_iter()
            .filter_map(|(stage, done)| (!done).then_some(stage))
            .collect();
        if !missing.is_empty() {
            return Next::Run(missing);
        }
        let judges = [(Stage::Judge, self.first.is_some()), (Stage::SecondJudge, self.second.is_some() || !mode.key)];
        let missing: Vec<Stage> = judges.into_iter().filter_map(|(stage, done)| (!done).then_some(stage)).collect();
        let Some(verdict) = self.verdict().filter(|_| missing.is_empty()) else {
            // The author's word takes the place of a judge who gives no report.
            return if self.decision == Some(Decision::AcceptUnjudged) {
                Next::Accept(Gate::AuthorPass)
            } else {
                Next::Run(missing)
            };
        };
        if self.polished {
            return Next::Accept(Gate::Polish);
        }
        let is_authors = self.hand.is_some();
        match (chapter::decide(&verdict, self.tries, borders), self.decision) {
            (Gate::Pause | Gate::Revise | Gate::Polish | Gate::Rewrite, Some(Decision::Accept))
                if verdict.overall() >= borders.pause || is_authors =>
            {
                Next::Accept(Gate::AuthorPass)
            }
            (Gate::Pause | Gate::Rewrite, Some(Decision::Revise)) => Next::Run(vec![Stage::Revise]),
            (Gate::Pause, _) | (Gate::Rewrite, Some(Decision::Accept)) => Next::Wait(self.pause(&verdict, borders)),
            // The gate alone changes no text that the author has worked on.
            (Gate::Polish, _) if is_authors => Next::Accept(Gate::AuthorPass),
            (Gate::Revise | Gate::Rewrite, decision) if is_authors && decision != Some(Decision::Revise) => {
                Next::Wait(self.pause(&verdict, borders))
            }
            (Gate::Polish, _) => Next::Run(vec![Stage::Polish]),
            (Gate::Revise, _) => Next::Run(vec![Stage::Revise]),
            (Gate::Rewrite, _) => Next::Run(vec![Stage::Rewrite]),
            (accept, _) => Next::Accept(accept),
        }
    }

    /// The pause of a judged text. Only the author's own may be accepted whatever its score, and its first choice leaves it as it is.
    fn pause(&self, verdict: &Evaluation, borders: &Thresholds) -> Pause {
        let mut pause = Pause::of(verdict, self.tries, borders);
        if self.hand.is_some() && verdict.is_complete() {
            let may_pass = pause.options.contains(&Decision::Accept);
            let own = if may_pass { Decision::Accept } else { Decision::Edit };
            pause.options.extend((!may_pass).then_some(Decision::Accept));
            pause.options.sort_by_key(|option| *option != own);
        }
        pause
    }

    /// The stage for the checkpoint of the draft branch.
    pub fn pipeline_stage(&self, next: &Next) -> PipelineStage {
        match (self.text, next) {
            _ if self.unfinished().is_some_and(|partial| matches!(partial.stage, Stage::Revise | Stage::Rewrite)) => {
                PipelineStage::Revising
            }
            _ if self.unfinished().is_some() => PipelineStage::Drafting,
            (None, _) => PipelineStage::Drafting,
            _ if self.scenes.is_some_and(Scenes::are_open) => PipelineStage::Drafting,
            (_, Next::Run(stages)) if matches!(stages[..], [Stage::Revise | Stage::Rewrite | Stage::Polish]) => {
                PipelineStage::Revising
            }
            _ if self.verdict().is_some() => PipelineStage::Judged,
            _ if self.refined && self.summarized => PipelineStage::Refined,
            _ if self.summarized => PipelineStage::Drafted,
            _ => PipelineStage::Drafting,
        }
    }
}

impl Doubt {
    /// The author's choices, the recommended one first.
    pub fn options(self) -> Vec<Decision> {
        match self {
            Self::Long => vec![Decision::Cut, Decision::Rewrite, Decision::Accept, Decision::Edit],
            Self::Language | Self::Task => vec![Decision::Rewrite, Decision::Accept, Decision::Edit],
        }
    }
}

impl Pause {
    fn of(verdict: &Evaluation, tries: Tries, borders: &Thresholds) -> Self {
        let overall = verdict.overall();
        let again = (!verdict.is_complete()).then_some(Decision::Judge);
        let options = if overall < borders.pause {
            vec![Decision::Rewrite, Decision::Edit]
        } else if tries.revisions >= borders.max_revisions {
            vec![Decision::Edit, Decision::Rewrite, Decision::Accept]
        } else {
            vec![Decision::Revise, Decision::Edit, Decision::Rewrite, Decision::Accept]
        };
        let options = again.into_iter().chain(options).collect();
        Self { overall: Some(overall), blocking: verdict.blocking().count(), held: false, options }
    }

    fn of_doubt(doubt: Doubt) -> Self {
        Self { overall: None, blocking: 0, held: false, options: doubt.options() }
    }

    fn held(verdict: &Evaluation) -> Self {
        let options = vec![Decision::Accept, Decision::Revise, Decision::Edit];
        Self { overall: Some(verdict.overall()), blocking: verdict.blocking().count(), held: true, options }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::chapter::evaluation::tests::flat;
    use proptest::prelude::*;

    fn judged(score: f64) -> Record {
        Record::Judged { second: false, evaluation: Box::new(flat(score)) }
    }

    fn next(records: &[Record], key: bool) -> Next {
        Progress::of(records).next(Mode { key, by_scenes: false }, &Thresholds::default())
    }

    use Record::{Back, Decided, Kept, Planned, Polished, Refined, Scene, Summary, Text, Touched};

    #[test]
    fn an_unfinished_text_is_continued_and_reaches_nothing_else() {
        let judged_text = [Text(Stage::Draft), Summary, Refined, judged(3.2)];
        for (before, stage) in [
            (&[][..], Stage::Draft),
            (&[Planned(2), Scene], Stage::Scene),
            (&judged_text, Stage::Revise),
            (&[Text(Stage::Draft), Summary, Refined, judged(1.5)], Stage::Rewrite),
        ] {
            let with = |records: &[Record]| {
                let records = [before, &[Record::Partial(stage)], records].concat();
                (next(&records, false), Progress::of(&records))
            };
            let again = Next::Run(vec![stage]);
            for records in [
                &[][..],
                &[Touched],
                &[Record::Partial(stage), Touched],
                &[Decided(Decision::Continue)],
                &[Text(Stage::Edit), Decided(Decision::Continue)],
                &[Decided(Decision::Rewrite)],
                &[Text(Stage::Edit), Decided(Decision::Rewrite)],
            ] {
                let (next, progress) = with(records);
                if stage == Stage::Revise && matches!(records, [Text(_), Decided(Decision::Rewrite)]) {
                    // Its reports went with the author's end; the text before it is judged again.
                    assert_eq!(next, Next::Run(vec![Stage::Summarize]), "{records:?}");
                } else if stage != Stage::Rewrite || !matches!(records, [Text(_), Decided(Decision::Rewrite)]) {
                    assert_eq!(next, again, "{stage} {records:?} {progress:?}");
                }
            }
            let (ended, progress) = with(&[Text(Stage::Edit)]);
            let whole = progress.scenes.is_none_or(|scenes| !scenes.are_open());
            assert_eq!((ended, whole), (Next::Run(vec![Stage::Summarize]), true), "the author's end makes it a text");
            let (_, touched) = with(&[Touched, if stage == Stage::Scene { Scene } else { Text(stage) }]);
            assert!(touched.hand.is_some() && touched.partial.is_none(), "the author's words are not refined");
        }
    }

    #[test]
    fn a_text_in_doubt_waits_and_is_the_chapters_at_the_authors_word() {
        for &doubt in Doubt::ALL {
            let doubted = [Record::Doubtful(Stage::Draft, doubt)];
            let Next::Wait(pause) = next(&doubted, false) else { panic!("{doubt}") };
            assert_eq!((pause.overall, pause.options), (None, doubt.options()));
            let with = |records: &[Record]| next(&[&doubted[..], records].concat(), false);
            assert!(matches!(with(&[Touched]), Next::Wait(_)), "a change further up decides nothing");
            assert_eq!(with(&[Decided(Decision::Rewrite)]), Next::Run(vec![Stage::Draft]));
            assert_eq!(with(&[Decided(Decision::Cut)]), Next::Run(vec![Stage::Summarize, Stage::Refine]));
            assert_eq!(with(&[Decided(Decision::Accept)]), Next::Run(vec![Stage::Summarize]), "it stays as it is");
            let judged = |score| with(&[Decided(Decision::Accept), Summary, judged(score)]);
            for score in [2.4, 3.2, 3.7] {
                assert_eq!(judged(score), Next::Accept(Gate::AuthorPass), "{score}");
            }
            assert!(matches!(judged(1.5), Next::Wait(_)), "no text is written anew in its place");
            assert_eq!(with(&[Text(Stage::Edit)]), Next::Run(vec![Stage::Summarize]), "the author's own text");
        }
        let scene = [Planned(2), Record::Doubtful(Stage::Scene, Doubt::Long), Decided(Decision::Accept)];
        assert_eq!(next(&scene, false), Next::Run(vec![Stage::Scene]));
        let short = [Record::Partial(Stage::Draft), Decided(Decision::Accept)];
        assert_eq!(next(&short, false), Next::Run(vec![Stage::Summarize]));
    }

    #[test]
    fn the_gate_alone_changes_no_text_that_the_author_has_worked_on() {
        let edited = |score, more: &[Record]| {
            next(&[&[Text(Stage::Draft), Summary, Refined, Touched, Summary, judged(score)], more].concat(), false)
        };
        for (score, first) in [(3.2, Decision::Accept), (2.4, Decision::Accept), (1.5, Decision::Edit)] {
            let Next::Wait(pause) = edited(score, &[]) else { panic!("{score}: {:?}", edited(score, &[])) };
            assert_eq!(pause.options[0], first, "{score}");
            assert_eq!(edited(score, &[Decided(Decision::Accept)]), Next::Accept(Gate::AuthorPass), "{score}");
            assert_eq!(edited(score, &[Decided(Decision::Revise)]), Next::Run(vec![Stage::Revise]));
            assert_eq!(edited(score, &[Decided(Decision::Rewrite)]), Next::Run(vec![Stage::Rewrite]));
        }
        assert_eq!(edited(3.7, &[]), Next::Accept(Gate::AuthorPass), "no polish");
        assert_eq!(edited(4.2, &[]), Next::Accept(Gate::Pass));
    }

    #[test]
    fn the_author_may_stand_in_for_a_judge_who_gives_no_report() {
        let unjudged = [Text(Stage::Draft), Summary, Refined, Decided(Decision::AcceptUnjudged)];
        assert_eq!(next(&unjudged, false), Next::Accept(Gate::AuthorPass));
        let second = [&unjudged[..3], &[judged(4.2), Decided(Decision::AcceptUnjudged)]].concat();
        assert_eq!(next(&second, true), Next::Accept(Gate::AuthorPass));
        let changed = [&unjudged[..], &[Touched]].concat();
        assert_eq!(next(&changed, false), Next::Run(vec![Stage::Summarize]), "another text is judged");
    }

    #[test]
    fn a_revision_that_cannot_be_used_costs_neither_a_second_one_nor_a_second_judge() {
        let judged_text = |text| vec![Text(text), Summary, Refined, judged(3.2), Kept];
        assert_eq!(next(&judged_text(Stage::Draft), false), Next::Accept(Gate::ForcePass));
        assert!(matches!(next(&judged_text(Stage::Edit), false), Next::Wait(_)), "the author's own text");
        let other = [judged_text(Stage::Draft), vec![Text(Stage::Rewrite), Summary, Refined, judged(3.2)]].concat();
        assert_eq!(next(&other, false), Next::Run(vec![Stage::Revise]), "another text");
        let asked = [Text(Stage::Draft), Summary, Refined, judged(2.4), Decided(Decision::Revise), Kept];
        assert!(matches!(next(&asked, false), Next::Wait(_)), "the author is asked again");
    }

    #[test]
    fn a_held_revision_waits_although_it_passes_and_goes_on_at_the_authors_word() {
        let passed = [Summary, Refined, judged(4.5)];
        let begun = [Text(Stage::Edit), Decided(Decision::Hold), Decided(Decision::Revise)];
        assert_eq!(next(&begun, false), Next::Run(vec![Stage::Revise]));
        let revised = [&begun[..], &[Text(Stage::Revise)], &passed].concat();
        let Next::Wait(pause) = next(&revised, false) else { panic!("{:?}", next(&revised, false)) };
        assert!(pause.held && pause.options[0] == Decision::Accept);
        let with = |decision| next(&[&revised[..], &[Decided(decision)]].concat(), false);
        assert_eq!(with(Decision::Accept), Next::Accept(Gate::Pass));
        assert_eq!(with(Decision::Revise), Next::Run(vec![Stage::Revise]));
        // Another revision is held as well.
        let again = [&revised[..], &[Decided(Decision::Revise), Text(Stage::Revise)], &passed].concat();
        assert!(matches!(next(&again, false), Next::Wait(Pause { held: true, .. })));
    }

    #[test]
    fn a_chapter_in_scenes_is_summarised_when_the_last_one_is_there() {
        let by_scenes = Mode { key: false, by_scenes: true };
        let next_of = |records: &[Record]| Progress::of(records).next(by_scenes, &Thresholds::default());
        assert_eq!(next_of(&[]), Next::Run(vec![Stage::ScenePlan]));
        let mut records = vec![Planned(2)];
        // Once there is a plan, the settings of the next run make no difference.
        assert_eq!(next(&records, false), Next::Run(vec![Stage::Scene]));
        records.push(Scene);
        assert_eq!(next(&records, false), Next::Run(vec![Stage::Scene]));
        records.push(Text(Stage::Edit));
        assert_eq!(next(&records, false), Next::Run(vec![Stage::Scene]), "an edited text still lacks a scene");
        assert_eq!(Progress::of(&records).done(), [Stage::ScenePlan, Stage::Scene, Stage::Edit]);
        assert_eq!(Progress::of(&records).pipeline_stage(&next(&records, false)), PipelineStage::Drafting);
        records.push(Scene);
        assert_eq!(next(&records, false), Next::Run(vec![Stage::Summarize]), "the author's words are not refined");
        assert_eq!(Progress::of(&records).done(), [Stage::ScenePlan, Stage::Scene]);
        assert_eq!(next(&[Planned(1), Scene], false), Next::Run(vec![Stage::Summarize, Stage::Refine]));
        // A draft that was begun as a whole goes on as one.
        assert_eq!(next_of(&[Text(Stage::Draft), Summary]), Next::Run(vec![Stage::Refine]));
        assert_eq!(next_of(&[Planned(2), Scene, Scene, Text(Stage::Rewrite), Summary]), Next::Run(vec![Stage::Refine]));
    }

    #[test]
    fn going_back_to_a_scene_drops_what_came_after_it() {
        let whole = [Planned(3), Scene, Scene, Text(Stage::Edit), Scene, Summary, judged(4.2)];
        let back = |kept| Progress::of(whole.iter().chain([&Back(kept)]));
        let scenes = |written| Some(Scenes { written, planned: 3 });
        assert_eq!((back(1).scenes, back(1).hand), (scenes(1), None), "the author had no hand in the first scene");
        assert_eq!((back(2).scenes, back(2).hand), (scenes(2), Some(2)));
        assert!(!back(3).summarized && back(3).first.is_none() && back(3).refined);
        assert_eq!(
            back(0).next(Mode { by_scenes: true, ..Mode::default() }, &Thresholds::default()),
            Next::Run(vec![Stage::ScenePlan])
        );
        assert_eq!(back(1).next(Mode::default(), &Thresholds::default()), Next::Run(vec![Stage::Scene]));
    }

    #[test]
    fn a_chapter_that_passes_takes_four_calls() {
        let mut records = Vec::new();
        assert_eq!(next(&records, false), Next::Run(vec![Stage::Draft]));
        records.push(Text(Stage::Draft));
        assert_eq!(next(&records, false), Next::Run(vec![Stage::Summarize, Stage::Refine]));
        records.push(Refined);
        assert_eq!(next(&records, false), Next::Run(vec![Stage::Summarize]));
        records.push(Summary);
        assert_eq!(next(&records, false), Next::Run(vec![Stage::Judge]));
        records.push(judged(4.2));
        assert_eq!(next(&records, false), Next::Accept(Gate::Pass));
    }

    #[test]
    fn a_key_chapter_waits_for_both_judges_and_the_lower_counts() {
        let mut records = vec![Text(Stage::Draft), Summary, Refined];
        assert_eq!(next(&records, true), Next::Run(vec![Stage::Judge, Stage::SecondJudge]));
        records.push(Record::Judged { second: true, evaluation: Box::new(flat(3.2)) });
        assert_eq!(next(&records, true), Next::Run(vec![Stage::Judge]));
        records.push(judged(4.5));
        assert_eq!(next(&records, true), Next::Run(vec![Stage::Revise]));
    }

    #[test]
    fn a_polished_chapter_is_accepted_without_another_judge() {
        let records = [Text(Stage::Draft), Summary, Refined, judged(3.7)];
        assert_eq!(next(&records, false), Next::Run(vec![Stage::Polish]));
        let mut records = records.to_vec();
        records.push(Polished);
        assert_eq!(next(&records, false), Next::Accept(Gate::Polish));
    }

    #[test]
    fn two_revisions_then_force_passed_or_pause() {
        let round = |stage, score| [Text(stage), Summary, Refined, judged(score)];
        let mut records: Vec<Record> = Vec::new();
        records.extend(round(Stage::Draft, 3.1));
        assert_eq!(next(&records, false), Next::Run(vec![Stage::Revise]));
        records.extend(round(Stage::Revise, 3.2));
        assert_eq!(next(&records, false), Next::Run(vec![Stage::Revise]));
        let mut worse = records.clone();
        records.extend(round(Stage::Revise, 3.3));
        assert_eq!(next(&records, false), Next::Accept(Gate::ForcePass));
        worse.extend(round(Stage::Revise, 2.5));
        let Next::Wait(pause) = next(&worse, false) else { panic!() };
        assert!(pause.options.contains(&Decision::Accept) && !pause.options.contains(&Decision::Revise));
    }

    #[test]
    fn the_author_decides_on_a_paused_chapter() {
        let paused = [Text(Stage::Draft), Summary, Refined, judged(2.4)];
        assert!(matches!(next(&paused, false), Next::Wait(_)));
        let with = |decision| {
            let mut records = paused.to_vec();
            records.push(Decided(decision));
            records
        };
        assert_eq!(next(&with(Decision::Accept), false), Next::Accept(Gate::AuthorPass));
        assert_eq!(next(&with(Decision::Revise), false), Next::Run(vec![Stage::Revise]));
        assert_eq!(next(&with(Decision::Rewrite), false), Next::Run(vec![Stage::Rewrite]));
        let worked_on = [paused.to_vec(), vec![Text(Stage::Edit), Decided(Decision::Rewrite)]].concat();
        assert_eq!(next(&worked_on, false), Next::Run(vec![Stage::Rewrite]));
        let mut edited = with(Decision::Edit);
        edited.push(Text(Stage::Edit));
        assert_eq!(next(&edited, false), Next::Run(vec![Stage::Summarize]), "the author's words are not refined");
        edited.extend([Summary, judged(4.0)]);
        assert_eq!(next(&edited, false), Next::Accept(Gate::Pass));
    }

    #[test]
    fn a_report_that_leaves_out_hard_rules_is_asked_of_the_author_and_may_be_made_again() {
        use crate::domain::chapter::evaluation::{Check, Confidence, Finding};
        use crate::domain::world::contract::{Layer, Strength};
        let silent = Check {
            rule: "W-001".into(),
            layer: Layer::World,
            strength: Strength::Hard,
            finding: Finding::NotChecked,
            confidence: Confidence::Low,
            detail: String::new(),
            evidence: String::new(),
            evidence_found: false,
        };
        let empty = |second| {
            let evaluation = Evaluation { checks: vec![silent.clone()], ..flat(4.6) };
            Record::Judged { second, evaluation: Box::new(evaluation) }
        };
        let text = [Text(Stage::Draft), Summary, Refined];
        let alone = [&text[..], &[empty(false)]].concat();
        let Next::Wait(pause) = next(&alone, false) else { panic!() };
        let all = [Decision::Judge, Decision::Revise, Decision::Edit, Decision::Rewrite, Decision::Accept];
        assert_eq!(pause.options, all);
        let decided = |records: &[Record], decision| [records, &[Decided(decision)]].concat();
        assert_eq!(next(&decided(&alone, Decision::Accept), false), Next::Accept(Gate::AuthorPass));
        assert_eq!(next(&decided(&alone, Decision::Judge), false), Next::Run(vec![Stage::Judge]));
        let again = [decided(&alone, Decision::Judge), vec![judged(4.6)]].concat();
        assert_eq!(next(&again, false), Next::Accept(Gate::Pass));
        // Of two judges only the one who left rules out is asked again.
        let both = [&text[..], &[judged(4.6), empty(true)]].concat();
        assert!(matches!(next(&both, true), Next::Wait(_)));
        assert_eq!(next(&decided(&both, Decision::Judge), true), Next::Run(vec![Stage::SecondJudge]));
    }

    #[test]
    fn below_the_last_border_a_chapter_is_written_again_and_never_accepted() {
        let mut records = vec![Text(Stage::Draft), Summary, Refined, judged(1.5)];
        assert_eq!(next(&records, false), Next::Run(vec![Stage::Rewrite]));
        records.extend([Text(Stage::Rewrite), Summary, Refined, judged(1.5), Decided(Decision::Accept)]);
        let Next::Wait(pause) = next(&records, false) else { panic!() };
        assert_eq!(pause.options, [Decision::Rewrite, Decision::Edit]);
    }

    fn any_record() -> impl Strategy<Value = Record> {
        prop_oneof![
            prop::sample::select(vec![Stage::Draft, Stage::Revise, Stage::Rewrite, Stage::Edit]).prop_map(Text),
            prop::sample::select(vec![Stage::Draft, Stage::Scene, Stage::Revise, Stage::Rewrite])
                .prop_map(Record::Partial),
            (
                prop::sample::select(vec![Stage::Draft, Stage::Scene, Stage::Rewrite]),
                prop::sample::select(Doubt::ALL.to_vec())
            )
                .prop_map(|(stage, doubt)| Record::Doubtful(stage, doubt)),
            Just(Touched),
            Just(Kept),
            (0u32..7).prop_map(Planned),
            Just(Scene),
            (0u32..7).prop_map(Back),
            Just(Summary),
            Just(Refined),
            Just(Polished),
            (1.0f64..=5.0, any::<bool>())
                .prop_map(|(score, second)| Record::Judged { second, evaluation: Box::new(flat(score)) }),
            prop::sample::select(Decision::ALL.to_vec()).prop_map(Decided),
        ]
    }

    proptest! {
        /// From any history, doing what is asked leads to acceptance or to a question, in a bounded number of steps.
        #[test]
        fn every_run_ends(
            history in prop::collection::vec(any_record(), 0..12),
            scores in prop::collection::vec(1.0f64..=5.0, 1..8),
            (key, by_scenes) in any::<(bool, bool)>(),
        ) {
            let mut progress = Progress::of(&history);
            let mut scores = scores.into_iter().cycle();
            for _ in 0..60 {
                let stages = match progress.next(Mode { key, by_scenes }, &Thresholds::default()) {
                    Next::Run(stages) => stages,
                    Next::Accept(_) | Next::Wait(_) => return Ok(()),
                };
                prop_assert!(!stages.is_empty());
                for stage in stages {
                    let evaluation = Box::new(flat(scores.next().unwrap()));
                    let record = match stage {
                        Stage::ScenePlan => Planned(3),
                        Stage::Scene => Scene,
                        Stage::Summarize => Summary,
                        Stage::Refine => Refined,
                        Stage::Polish => Polished,
                        Stage::Judge => Record::Judged { second: false, evaluation },
                        Stage::SecondJudge => Record::Judged { second: true, evaluation },
                        text => Text(text),
                    };
                    progress = progress.after(&record);
                }
            }
            prop_assert!(false, "the run does not end: {progress:?}");
        }
    }

    #[test]
    fn the_author_s_hand_in_a_whole_text_starts_its_results_anew() {
        let whole = [Text(Stage::Draft), Summary, Refined, judged(4.2), Touched];
        let progress = Progress::of(&whole);
        assert_eq!((progress.text, progress.hand), (Some(Stage::Edit), Some(0)));
        assert_eq!(next(&whole, false), Next::Run(vec![Stage::Summarize]), "the author's words are not refined");
    }

    #[test]
    fn an_end_by_the_author_is_one_scene_and_open_until_its_summary() {
        let ended = [Planned(3), Record::Partial(Stage::Scene), Text(Stage::Edit)];
        let again = Progress::of(ended.iter().chain([&Text(Stage::Edit)]));
        assert_eq!(again.scenes, Some(Scenes { written: 1, planned: 3 }), "a second edit is no second scene");
        let draft = [Record::Partial(Stage::Draft), Text(Stage::Edit), Text(Stage::Edit)];
        let with = |records: &[Record]| next(&[&draft[..], records].concat(), false);
        assert_eq!(with(&[Decided(Decision::Continue)]), Next::Run(vec![Stage::Draft]));
        assert_eq!(
            with(&[Summary, Decided(Decision::Continue)]),
            Next::Run(vec![Stage::Judge]),
            "it is a text by then"
        );
        let continued = with(&[Decided(Decision::Continue), Text(Stage::Draft), Summary]);
        assert_eq!(continued, Next::Run(vec![Stage::Judge]), "the author's words in it are not refined");
    }

    #[test]
    fn a_revision_put_aside_leaves_nothing_unfinished() {
        let broken_off = [Record::Partial(Stage::Revise), Kept];
        let records = [&[Text(Stage::Draft), Summary, Refined, judged(3.2)][..], &broken_off].concat();
        assert_eq!(next(&records, false), Next::Accept(Gate::ForcePass));
    }

    #[test]
    fn a_scene_put_aside_leaves_the_text_before_it() {
        let text = |records: &[Record]| Progress::of(records.iter().chain([&Decided(Decision::Rewrite)])).text;
        let broken_off = Record::Partial(Stage::Scene);
        assert_eq!(text(&[Planned(2), broken_off.clone()]), None);
        assert_eq!(text(&[Planned(2), broken_off.clone(), Text(Stage::Edit)]), None);
        assert_eq!(text(&[Planned(2), Scene, broken_off.clone()]), Some(Stage::Scene));
        assert_eq!(text(&[Planned(2), Scene, broken_off.clone(), Text(Stage::Edit)]), Some(Stage::Scene));
        assert_eq!(text(&[Planned(2), Scene, Text(Stage::Edit), broken_off]), Some(Stage::Edit));
    }

    #[test]
    fn revisions_count_across_the_author_s_edits_and_a_new_report_asks_anew() {
        let round = |stage, score| [Text(stage), Summary, Refined, judged(score)];
        let revised = [round(Stage::Draft, 3.1), round(Stage::Revise, 3.1), round(Stage::Revise, 3.1)].concat();
        let records = [&revised[..], &[Text(Stage::Edit), Summary, judged(2.5)]].concat();
        let Next::Wait(pause) = next(&records, false) else { panic!() };
        assert!(!pause.options.contains(&Decision::Revise));
        let asked = [&round(Stage::Draft, 2.5)[..], &[Decided(Decision::Revise), Decided(Decision::Judge)]].concat();
        let again = [asked, vec![judged(2.4)]].concat();
        assert!(matches!(next(&again, false), Next::Wait(_)), "the word was about the report before");
    }

    #[test]
    fn a_score_on_the_last_border_may_still_be_accepted() {
        let Next::Wait(pause) = next(&[Text(Stage::Draft), Summary, Refined, judged(2.0)], false) else { panic!() };
        assert_eq!(pause.options, [Decision::Revise, Decision::Edit, Decision::Rewrite, Decision::Accept]);
    }

    #[test]
    fn the_checkpoint_names_how_far_the_chapter_is() {
        let text = || vec![Text(Stage::Draft)];
        let partial = |stage| vec![Text(Stage::Draft), Summary, Refined, judged(3.2), Record::Partial(stage)];
        let table = [
            (vec![], PipelineStage::Drafting),
            (vec![Record::Partial(Stage::Draft)], PipelineStage::Drafting),
            (vec![Planned(2), Scene, Record::Partial(Stage::Scene)], PipelineStage::Drafting),
            (vec![Planned(2), Scene, Summary], PipelineStage::Drafting),
            (vec![Planned(1), Scene, Summary, Refined], PipelineStage::Refined),
            (text(), PipelineStage::Drafting),
            (vec![Text(Stage::Draft), Refined], PipelineStage::Drafting),
            (vec![Text(Stage::Draft), Summary], PipelineStage::Drafted),
            (vec![Text(Stage::Draft), Summary, Refined], PipelineStage::Refined),
            (vec![Text(Stage::Draft), Summary, Refined, judged(4.2)], PipelineStage::Judged),
            (vec![Text(Stage::Draft), Summary, Refined, judged(2.4)], PipelineStage::Judged),
            (vec![Text(Stage::Draft), Summary, Refined, judged(3.2)], PipelineStage::Revising),
            (vec![Text(Stage::Draft), Summary, Refined, judged(3.7)], PipelineStage::Revising),
            (partial(Stage::Revise), PipelineStage::Revising),
            (partial(Stage::Rewrite), PipelineStage::Revising),
            (partial(Stage::Draft), PipelineStage::Drafting),
        ];
        for (records, stage) in table {
            let found = Progress::of(&records).pipeline_stage(&next(&records, false));
            assert_eq!(found, stage, "{records:?}");
        }
        assert_eq!(Progress::of(&[Planned(2)]).done(), [Stage::ScenePlan], "no scene is there yet");
    }

    #[test]
    fn drafts_scenes_and_their_revisions_are_prose() {
        let prose: Vec<Stage> = Stage::ALL.iter().copied().filter(|stage| stage.writes_prose()).collect();
        assert_eq!(prose, [Stage::Draft, Stage::Scene, Stage::Revise, Stage::Rewrite]);
    }
}
