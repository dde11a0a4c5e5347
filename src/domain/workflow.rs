//! The author's loop around the chapters: what comes next, and what only a person can decide (orchestrator chapter §8.2).
//!
//! Nothing of it is stored but the phase: how far a book is follows from what is in it.

use super::book::checkpoint::Phase;
use super::book::work::Step;
use super::named::named;
use super::volume::ending::Recommendation;
use super::{ChapterNo, VolumeNo};

/// How many chapters are written on trial (product document §6).
pub const TRIAL: u32 = 3;
/// How many chapters a volume has unless another number is asked for.
pub const CHAPTERS: u32 = 30;

named! {
    /// The answers that the author may give.
    pub enum Answer {
        /// The trial chapters stay: plan the first volume.
        GoOn = "go-on",
        /// The trial chapters go, the world stays: another style.
        Style = "style",
        /// Everything but the idea goes: another subject.
        Subject = "subject",
        /// The plan becomes part of the book.
        Approve = "approve",
        /// The author changes the plan in `staging/` first.
        Edit = "edit",
        /// The plan is put aside.
        Reject = "reject",
        /// Entries that nothing needs any more leave the state.
        Clean = "clean",
        /// The state stays as it is.
        Keep = "keep",
        /// The next volume is planned.
        NextVolume = "next-volume",
        /// The next volume is planned as the last one.
        WrapUp = "wrap-up",
        /// The book ends here.
        End = "end",
        /// World, theme and people are made, and the trial chapters are written.
        Found = "found",
        /// World, theme and people are made; nothing is written yet.
        FoundOnly = "found-only",
        /// One chapter is written.
        WriteOne = "write-1",
        /// Five chapters are written.
        WriteFive = "write-5",
        /// All planned chapters are written.
        WriteVolume = "write-volume",
        /// The volume is planned.
        Plan = "plan",
        /// The volume is reviewed.
        Review = "review",
        /// A built-in style.
        Preset = "preset",
        /// The style of the author's own samples.
        Samples = "samples",
        /// The style of another author's text.
        Reference = "reference",
        /// The style is drawn from the first chapter once that is written.
        ExtractLater = "extract-later",
        /// Notes are taken into `research/`.
        Research = "research",
        /// The figures of what is written.
        LookBack = "look-back",
        More = "more",
        /// Nothing for now.
        Stop = "stop",
    }
}

/// The most choices that are offered at once (row R2).
pub const CHOICES: usize = 4;

impl Answer {
    /// True for the choices that `start` offers before it does something; the others decide what waits for the author.
    #[must_use]
    pub fn is_choice(self) -> bool {
        self >= Self::Found
    }

    /// True when the answer, once given, lets that move be taken without another question, in a book of
    /// that phase.
    #[must_use]
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

    /// How many chapters the answer writes at most; `None` for one that names no number.
    #[must_use]
    pub fn chapters(self) -> Option<u32> {
        match self {
            Self::WriteOne => Some(1),
            Self::WriteFive => Some(5),
            _ => None,
        }
    }
}

/// The choices that are offered at once, and those behind [`Answer::More`].
#[must_use]
pub fn pages(choices: &[Answer]) -> (Vec<Answer>, Vec<Answer>) {
    if choices.len() <= CHOICES {
        return (choices.to_vec(), Vec::new());
    }
    let (first, rest) = choices.split_at(CHOICES - 1);
    (first.iter().copied().chain([Answer::More]).collect(), rest.to_vec())
}

/// A question that waits for the author.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BookQuestion {
    /// Trial chapters are written and scored.
    Trial,
    /// A plan is complete; `sound` when it may be approved as it is.
    Plan {
        volume: VolumeNo,
        /// Whether it may be approved.
        sound: bool,
    },
    /// An agent proposes to change rules of the world or contracts of people.
    Contracts {
        /// The step that proposes it.
        step: Step,
        /// The volume that the book is at.
        volume: VolumeNo,
    },
    /// A volume is reviewed, and the review proposes to clean the state up.
    Cleanup(VolumeNo),
    /// A volume is written and reviewed.
    Volume {
        volume: VolumeNo,
        /// The course that the review advises.
        course: Recommendation,
    },
}

