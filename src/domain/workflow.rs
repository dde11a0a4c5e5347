//! The author's loop around the chapters: the next step, and the decisions that only a person can make (orchestrator
//! chapter §8.2). Only the phase is stored; the rest is derived from the book.

use crate::domain::book::checkpoint::Phase;
use crate::domain::book::work::Step;
use crate::domain::prelude::*;
use crate::domain::volume::Recommendation;

/// The number of trial chapters (product document §6).
pub const TRIAL: u32 = 3;
/// The chapters of a volume by default.
pub const CHAPTERS: u32 = 30;

named! {
    pub enum Answer {
        /// Keep the trial chapters and plan the first volume.
        GoOn = "go-on",
        /// Drop the trial chapters, keep the world, and choose another style.
        Style = "style",
        /// Drop everything but the idea.
        Subject = "subject",
        /// Add the plan to the book.
        Approve = "approve",
        /// Change the plan in `staging/` first.
        Edit = "edit",
        /// Put the plan aside.
        Reject = "reject",
        /// Derive the contract again from its section.
        Derive = "derive",
        /// Remove entries that nothing needs from the state.
        Clean = "clean",
        /// Leave the state, or the contract, as it is.
        Keep = "keep",
        NextVolume = "next-volume",
        /// Plan the next volume as the last one.
        WrapUp = "wrap-up",
        End = "end",
        /// Create world, theme and people, and write the trial chapters.
        Found = "found",
        /// Create world, theme and people, and write nothing yet.
        FoundOnly = "found-only",
        WriteOne = "write-1",
        WriteFive = "write-5",
        WriteVolume = "write-volume",
        Plan = "plan",
        Review = "review",
        Preset = "preset",
        /// Use the style of the author's own samples.
        Samples = "samples",
        /// Use the style of another author's text.
        Reference = "reference",
        /// Extract the style from the first chapter once it is written.
        ExtractLater = "extract-later",
        Research = "research",
        /// Show the figures of the written chapters.
        LookBack = "look-back",
        More = "more",
        /// Nothing for now.
        Stop = "stop",
    }
}

/// The most choices offered at once (row R2).
pub const CHOICES: usize = 4;

impl Answer {
    /// True for choices that `start` offers before a step; other answers decide a waiting matter.
    pub fn is_choice(self) -> bool {
        self >= Self::Found
    }

    /// True when the answer lets that step be taken without another question, in a book of that phase.
    pub fn allows(self, step: NextStep, phase: Phase) -> bool {
        match (self, step) {
            (Self::Found, NextStep::Take(_) | NextStep::PlanTrial) | (Self::FoundOnly, NextStep::Take(_)) => true,
            (Self::Style, NextStep::PlanTrial) => true,
            (Self::Found | Self::Style, NextStep::Write(_)) => phase == Phase::QuickStart,
            (Self::WriteVolume, NextStep::Write(_)) | (Self::Review, NextStep::Review(_)) => true,
            (Self::Plan | Self::GoOn | Self::NextVolume | Self::WrapUp, NextStep::PlanVolume(_)) => true,
            _ => false,
        }
    }

    /// The most chapters that the answer writes; `None` for an answer without a number.
    pub fn chapters(self) -> Option<u32> {
        match self {
            Self::WriteOne => Some(1),
            Self::WriteFive => Some(5),
            _ => None,
        }
    }
}

