//! Progress while models work: on a terminal one line that is redrawn, elsewhere a line a stage, with `--stream` the
//! text as it comes. Always on stderr.

use super::Verbosity;
use super::writer::{LiveLine, Writer};
use crate::domain::book::work::{Part, Work};
use crate::domain::chapter::scene::SceneNo;
use crate::domain::chapter::stage::Stage;
use crate::report::catalogue::say;
use crate::report::lang::Lang;
use crate::report::style::{DIM, STRONG, paint};
use crate::report::{figures, words};
use std::collections::BTreeMap;
use std::time::Duration;

/// How progress is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// One redrawn line.
    Live,
    /// A line a stage.
    Lines,
    /// The text as it is written, with a line a stage around it.
    Stream,
    /// Nothing.
    Silent,
}

impl Kind {
    /// The kind for a run. JSON readers get events on stdout and need no lines beside them.
    pub(crate) fn of(verbosity: Verbosity, json: bool, live: bool, stream: bool) -> Self {
        match (verbosity, json, stream, live) {
            (Verbosity::Quiet, ..) | (_, true, ..) => Self::Silent,
            (_, _, true, _) => Self::Stream,
            // Lines of verbose mode would tear the redrawn one, and they say all that a line a stage would.
            (Verbosity::Calls | Verbosity::Prompts, ..) => Self::Silent,
            (Verbosity::Normal, _, _, true) => Self::Live,
            (Verbosity::Normal, ..) => Self::Lines,
        }
    }
}

/// A display of progress. Failures of drawing are ignored: progress is no answer.
pub(crate) struct Progress {
    lang: Lang,
    kind: Kind,
    err: Writer,
    /// The redrawn line, while one is shown.
    bar: Option<LiveLine>,
    /// Tokens that each running stage has received.
    running: BTreeMap<Part, u64>,
    work: Option<Work>,
    /// Which scene is being written.
    scene: Option<SceneNo>,
    /// The cost of the ended stages, in millionths of a US dollar.
    cost: u64,
    /// Whether the stream's last line is not ended.
    mid_line: bool,
}

impl Progress {
    /// A display that shows nothing yet.
    pub(crate) fn new(lang: Lang, kind: Kind, colour: bool) -> Self {
        let running = BTreeMap::new();
        Self {
            lang,
            kind,
            err: Writer::stderr(colour),
            bar: None,
            running,
            work: None,
            scene: None,
            cost: 0,
            mid_line: false,
        }
    }

    /// A stage begins.
    pub(crate) fn begin(&mut self, work: Work, stage: Part, scene: Option<SceneNo>) {
        self.work = Some(work);
        self.scene = scene;
        self.running.insert(stage, 0);
        match self.kind {
            Kind::Live => self.redraw(work),
            Kind::Stream => {
                let heading = of_work(work, &self.name(stage));
                self.print(&format!("{}\n", paint(STRONG, &heading)));
            }
            Kind::Lines | Kind::Silent => {}
        }
    }

    /// A stage has received so many tokens in all.
    pub(crate) fn tokens(&mut self, stage: Part, received: u64) {
        if let Some(tokens) = self.running.get_mut(&stage) {
            *tokens = received;
        }
        if let (Kind::Live, Some(work)) = (self.kind, self.work) {
            self.redraw(work);
        }
    }

    /// Whether there is a line that can count down.
    pub(crate) fn is_live(&self) -> bool {
        self.kind == Kind::Live
    }

    /// The call waits for so long before it is sent again. The next sign of its going on ends the countdown.
    pub(crate) fn wait(&mut self, why: &str, wait: Duration) {
        if self.kind == Kind::Live {
            self.bar.get_or_insert_with(LiveLine::new).count_down(why, wait);
        }
    }

    /// Something else than a model is at work, and this is how far it is.
    pub(crate) fn note(&mut self, message: &str) {
        if self.kind == Kind::Live {
            self.bar.get_or_insert_with(LiveLine::new).show(message);
        }
    }

    /// A piece of the chapter's text has come.
    pub(crate) fn text(&mut self, piece: &str) {
        if self.kind == Kind::Stream && !piece.is_empty() {
            self.mid_line = !piece.ends_with('\n');
            let _ = self.err.text(piece);
        }
    }

    /// A stage has ended, after so many milliseconds and at a cost where its price is known.
    pub(crate) fn end(&mut self, stage: Part, ms: u64, cost_micro_usd: Option<u64>) {
        let tokens = self.running.remove(&stage).unwrap_or(0);
        self.cost += cost_micro_usd.unwrap_or(0);
        let Some(work) = self.work else { return };
        match (self.kind, &self.bar) {
            (Kind::Live, Some(bar)) => bar.show(&message(self.lang, work, &self.named(), self.cost)),
            (Kind::Lines | Kind::Stream, _) => {
                let ended = EndedStage { name: self.name(stage), tokens, ms, cost: cost_micro_usd };
                self.print(&ended.line(self.lang, work));
            }
            _ => {}
        }
    }

