//! Progress while models work: on a terminal one redrawn line, elsewhere a line per stage, with `--stream` the text as
//! it comes. Always on stderr.
//! The second Ctrl-C of a run.

use crate::commands::prelude::*;
use crate::commands::terminal::Verbosity;
use crate::commands::terminal::writer::{LiveLine, Writer};
use crate::domain::book::work::{Part, Work};
use crate::domain::chapter::SceneNo;
use crate::domain::chapter::stage::Stage;
use crate::report::style::{DIM, STRONG, paint};
use crate::report::words;
use tokio::sync::oneshot;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DisplayMode {
    /// One redrawn line.
    Live,
    /// A line per stage.
    Lines,
    /// The text as it is written, with a line per stage around it.
    Stream,
    Silent,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ProseDisplay {
    /// As with `--stream`.
    Shown,
    Hidden,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct DisplayOptions {
    pub(crate) json: bool,
    pub(crate) live: bool,
    pub(crate) prose: ProseDisplay,
}

impl DisplayMode {
    /// The kind for a run. JSON readers get events on stdout and need no lines beside.
    pub(crate) fn of(verbosity: Verbosity, place: DisplayOptions) -> Self {
        match (verbosity, place.json, place.prose, place.live) {
            (Verbosity::Quiet, ..) | (_, true, ..) => Self::Silent,
            (_, _, ProseDisplay::Shown, _) => Self::Stream,
            // Lines of verbose mode would break the redrawn one, and include those per stage.
            (Verbosity::Calls | Verbosity::Prompts, ..) => Self::Silent,
            (Verbosity::Normal, _, _, true) => Self::Live,
            (Verbosity::Normal, ..) => Self::Lines,
        }
    }
}

/// The answer that a running stage has received so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Received {
    /// Estimated tokens.
    pub(crate) tokens: u64,
    /// Characters of prose; 0 for a stage without prose.
    pub(crate) words: u64,
}

/// A running stage, with the candidate where several are written side by side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Running {
    pub(crate) candidate: Option<u32>,
    pub(crate) part: Part,
}

/// A display of progress. Failures of drawing are ignored.
pub(crate) struct ProgressDisplay {
    lang: Lang,
    kind: DisplayMode,
    err: Writer,
    columns: usize,
    /// The redrawn line, while shown.
    bar: Option<LiveLine>,
    /// The running stages with the answers received so far.
    running: BTreeMap<Running, Received>,
    /// The work of each running stage: the next chapter may be drafted beside the one in hand.
    works: BTreeMap<Running, Work>,
    /// The chapter's number and the number of chapters in the run; `None` for a single one.
    turn: Option<(u32, u32)>,
    /// The first work that has begun since the turn, which the numbers are about.
    turn_of: Option<Work>,
    work: Option<Work>,
    scene: Option<SceneNo>,
    /// The cost of finished stages, in millionths of a US dollar.
    cost: u64,
    /// True when the stream's last line is unfinished.
    mid_line: bool,
}

impl ProgressDisplay {
    pub(crate) fn new(lang: Lang, kind: DisplayMode, err: Writer, columns: usize) -> Self {
        let (running, works) = (BTreeMap::new(), BTreeMap::new());
        Self {
            lang,
            kind,
            err,
            columns,
            bar: None,
            running,
            works,
            turn: None,
            turn_of: None,
            work: None,
            scene: None,
            cost: 0,
            mid_line: false,
        }
    }

    /// The run begins its chapter `number` of `of`.
    pub(crate) fn turn(&mut self, number: u32, of: u32) {
        self.turn = (of > 1).then_some((number, of));
        self.turn_of = None;
    }