/// The choices offered at once, and those behind [`Answer::More`].
pub fn pages(choices: &[Answer]) -> (Vec<Answer>, Vec<Answer>) {
    if choices.len() <= CHOICES {
        return (choices.to_vec(), Vec::new());
    }
    let (first, rest) = choices.split_at(CHOICES - 1);
    (first.iter().copied().chain([Answer::More]).collect(), rest.to_vec())
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BookQuestion {
    /// The trial chapters are written, and the first volume may be planned.
    Trial,
    /// A plan is complete; `sound` when it may be approved.
    Plan { volume: VolumeNo, sound: bool },
    /// An agent proposes to change world rules or people's contracts.
    Contracts { step: Step, volume: VolumeNo },
    /// The author has written the chapter's contract, and then changed what it is derived from.
    Contract { volume: VolumeNo, chapter: ChapterNo },
    /// The review of a volume proposes to clean up the state.
    Cleanup(VolumeNo),
    /// A volume is reviewed, and the book goes on or ends.
    Volume { volume: VolumeNo, course: Recommendation },
}

impl BookQuestion {
    /// The possible answers, the recommended one first.
    pub fn answers(self) -> &'static [Answer] {
        match self {
            Self::Trial => &[Answer::GoOn, Answer::Style, Answer::Subject],
            Self::Plan { sound: true, .. } | Self::Contracts { .. } => &[Answer::Approve, Answer::Edit, Answer::Reject],
            Self::Plan { sound: false, .. } => &[Answer::Edit, Answer::Reject],
            Self::Contract { .. } => &[Answer::Derive, Answer::Keep],
            Self::Cleanup(_) => &[Answer::Clean, Answer::Keep],
            Self::Volume { course: Recommendation::Continue, .. } => &[Answer::NextVolume, Answer::WrapUp, Answer::End],
            Self::Volume { course: Recommendation::WrapUp, .. } => &[Answer::WrapUp, Answer::NextVolume, Answer::End],
            Self::Volume { course: Recommendation::ForceEnd, .. } => &[Answer::End, Answer::WrapUp, Answer::NextVolume],
        }
    }

    pub fn volume(self) -> VolumeNo {
        match self {
            Self::Trial => VolumeNo::FIRST,
            Self::Plan { volume, .. } | Self::Contracts { volume, .. } | Self::Contract { volume, .. } => volume,
            Self::Cleanup(volume) | Self::Volume { volume, .. } => volume,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NextStep {
    Style,
    Take(Step),
    /// Plan the outline of the trial chapters.
    PlanTrial,
    Write(ChapterNo),
    PlanVolume(VolumeNo),
    Review(VolumeNo),
    Ask(BookQuestion),
    Decide(ChapterNo),
    /// Nothing: the book has ended with this volume.
    Rest(VolumeNo),
}

/// The answers that continue an ended book.
pub const REOPENING: &[Answer] = &[Answer::NextVolume, Answer::WrapUp];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InPlanning {
    pub volume: VolumeNo,
    /// The plan is complete.
    pub waits: bool,
    /// The plan may be approved.
    pub sound: bool,
    /// The plan is of the trial chapters.
    pub trial: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Founded {
    pub rules: bool,
    /// The brief has a theme.
    pub theme: bool,
    /// At least one character has more than a name.
    pub cast: bool,
    pub style: bool,
    /// The last accepted chapter; 0 before the first.
    pub written: u32,
}

impl Founded {
    /// True when the step's result exists.
    pub fn has(&self, step: Step) -> bool {
        match step {
            Step::World => self.rules,
            Step::Theme => self.theme,
            Step::Characters => self.cast,
            _ => false,
        }
    }

    /// The step whose result is missing before `step`: world, theme, people, outline. Once a chapter is written, the
    /// story itself is the foundation, and nothing is missing. For the outline of any volume ask for [`Step::Trial`].
    pub fn lacks(&self, step: Step) -> Option<Step> {
        let before = match step {
            Step::Theme => Step::World,
            Step::Characters => Step::Theme,
            Step::Trial => Step::Characters,
            _ => return None,
        };
        (self.written == 0 && !self.has(before)).then_some(before)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BookStatus {
    pub phase: Phase,
    pub volume: VolumeNo,
    /// The last accepted chapter; 0 before the first.
    pub written: u32,
    /// The last planned chapter of the volume with the next chapter, or of the last volume; 0 without a plan.
    pub planned: u32,
    /// The volume of `planned` has a schedule.
    pub scheduled: bool,
    pub has_rules: bool,
    pub has_theme: bool,
    /// At least one character has more than a name.
    pub has_cast: bool,
    pub has_style: bool,
    /// A plan in progress or waiting.
    pub planning: Option<InPlanning>,
    /// A step whose proposed rules or contracts wait for the author.
    pub proposal: Option<Step>,
    pub waiting: Option<ChapterNo>,
    /// The volume before the one that the next chapter begins, as long as it has no review.
    pub unreviewed: Option<VolumeNo>,
    /// The next chapter, where the author has to say which contract it is written under.
    pub contract: Option<ChapterNo>,
    pub reviewed: bool,
    /// The author has not yet decided about the review's clean-up.
    pub untidy: bool,
    /// The review's advice; to go on without a review.
    pub course: Recommendation,
}

impl BookStatus {
    pub fn next(&self) -> NextStep {
        if let Some(chapter) = self.waiting {
            return NextStep::Decide(chapter);
        }
        if let Some(step) = self.proposal {
            return NextStep::Ask(BookQuestion::Contracts { step, volume: self.volume });
        }
        match self.planning {
            Some(plan) if plan.waits && !plan.trial => {
                return NextStep::Ask(BookQuestion::Plan { volume: plan.volume, sound: plan.sound });
            }
            Some(plan) if !plan.trial => return NextStep::PlanVolume(plan.volume),
            Some(_) => return NextStep::PlanTrial,
            None => {}
        }
        if let Some(volume) = self.unreviewed {
            return NextStep::Review(volume);
        }
        if let Some(chapter) = self.contract {
            return NextStep::Ask(BookQuestion::Contract { volume: self.volume, chapter });
        }
        if self.written < self.planned {
            return ChapterNo::new(self.planned).map_or(NextStep::PlanVolume(self.volume), NextStep::Write);
        }
        let quick = self.phase == Phase::QuickStart;
        match () {
            () if quick && self.written == 0 && !self.has_style => NextStep::Style,
            () if quick && !self.has_rules => NextStep::Take(Step::World),
            () if quick && !self.has_theme => NextStep::Take(Step::Theme),
            () if quick && !self.has_cast => NextStep::Take(Step::Characters),
            () if quick && self.written == 0 => NextStep::PlanTrial,
            () if quick => NextStep::Ask(BookQuestion::Trial),
            () if self.phase == Phase::Completed => NextStep::Rest(self.volume),
            () if self.written == 0 || self.phase == Phase::VolumePlanning => {
                NextStep::PlanVolume(self.volume_to_plan())
            }
            () if !self.reviewed => NextStep::Review(self.volume),
            () if self.untidy => NextStep::Ask(BookQuestion::Cleanup(self.volume)),
            () => NextStep::Ask(BookQuestion::Volume { volume: self.volume, course: self.course }),
        }
    }

    /// The choices before the step, the recommended one first; empty for a step that needs no decision.
    pub fn choices(&self, step: NextStep) -> Vec<Answer> {
        use Answer as A;
        let looks = if self.written > 0 { &[A::LookBack, A::Research, A::Stop][..] } else { &[A::Research, A::Stop] };
        let first: Vec<Answer> = match step {
            NextStep::Style => return vec![A::Preset, A::Samples, A::Reference, A::ExtractLater],
            NextStep::Take(_) => vec![A::Found, A::FoundOnly],
            NextStep::PlanTrial => vec![A::Found],
            NextStep::PlanVolume(_) => vec![A::Plan],
            NextStep::Review(_) => vec![A::Review],
            NextStep::Write(last) => match last.get().saturating_sub(self.written) {
                0 | 1 => vec![A::WriteOne],
                // Trial chapters are judged together.
                _ if self.phase == Phase::QuickStart => vec![A::WriteVolume, A::WriteOne],
                2..=5 => vec![A::WriteOne, A::WriteVolume],
                _ => vec![A::WriteOne, A::WriteFive, A::WriteVolume],
            },
            NextStep::Ask(_) | NextStep::Decide(_) | NextStep::Rest(_) => return Vec::new(),
        };
        first.into_iter().chain(looks.iter().copied()).collect()
    }

    /// The volume that needs a plan: the one that trial chapters have begun, or the one after the written chapters.
    pub fn volume_to_plan(&self) -> VolumeNo {
        let is_over = self.scheduled || self.reviewed || matches!(self.phase, Phase::VolumeReview | Phase::Completed);
        if self.written > 0 && is_over { self.volume.next() } else { self.volume }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn begun() -> BookStatus {
        BookStatus {
            phase: Phase::QuickStart,
            volume: VolumeNo::FIRST,
            written: 0,
            planned: 0,
            scheduled: false,
            has_rules: false,
            has_theme: false,
            has_cast: false,
            has_style: false,
            planning: None,
            proposal: None,
            waiting: None,
            contract: None,
            unreviewed: None,
            reviewed: false,
            untidy: false,
            course: Recommendation::Continue,
        }
    }

    fn chapter(n: u32) -> ChapterNo {
        ChapterNo::new(n).unwrap()
    }

    #[test]
    fn a_book_goes_from_the_idea_to_its_second_volume() {
        let mut at = begun();
        assert_eq!(at.next(), NextStep::Style);
        at.has_style = true;
        assert_eq!(at.next(), NextStep::Take(Step::World));
        at.has_rules = true;
        assert_eq!(at.next(), NextStep::Take(Step::Theme));
        at.has_theme = true;
        assert_eq!(at.next(), NextStep::Take(Step::Characters));
        at.has_cast = true;
        assert_eq!(at.next(), NextStep::PlanTrial);
        at.planned = TRIAL;
        assert_eq!(at.next(), NextStep::Write(chapter(3)));
        at.written = TRIAL;
        assert_eq!(at.next(), NextStep::Ask(BookQuestion::Trial));
        at.phase = Phase::VolumePlanning;
        assert_eq!(at.next(), NextStep::PlanVolume(VolumeNo::FIRST), "the trial chapters are the volume's first");
        let plan = InPlanning { volume: VolumeNo::FIRST, waits: false, sound: true, trial: false };
        at.planning = Some(plan);
        assert_eq!(at.next(), NextStep::PlanVolume(VolumeNo::FIRST));
        at.planning = Some(InPlanning { waits: true, ..plan });
        assert_eq!(at.next(), NextStep::Ask(BookQuestion::Plan { volume: VolumeNo::FIRST, sound: true }));
        at = BookStatus { planning: None, phase: Phase::Writing, planned: 30, scheduled: true, ..at };
        assert_eq!(at.next(), NextStep::Write(chapter(30)));
        at.unreviewed = Some(VolumeNo::FIRST);
        assert_eq!(
            at.next(),
            NextStep::Review(VolumeNo::FIRST),
            "the review comes before the chapters of a planned volume"
        );
        at.unreviewed = None;
        at.proposal = Some(Step::World);
        let contracts = BookQuestion::Contracts { step: Step::World, volume: VolumeNo::FIRST };
        assert_eq!((at.next(), contracts.answers()[0]), (NextStep::Ask(contracts), Answer::Approve));
        at.waiting = Some(chapter(9));
        assert_eq!(at.next(), NextStep::Decide(chapter(9)));
        at.proposal = None;
        at = BookStatus { waiting: None, written: 30, phase: Phase::VolumeReview, ..at };
        assert_eq!(at.next(), NextStep::Review(VolumeNo::FIRST));
        at = BookStatus { reviewed: true, untidy: true, ..at };
        assert_eq!(at.next(), NextStep::Ask(BookQuestion::Cleanup(VolumeNo::FIRST)));
        at.untidy = false;
        let volume = VolumeNo::FIRST;
        assert_eq!(at.next(), NextStep::Ask(BookQuestion::Volume { volume, course: Recommendation::Continue }));
        at.phase = Phase::VolumePlanning;
        assert_eq!(at.next(), NextStep::PlanVolume(VolumeNo::FIRST.next()));
    }

    #[test]
    fn every_move_that_spends_offers_two_to_four_choices_and_a_way_to_stop() {
        let volume = VolumeNo::FIRST;
        let steps = [
            NextStep::Style,
            NextStep::Take(Step::World),
            NextStep::PlanTrial,
            NextStep::PlanVolume(volume),
            NextStep::Review(volume),
        ];
        for phase in [Phase::QuickStart, Phase::Writing] {
            for written in [0, 3, 20, 27, 29] {
                let at = BookStatus { phase, written, ..begun() };
                for step in steps.into_iter().chain([NextStep::Write(chapter(30))]) {
                    let choices = at.choices(step);
                    let (first, more) = pages(&choices);
                    for page in [&first, &more].into_iter().filter(|page| !page.is_empty()) {
                        assert!((2..=CHOICES).contains(&page.len()), "{step:?}: {page:?}");
                    }
                    assert!(choices.contains(&Answer::Stop) || step == NextStep::Style, "{step:?}");
                    assert!(choices.iter().all(|choice| choice.is_choice()), "{choices:?}");
                    assert_eq!(first.contains(&Answer::More), !more.is_empty());
                }
            }
        }
        let at = BookStatus { phase: Phase::Writing, written: 3, ..begun() };
        assert_eq!(at.choices(NextStep::Write(chapter(30)))[0], Answer::WriteOne);
        assert_eq!(at.choices(NextStep::Write(chapter(4)))[..2], [Answer::WriteOne, Answer::LookBack]);
        assert!(at.choices(NextStep::Ask(BookQuestion::Trial)).is_empty(), "it is a question already");
    }

    #[test]
    fn an_answer_allows_what_it_says_and_nothing_after_it() {
        use Phase::{QuickStart, Writing};
        let (volume, last) = (VolumeNo::FIRST, chapter(3));
        let allowed = |answer: Answer, phase| {
            let steps = [
                NextStep::Style,
                NextStep::Take(Step::World),
                NextStep::PlanTrial,
                NextStep::Write(last),
                NextStep::PlanVolume(volume),
                NextStep::Review(volume),
            ];
            steps.map(|step| answer.allows(step, phase))
        };
        assert_eq!(allowed(Answer::Found, QuickStart), [false, true, true, true, false, false]);
        assert_eq!(allowed(Answer::FoundOnly, QuickStart), [false, true, false, false, false, false]);
        assert_eq!(allowed(Answer::Approve, Writing), [false; 6], "an approved plan is not written without a word");
        assert_eq!(allowed(Answer::Found, Writing), [false, true, true, false, false, false]);
        assert_eq!(allowed(Answer::GoOn, QuickStart), [false, false, false, false, true, false]);
        assert_eq!(allowed(Answer::Stop, QuickStart), [false; 6]);
        assert!(Answer::Found.is_choice() && Answer::Stop.is_choice() && !Answer::End.is_choice());
    }

    #[test]
    fn an_outline_of_the_author_s_own_needs_no_quick_start() {
        let at = BookStatus { phase: Phase::Writing, planned: 8, ..begun() };
        assert_eq!(at.next(), NextStep::Write(chapter(8)));
        let over = BookStatus { phase: Phase::VolumeReview, written: 8, ..at };
        assert_eq!(
            over.volume_to_plan(),
            VolumeNo::FIRST.next(),
            "its volume has no schedule and is over all the same"
        );
        let reviewed = BookStatus { phase: Phase::VolumePlanning, reviewed: true, ..over };
        assert_eq!(reviewed.next(), NextStep::PlanVolume(VolumeNo::FIRST.next()));
    }

    #[test]
    fn a_book_that_has_ended_rests_until_somebody_plans_on() {
        let volume = VolumeNo::FIRST.next();
        let ended = BookStatus { phase: Phase::Completed, volume, written: 16, planned: 16, reviewed: true, ..begun() };
        assert_eq!((ended.next(), ended.volume_to_plan()), (NextStep::Rest(volume), volume.next()));
        let on = BookStatus { phase: Phase::VolumePlanning, ..ended };
        assert_eq!(on.next(), NextStep::PlanVolume(volume.next()));
        let by_hand = BookStatus { planned: 20, ..ended };
        assert_eq!(by_hand.next(), NextStep::Write(chapter(20)), "an outline of the author's is written all the same");
    }

    #[test]
    fn a_step_lacks_the_one_before_it_until_something_is_written() {
        let mut at = Founded::default();
        let lacking = |at: &Founded| [Step::World, Step::Theme, Step::Characters, Step::Trial].map(|s| at.lacks(s));
        assert_eq!(lacking(&at), [None, Some(Step::World), Some(Step::Theme), Some(Step::Characters)]);
        at.theme = true;
        assert_eq!(at.lacks(Step::Characters), None, "who has said what it is about needs no rules for it");
        at.written = 1;
        assert_eq!(lacking(&at), [None; 4]);
    }

    #[test]
    fn the_recommended_answer_comes_first_and_a_flawed_plan_cannot_be_approved() {
        let plan = |sound| BookQuestion::Plan { volume: VolumeNo::FIRST, sound };
        assert_eq!(BookQuestion::Trial.answers()[0], Answer::GoOn);
        assert_eq!(plan(true).answers()[0], Answer::Approve);
        assert!(!plan(false).answers().contains(&Answer::Approve));
        let after = |course| BookQuestion::Volume { volume: VolumeNo::FIRST, course }.answers();
        let first =
            [Recommendation::Continue, Recommendation::WrapUp, Recommendation::ForceEnd].map(|course| after(course)[0]);
        assert_eq!(first, [Answer::NextVolume, Answer::WrapUp, Answer::End]);
        let sorted = |course| after(course).iter().copied().collect::<std::collections::BTreeSet<_>>();
        assert!(
            Recommendation::ALL.iter().all(|course| sorted(*course) == sorted(Recommendation::Continue)),
            "all may always be chosen"
        );
    }

    #[test]
    fn choices_beyond_a_page_stand_behind_more() {
        let all = [Answer::WriteOne, Answer::WriteFive, Answer::WriteVolume, Answer::LookBack, Answer::Stop];
        assert_eq!(pages(&all[..CHOICES]), (all[..CHOICES].to_vec(), vec![]));
        let (first, more) = pages(&all);
        assert_eq!((first.len(), first[CHOICES - 1]), (CHOICES, Answer::More));
        assert_eq!([&first[..CHOICES - 1], &more].concat(), all, "nothing is lost, in the same order");
    }

    #[test]
    fn each_step_of_the_foundation_rests_on_its_own() {
        let lacking = |at: &Founded| [Step::Theme, Step::Characters, Step::Trial].map(|step| at.lacks(step));
        let at = Founded { rules: true, ..Founded::default() };
        assert_eq!(lacking(&at), [None, Some(Step::Theme), Some(Step::Characters)]);
        let at = Founded { cast: true, ..Founded::default() };
        assert_eq!(lacking(&at), [Some(Step::World), Some(Step::Theme), None]);
    }

    #[test]
    fn chapters_are_offered_by_how_many_are_planned() {
        let offered = |phase, written, last| {
            let choices = BookStatus { phase, written, ..begun() }.choices(NextStep::Write(chapter(last)));
            let looks = [Answer::LookBack, Answer::Research, Answer::Stop];
            let writes: Vec<Answer> = choices.iter().copied().filter(|choice| !looks.contains(choice)).collect();
            (writes, choices.contains(&Answer::LookBack))
        };
        use Answer::{WriteFive, WriteOne, WriteVolume};
        assert_eq!(offered(Phase::QuickStart, 0, 3), (vec![WriteVolume, WriteOne], false));
        assert_eq!(offered(Phase::Writing, 0, 5), (vec![WriteOne, WriteVolume], false));
        assert_eq!(offered(Phase::Writing, 4, 6), (vec![WriteOne, WriteVolume], true));
        assert_eq!(offered(Phase::Writing, 4, 10), (vec![WriteOne, WriteFive, WriteVolume], true));
        assert_eq!(offered(Phase::Writing, 4, 5), (vec![WriteOne], true));
    }

    #[test]
    fn a_plan_of_trial_chapters_goes_on_as_one() {
        let plan = InPlanning { volume: VolumeNo::FIRST, waits: false, sound: true, trial: true };
        assert_eq!(BookStatus { planning: Some(plan), ..begun() }.next(), NextStep::PlanTrial);
    }

    #[test]
    fn an_answer_that_names_a_number_writes_that_many() {
        assert_eq!([Answer::WriteOne, Answer::WriteFive].map(Answer::chapters), [Some(1), Some(5)]);
        assert_eq!([Answer::WriteVolume, Answer::Found, Answer::Stop].map(Answer::chapters), [None; 3]);
        let (write, volume) = (NextStep::Write(chapter(3)), VolumeNo::FIRST);
        assert!(Answer::WriteVolume.allows(write, Phase::Writing) && !Answer::WriteOne.allows(write, Phase::Writing));
        assert!(Answer::Review.allows(NextStep::Review(volume), Phase::Writing));
        assert!(!Answer::WriteVolume.allows(NextStep::Review(volume), Phase::Writing));
        assert!(
            Answer::Style.allows(NextStep::PlanTrial, Phase::QuickStart)
                && Answer::Style.allows(write, Phase::QuickStart)
        );
        assert!(!Answer::Style.allows(write, Phase::Writing));
    }

    #[test]
    fn a_volume_without_a_chapter_is_the_one_to_plan() {
        let at = BookStatus { phase: Phase::VolumePlanning, scheduled: true, ..begun() };
        assert_eq!(at.volume_to_plan(), VolumeNo::FIRST);
        assert_eq!(BookStatus { written: 1, ..at }.volume_to_plan(), VolumeNo::FIRST.next());
    }
}