impl BookQuestion {
    /// The possible answers, the recommended one first.
    #[must_use]
    pub fn answers(self) -> &'static [Answer] {
        match self {
            Self::Trial => &[Answer::GoOn, Answer::Style, Answer::Subject],
            Self::Plan { sound: true, .. } | Self::Contracts { .. } => &[Answer::Approve, Answer::Edit, Answer::Reject],
            Self::Plan { sound: false, .. } => &[Answer::Edit, Answer::Reject],
            Self::Cleanup(_) => &[Answer::Clean, Answer::Keep],
            Self::Volume { course: Recommendation::Continue, .. } => &[Answer::NextVolume, Answer::WrapUp, Answer::End],
            Self::Volume { course: Recommendation::WrapUp, .. } => &[Answer::WrapUp, Answer::NextVolume, Answer::End],
            Self::Volume { course: Recommendation::ForceEnd, .. } => &[Answer::End, Answer::WrapUp, Answer::NextVolume],
        }
    }

    /// The volume that it is about.
    #[must_use]
    pub fn volume(self) -> VolumeNo {
        match self {
            Self::Trial => VolumeNo::FIRST,
            Self::Plan { volume, .. } | Self::Contracts { volume, .. } => volume,
            Self::Cleanup(volume) | Self::Volume { volume, .. } => volume,
        }
    }
}

/// The step that comes next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NextStep {
    /// The choice of a style.
    Style,
    Take(Step),
    /// The outline of the trial chapters.
    PlanTrial,
    /// Chapters, up to this one.
    Write(ChapterNo),
    PlanVolume(VolumeNo),
    Review(VolumeNo),
    Ask(BookQuestion),
    /// A chapter waits for the author.
    Decide(ChapterNo),
    /// Nothing: the book has ended with this volume.
    Rest(VolumeNo),
}

/// How a book that has ended is taken up again.
pub const REOPENING: &[Answer] = &[Answer::NextVolume, Answer::WrapUp];

/// A plan that is being made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InPlanning {
    pub volume: VolumeNo,
    /// Whether it is complete.
    pub waits: bool,
    /// Whether it may be approved.
    pub sound: bool,
    /// Whether it is of the trial chapters.
    pub trial: bool,
}

/// The things that a book is founded on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Founded {
    /// Whether the world has rules.
    pub rules: bool,
    /// Whether the brief says what the book is about.
    pub theme: bool,
    /// Whether more than a name is known of at least one character.
    pub cast: bool,
    /// Whether the author has chosen a style.
    pub style: bool,
    /// The last accepted chapter; 0 before the first.
    pub written: u32,
}

impl Founded {
    /// Whether what the step makes is there.
    #[must_use]
    pub fn has(&self, step: Step) -> bool {
        match step {
            Step::World => self.rules,
            Step::Theme => self.theme,
            Step::Characters => self.cast,
            _ => false,
        }
    }

    /// The step whose result is missing for `step`: world, theme, people, outline. Once something is written, the story
    /// itself is the ground, and nothing is missing. For the outline of any volume ask for [`Step::Trial`].
    #[must_use]
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

/// How far the book is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BookStatus {
    /// By the checkpoint.
    pub phase: Phase,
    /// The volume by the checkpoint.
    pub volume: VolumeNo,
    /// The last accepted chapter; 0 before the first.
    pub written: u32,
    /// The last planned chapter of the volume that has the next one, or of the last volume; 0 where nothing is planned.
    pub planned: u32,
    /// Whether that volume has a schedule.
    pub scheduled: bool,
    /// Whether the world has rules.
    pub has_rules: bool,
    /// Whether the brief says what the book is about.
    pub has_theme: bool,
    /// Whether more than a name is known of at least one character.
    pub has_cast: bool,
    /// Whether the author has chosen a style.
    pub has_style: bool,
    /// A plan that is being made or waits.
    pub planning: Option<InPlanning>,
    /// A step whose changes of rules or contracts wait for the author.
    pub proposal: Option<Step>,
    /// A chapter that waits for the author.
    pub waiting: Option<ChapterNo>,
    /// Whether the volume is reviewed.
    pub reviewed: bool,
    /// Whether the author has still to say what becomes of the review's clean-up.
    pub untidy: bool,
    /// The course that the review advises; to go on when there is no review.
    pub course: Recommendation,
}

impl BookStatus {
    /// Returns the step that comes next.
    #[must_use]
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

    /// The choices before the move is taken, the recommended one first; empty for one that needs no word beforehand.
    #[must_use]
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

    /// The volume that needs a plan: the one that trial chapters have begun, or the one after what is written.
    #[must_use]
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