    pub(crate) fn begin(&mut self, work: Work, stage: Running, scene: Option<SceneNo>) {
        self.work = Some(work);
        self.scene = scene;
        self.turn_of.get_or_insert(work);
        self.running.insert(stage, Received::default());
        self.works.insert(stage, work);
        match self.kind {
            DisplayMode::Live => self.redraw(work),
            DisplayMode::Stream => {
                let heading = self.of_work(work, &self.name(stage));
                self.print(&format!("{}\n", paint(STRONG, &heading)));
            }
            DisplayMode::Lines | DisplayMode::Silent => {}
        }
    }

    /// A stage has received so much in total.
    pub(crate) fn received(&mut self, stage: Running, received: Received) {
        if let Some(so_far) = self.running.get_mut(&stage) {
            *so_far = received;
        }
        if let (DisplayMode::Live, Some(work)) = (self.kind, self.work) {
            self.redraw(work);
        }
    }

    /// True when a line can count down.
    pub(crate) fn is_live(&self) -> bool {
        self.kind == DisplayMode::Live
    }

    /// The call waits before a retry. The next sign of life ends the countdown.
    pub(crate) fn wait(&mut self, why: &str, wait: Duration) {
        if self.kind == DisplayMode::Live {
            let columns = self.columns;
            self.bar.get_or_insert_with(|| LiveLine::new(columns)).count_down(why, wait);
        }
    }

    /// Progress of work without a model.
    pub(crate) fn note(&mut self, message: &str) {
        if self.kind == DisplayMode::Live {
            let columns = self.columns;
            self.bar.get_or_insert_with(|| LiveLine::new(columns)).show(message);
        }
    }

    /// A piece of the chapter's text.
    pub(crate) fn text(&mut self, piece: &str) {
        if self.kind == DisplayMode::Stream && !piece.is_empty() {
            self.mid_line = !piece.ends_with('\n');
            let _ = self.err.text(piece);
        }
    }

    /// A stage has ended, at a cost where its price is known.
    pub(crate) fn end(&mut self, stage: Running, ms: u64, cost_micro_usd: Option<u64>) {
        let received = self.running.remove(&stage).unwrap_or_default();
        self.cost += cost_micro_usd.unwrap_or(0);
        let Some(work) = self.works.remove(&stage).or(self.work) else { return };
        match (self.kind, &self.bar) {
            (DisplayMode::Live, Some(bar)) => bar.show(&self.message(work)),
            (DisplayMode::Lines | DisplayMode::Stream, _) => {
                let ended = EndedStage { received, ms, cost: cost_micro_usd };
                let heading = self.of_work(work, &self.name(stage));
                self.print(&format!("{heading}  {}\n", paint(DIM, &ended.figures(self.lang))));
            }
            _ => {}
        }
    }