    /// Takes the display away, so that something else can be printed. The next sign of the stages that go on meanwhile
    /// brings it back.
    pub(crate) fn clear(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.clear();
        }
        if self.mid_line {
            self.print("");
        }
    }

    fn redraw(&mut self, work: Work) {
        let message = message(self.lang, work, &self.named(), self.cost);
        self.bar.get_or_insert_with(LiveLine::new).show(&message);
    }

    /// `写场 2/4`
    fn name(&self, stage: Part) -> String {
        words::of_part(stage, self.scene.filter(|_| stage == Stage::Scene.into()), self.lang)
    }

    /// The names of the running stages, with the tokens that each has received.
    fn named(&self) -> Vec<(String, u64)> {
        self.running.iter().map(|(stage, tokens)| (self.name(*stage), *tokens)).collect()
    }

    fn print(&mut self, line: &str) {
        let start = if std::mem::take(&mut self.mid_line) { "\n" } else { "" };
        let _ = self.err.text(&format!("{start}{line}"));
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.clear();
    }
}

/// A step of planning is named by its stage alone.
fn of_work(work: Work, stages: &str) -> String {
    if matches!(work, Work::Step(_)) { stages.to_owned() } else { format!("{work} {stages}") }
}

/// `ch-048 摘要、润色 · 1,234 token · $0.02 ·`
fn message(lang: Lang, work: Work, running: &[(String, u64)], cost: u64) -> String {
    let stages: Vec<&str> = running.iter().map(|(stage, _)| stage.as_str()).collect();
    let stages = stages.join(say!(lang, list_comma));
    let mut text = of_work(work, &stages);
    let tokens: u64 = running.iter().map(|(_, tokens)| tokens).sum();
    if tokens > 0 {
        let tokens = figures::count(tokens);
        text.push_str(&say!(lang, progress_tokens_tokens(tokens)));
    }
    if cost > 0 {
        text.push_str(&format!(" · {}", figures::money(cost)));
    }
    text + " ·"
}

/// A stage that has ended.
struct EndedStage {
    name: String,
    tokens: u64,
    ms: u64,
    /// In millionths of a US dollar; `None` where the price is unknown.
    cost: Option<u64>,
}

impl EndedStage {
    /// `ch-001 scene 2/4  3,412 tokens  12s  $0.02`
    fn line(&self, lang: Lang, work: Work) -> String {
        let time = figures::duration(self.ms);
        let cost = self.cost.map_or_else(|| say!(lang, unknown_price).to_owned(), figures::money);
        let tokens = figures::count(self.tokens);
        let facts = say!(lang, progress_tokens_tokens_time(tokens, time, cost));
        format!("{}  {}\n", of_work(work, &self.name), paint(DIM, &facts))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::ChapterNo;

    const FIRST: Work = Work::Chapter(ChapterNo::FIRST);

    #[test]
    fn the_display_suits_the_run() {
        use Verbosity::{Calls, Normal, Quiet};
        assert_eq!(Kind::of(Normal, false, true, false), Kind::Live);
        assert_eq!(Kind::of(Normal, false, false, false), Kind::Lines);
        assert_eq!(Kind::of(Normal, false, true, true), Kind::Stream);
        assert_eq!(Kind::of(Calls, false, true, false), Kind::Silent);
        assert_eq!(Kind::of(Quiet, false, true, true), Kind::Silent);
        assert_eq!(Kind::of(Normal, true, true, false), Kind::Silent);
    }

    #[test]
    fn a_message_in_between_leaves_the_counts_of_stages_that_go_on() {
        let mut progress = Progress::new(Lang::En, Kind::Silent, false);
        progress.begin(FIRST, Stage::Summarize.into(), None);
        progress.begin(FIRST, Stage::Refine.into(), None);
        progress.clear();
        progress.tokens(Stage::Refine.into(), 50);
        assert_eq!(progress.running, BTreeMap::from([(Stage::Summarize.into(), 0), (Stage::Refine.into(), 50)]));
    }

    #[test]
    fn stages_that_run_at_once_share_the_line() {
        let running = [("摘要".to_owned(), 1_000), ("润色".to_owned(), 234)];
        let said = message(Lang::Zh, FIRST, &running, 20_000);
        assert_eq!(said, "ch-001 摘要、润色 · 1,234 token · $0.0200 ·");
        let mut progress = Progress::new(Lang::En, Kind::Silent, false);
        progress.begin(FIRST, Stage::Scene.into(), Some(SceneNo { number: 2, of: 4 }));
        let name = progress.name(Stage::Scene.into());
        let line = EndedStage { name, tokens: 3_412, ms: 12_000, cost: None }.line(Lang::En, FIRST);
        assert_eq!(crate::report::style::render(&line, false), "ch-001 scene 2/4  3,412 tokens  12s  unknown price\n");
    }
}