    /// Removes the display, so that something else can be printed. The next sign of a running stage brings it back.
    pub(crate) fn clear(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.clear();
        }
        if self.mid_line {
            self.print("");
        }
    }

    fn redraw(&mut self, work: Work) {
        let (message, columns) = (self.message(work), self.columns);
        self.bar.get_or_insert_with(|| LiveLine::new(columns)).show(&message);
    }

    /// `写场 2/4`; `候选 2 起草`
    fn name(&self, stage: Running) -> String {
        let name = words::of_part(stage.part, self.scene.filter(|_| stage.part == Stage::Scene.into()), self.lang);
        match stage.candidate {
            Some(number) => say!(self.lang, progress_of_candidate(number, name)),
            None => name,
        }
    }

    /// `[2/5] ch-048 摘要`, `[3/22] 试评审`. A step of planning has only the name of its stage.
    fn of_work(&self, work: Work, stages: &str) -> String {
        let is_counted = matches!(work, Work::Chapter(_) | Work::Step(Step::Calibration));
        let turn = self.turn.filter(|_| is_counted && self.turn_of.is_none_or(|of| of == work));
        let turn = turn.map_or_else(String::new, |(number, of)| format!("[{number}/{of}] "));
        if matches!(work, Work::Step(_)) { format!("{turn}{stages}") } else { format!("{turn}{work} {stages}") }
    }

    /// `[2/5] ch-048 起草 · 1,234 字 · 1,602 token · $0.02 ·`; `[2/5] ch-048 初审、ch-049 起草 ·`
    fn message(&self, work: Work) -> String {
        let first = self.works.values().min().copied().unwrap_or(work);
        let (mut own, mut ahead) = (Vec::new(), Vec::new());
        for stage in self.running.keys() {
            match self.works.get(stage).filter(|other| **other != first) {
                Some(other) => ahead.push(format!("{other} {}", self.name(*stage))),
                None => own.push(self.name(*stage)),
            }
        }
        own.extend(ahead);
        let mut text = self.of_work(first, &own.join(say!(self.lang, list_comma)));
        let words: u64 = self.running.values().map(|received| received.words).sum();
        if words > 0 {
            let words = figures::count(words);
            text.push_str(&say!(self.lang, progress_words(words)));
        }
        let tokens: u64 = self.running.values().map(|received| received.tokens).sum();
        if tokens > 0 {
            let tokens = figures::count(tokens);
            text.push_str(&say!(self.lang, progress_tokens_tokens(tokens)));
        }
        if self.cost > 0 {
            text.push_str(&format!(" · {}", figures::money(self.cost, self.lang)));
        }
        text + " ·"
    }

    fn print(&mut self, line: &str) {
        let start = if std::mem::take(&mut self.mid_line) { "\n" } else { "" };
        let _ = self.err.text(&format!("{start}{line}"));
    }
}

impl Drop for ProgressDisplay {
    fn drop(&mut self) {
        self.clear();
    }
}

struct EndedStage {
    received: Received,
    ms: u64,
    /// In millionths of a US dollar; `None` where the price is unknown.
    cost: Option<u64>,
}

impl EndedStage {
    /// `2,480 characters  3,412 tokens  12s  $0.02`
    fn figures(&self, lang: Lang) -> String {
        let time = figures::duration(self.ms);
        let cost = figures::price(self.cost, lang);
        let tokens = figures::count(self.received.tokens);
        let figures = say!(lang, progress_tokens_tokens_time(tokens, time, cost));
        if self.received.words == 0 {
            return figures;
        }
        format!("{}  {figures}", say!(lang, text_words(words = figures::count(self.received.words))))
    }
}

/// The time that a run has to end by itself, with a message.
const GRACE: Duration = Duration::from_millis(200);

/// Ends the program soon after the second Ctrl-C, also while the run's thread waits for git or computes: wherever it is killed, the
/// next command repairs the book. Nothing happens after the returned value is dropped.
#[expect(clippy::exit, reason = "the thread that should return may be the one that hangs")]
pub(crate) fn ends_program() -> oneshot::Sender<()> {
    let (alive, ended) = oneshot::channel::<()>();
    let watch = || async {
        for _ in 0..2 {
            if tokio::signal::ctrl_c().await.is_err() {
                return std::future::pending().await;
            }
        }
        tokio::time::sleep(GRACE).await;
    };
    // Without a thread, the run itself still hears the second press when it waits.
    let _ = std::thread::Builder::new().spawn(move || {
        let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_all().build() else { return };
        let is_pressed = runtime.block_on(async {
            tokio::select! {
                _ = ended => false,
                () = watch() => true,
            }
        });
        if is_pressed {
            std::process::exit(Exit::Interrupted.code().into());
        }
    });
    alive
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::ChapterNo;
    use crate::report::style::Colour;

    const FIRST: Work = Work::Chapter(ChapterNo::FIRST);

    fn at(stage: Stage) -> Running {
        Running { candidate: None, part: stage.into() }
    }

    fn silent(lang: Lang) -> ProgressDisplay {
        ProgressDisplay::new(lang, DisplayMode::Silent, Writer::stderr(Colour::Off), 80)
    }

    #[test]
    fn the_display_suits_the_run() {
        use ProseDisplay::{Hidden, Shown};
        use Verbosity::{Calls, Normal, Quiet};
        let kind = |verbosity, live, prose| DisplayMode::of(verbosity, DisplayOptions { json: false, live, prose });
        assert_eq!(kind(Normal, true, Hidden), DisplayMode::Live);
        assert_eq!(kind(Normal, false, Hidden), DisplayMode::Lines);
        assert_eq!(kind(Normal, true, Shown), DisplayMode::Stream);
        assert_eq!(kind(Calls, true, Hidden), DisplayMode::Silent);
        assert_eq!(kind(Quiet, true, Shown), DisplayMode::Silent);
        assert_eq!(
            DisplayMode::of(Normal, DisplayOptions { json: true, live: true, prose: Hidden }),
            DisplayMode::Silent
        );
    }

    #[test]
    fn a_message_in_between_leaves_the_counts_of_stages_that_go_on() {
        let mut progress = silent(Lang::En);
        progress.begin(FIRST, at(Stage::Summarize), None);
        progress.begin(FIRST, at(Stage::Refine), None);
        progress.clear();
        let received = Received { tokens: 50, words: 30 };
        progress.received(at(Stage::Refine), received);
        let running = [(at(Stage::Summarize), Received::default()), (at(Stage::Refine), received)];
        assert_eq!(progress.running, BTreeMap::from(running));
    }

    #[test]
    fn stages_that_run_at_once_share_the_line() {
        let mut progress = silent(Lang::Zh);
        progress.begin(FIRST, at(Stage::Summarize), None);
        progress.begin(FIRST, at(Stage::Refine), None);
        progress.received(at(Stage::Summarize), Received { tokens: 1_000, words: 0 });
        progress.received(at(Stage::Refine), Received { tokens: 234, words: 180 });
        progress.cost = 20_000;
        assert_eq!(progress.message(FIRST), "ch-001 摘要、润色 · 180 字 · 1,234 token · ¥0.14 ·");
        progress.turn(2, 5);
        assert!(progress.message(FIRST).starts_with("[2/5] ch-001 摘要"));
        let trial = Work::Step(Step::Calibration);
        assert_eq!(progress.of_work(trial, "试评审"), "[2/5] 试评审");
        assert_eq!(progress.of_work(Work::Step(Step::World), "世界"), "世界");
        progress.turn(1, 1);
        assert!(progress.message(FIRST).starts_with("ch-001 "), "a run of one chapter counts nothing");
    }

    #[test]
    fn the_chapter_in_hand_goes_before_the_one_that_is_drafted_beside_it() {
        let mut progress = silent(Lang::En);
        progress.turn(1, 2);
        progress.begin(FIRST, at(Stage::Refine), None);
        progress.begin(Work::Chapter(ChapterNo::FIRST.next()), at(Stage::Draft), None);
        assert_eq!(progress.message(FIRST), "[1/2] ch-001 refine, ch-002 draft ·");
        progress.end(at(Stage::Refine), 0, None);
        assert_eq!(progress.message(FIRST), "ch-002 draft ·");
    }

    #[test]
    fn a_stage_that_has_ended_is_a_line() {
        let mut progress = silent(Lang::En);
        progress.turn(2, 3);
        progress.begin(FIRST, at(Stage::Scene), Some(SceneNo { number: 2, of: 4 }));
        assert_eq!(progress.of_work(FIRST, &progress.name(at(Stage::Scene))), "[2/3] ch-001 scene 2/4");
        let second = Running { candidate: Some(2), ..at(Stage::Draft) };
        assert_eq!(progress.of_work(FIRST, &progress.name(second)), "[2/3] ch-001 candidate 2 draft");
        let received = Received { tokens: 3_412, words: 2_480 };
        let figures = EndedStage { received, ms: 12_000, cost: None }.figures(Lang::En);
        assert_eq!(figures, "2,480 characters  3,412 tokens  12s  unknown price");
    }
}
