//! A book whose second chapter is to be written by a scripted model: the built program, its world, and the server.

use super::script::{Reply, Script, stage_of};
use crate::common::{Output, World, git};
use crate::llm::server::{Received, Server};
use novel::llm::Wire;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

/// A key that must turn up nowhere.
pub const KEY: &str = "sk-studio-9f8e7d6c5b4a3210";
/// The model for the bulk of the work.
pub const STANDARD: &str = "quill-standard";
/// The model for revisions.
pub const STRONG: &str = "quill-strong";
pub const BOOK: &str = "book";

/// Chapters 1 and 4 are key chapters, being first and last; what is tested is mostly chapter 2.
const OUTLINE: [(&str, &str, &str); 4] = [
    ("夜里的灯", "城北旧巷", "埋设 broken_seal：信封的火漆是裂的"),
    ("城门", "北门", "推进 broken_seal：有人认得火漆"),
    ("渡口", "渡口", "无"),
    ("回城", "旧巷", "回收 broken_seal：火漆是他父亲裂的"),
];

/// Two chapters more, so that there are chapters far behind the last one.
const LONGER: [(&str, &str, &str); 2] = [("旧巷的灯", "城北旧巷", "无"), ("信", "北门", "无")];

fn outline(more: &[(&str, &str, &str)]) -> String {
    let mut text = "# 第一卷\n".to_owned();
    for (at, (title, place, task)) in OUTLINE.iter().chain(more).enumerate() {
        text.push_str(&format!(
            "\n## 第{}章 {title}\n\n- 故事线: main-arc\n- 视角: 林枫\n- 地点: {place}\n- 冲突: 林枫要过去，有人拦着他\n\
             - 人物弧光: 从不问缘由到学会撒谎\n- 伏笔: {task}\n- 状态变化:\n  - 林枫往前走了一程\n",
            at + 1
        ));
    }
    text
}

/// The world of one test.
pub struct Studio {
    pub world: World,
    pub server: Server,
    script: Arc<Mutex<Script>>,
}

impl Studio {
    /// A book with its first chapter, and models over OpenAI's wire.
    pub fn new() -> Self {
        Self::over(Wire::OpenAi)
    }

    /// A book with its first chapter, and models over a wire.
    pub fn over(wire: Wire) -> Self {
        Self::with_chapters(wire, 1, &[])
    }

    /// A book without a chapter.
    pub fn unwritten(wire: Wire) -> Self {
        Self::with_chapters(wire, 0, &[])
    }

    /// A planned book with 19 of 26 chapters on more than one line, whose next chapters models write.
    pub fn long() -> Self {
        let studio = Self::of_world(Wire::OpenAi);
        let _ = crate::commands::quality::long(&studio.world);
        let config = studio.read("novel.toml").replace("offline = true", "offline = false");
        let config =
            config.replace("min_words = 2500", "min_words = 300").replace("max_words = 3500", "max_words = 500");
        studio.write("novel.toml", &config);
        studio
    }

    /// A book with its first four chapters, of six.
    pub fn of_six() -> Self {
        Self::with_chapters(Wire::OpenAi, 4, &LONGER)
    }

    /// A book with its first nine chapters, of twelve.
    pub fn of_twelve() -> Self {
        Self::with_chapters(Wire::OpenAi, 9, &[LONGER; 4].concat())
    }

    fn with_chapters(wire: Wire, chapters: u32, more: &[(&str, &str, &str)]) -> Self {
        let studio = Self::of_world(wire);
        let world = &studio.world;
        world.made_once(&format!("studio-{chapters}"), BOOK, || {
            world.write("outline.md", &outline(more));
            let init = ["init", BOOK, "--title", "夜信", "--protagonist", "林枫，信差", "--outline", "outline.md"];
            let _ = world.novel("", &[&init[..], &["--words", "300-500"]].concat()).ok();
            for _ in 0..chapters {
                let _ = world.novel(BOOK, &["continue", "--offline"]).ok();
            }
        });
        studio
    }

    /// A world with models over a wire, and no book.
    fn of_world(wire: Wire) -> Self {
        let (server, script, settings) = models(wire);
        let with = |world: World, (name, value): &(&str, String)| world.with(name, value);
        Self { world: settings.iter().fold(World::new(), with), server, script }
    }

    /// The next request for a stage gets this.
    #[must_use]
    pub fn on(self, stage: &str, reply: impl Into<Reply>) -> Self {
        self.then(stage, reply);
        self
    }

    /// The same, later.
    pub fn then(&self, stage: &str, reply: impl Into<Reply>) {
        self.script.lock().unwrap().put(stage, reply.into());
    }

    /// With a variable.
    #[must_use]
    pub fn with(mut self, name: &str, value: &str) -> Self {
        self.world.env.retain(|(known, _)| known != name);
        self.world = self.world.with(name, value);
        self
    }

    pub fn novel(&self, args: &[&str]) -> Output {
        self.world.novel(BOOK, args)
    }

    /// Writes the next chapter.
    pub fn go(&self) -> Output {
        self.novel(&["continue"])
    }

    pub fn git(&self, args: &[&str]) -> String {
        self.world.git(BOOK, args).ok()
    }

    pub fn path(&self, path: &str) -> PathBuf {
        self.world.path(BOOK).join(path)
    }

    pub fn read(&self, path: &str) -> String {
        self.world.read(&format!("{BOOK}/{path}"))
    }

    pub fn write(&self, path: &str, text: &str) {
        self.world.write(&format!("{BOOK}/{path}"), text);
    }

    /// The stages that were asked for, in order. Of two that run at once, the first by its place in the chapter comes
    /// first, whichever reached the server sooner.
    pub fn asked(&self) -> Vec<&'static str> {
        self.asked_since(0)
    }

    /// The stages that were asked for since so many requests.
    pub fn asked_since(&self, before: usize) -> Vec<&'static str> {
        let mut stages: Vec<&str> = self.server.requests()[before..].iter().map(stage_of).collect();
        in_order(&mut stages);
        stages
    }

    /// The requests for a stage.
    pub fn requests(&self, stage: &str) -> Vec<Received> {
        self.server.requests().into_iter().filter(|request| stage_of(request) == stage).collect()
    }

    /// The models that a stage was asked of.
    pub fn models(&self, stage: &str) -> Vec<String> {
        let model = |request: &Received| request.json()["model"].as_str().unwrap().to_owned();
        self.requests(stage).iter().map(model).collect()
    }

    /// The stages on the draft of chapter 2, first to last: the open one's, or the one's that was accepted.
    pub fn draft_log(&self) -> Vec<String> {
        let open = self.world.git(BOOK, &["rev-parse", "--verify", "-q", "draft/ch-002"]);
        let tip = if open.code == 0 {
            open.stdout.trim().to_owned()
        } else {
            self.git(&["log", "-1", "--format=%(trailers:key=Novel-Draft,valueonly)", "ch-002"]).trim().to_owned()
        };
        let log = self.git(&["log", "--reverse", "--format=%(trailers:key=Novel-Stage,valueonly,separator=)", &tip]);
        let mut stages: Vec<String> = log.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect();
        in_order(&mut stages);
        stages
    }

    /// A trailer of the commit that accepted chapter 2.
    pub fn trailer(&self, name: &str) -> String {
        let format = format!("--format=%(trailers:key={name},valueonly,separator=)");
        self.git(&["log", "-1", &format, "ch-002"]).trim().to_owned()
    }

    /// Every place in the book's folder where a text stands: files as they are, git's objects unpacked.
    pub fn places_of(&self, text: &str) -> Vec<String> {
        let mut places = Vec::new();
        let mut folders = vec![self.path("")];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
                if entry.file_type().unwrap().is_dir() {
                    folders.push(entry.path());
                } else if contains(&std::fs::read(entry.path()).unwrap(), text) {
                    places.push(entry.path().display().to_string());
                }
            }
        }
        // Those that no ref reaches any more as well.
        let mut unpack = self.world.command(git(), &self.path(""));
        unpack.args(["cat-file", "--batch", "--batch-all-objects", "--unordered"]);
        let objects = unpack.output().unwrap();
        assert!(objects.status.success());
        let found = objects.stdout.windows(text.len()).filter(|bytes| *bytes == text.as_bytes()).count();
        places.extend((0..found).map(|at| format!("object {at}")));
        places
    }

    /// Asserts the invariants after every run: git finds nothing wrong and nothing uncommitted, and so does the book's
    /// own examination, which replays the deltas.
    #[track_caller]
    pub fn check(&self) {
        self.world.check(BOOK);
        assert_eq!(self.git(&["status", "--porcelain"]), "");
        let doctor = self.novel(&["doctor"]);
        assert_eq!(doctor.code, 0, "{doctor:#?}");
    }

    /// Checks that nothing of the script is left over, and the book.
    #[track_caller]
    pub fn done(&self) {
        assert_eq!(self.script.lock().unwrap().left(), Vec::<&str>::new());
        self.check();
    }
}

/// Variables of a program.
pub type Settings = [(&'static str, String); 8];

/// Scripted models over a wire, and the variables that have the program ask them.
pub fn models(wire: Wire) -> (Server, Arc<Mutex<Script>>, Settings) {
    let script = Arc::new(Mutex::new(Script::default()));
    let told = Arc::clone(&script);
    let server = Server::answering(move |request| told.lock().unwrap().take(request).over(wire));
    let (provider, key, url) = match wire {
        Wire::OpenAi => ("openai", "OPENAI_API_KEY", server.openai_url()),
        Wire::Anthropic => ("anthropic", "ANTHROPIC_API_KEY", server.anthropic_url()),
    };
    let settings = [
        ("NOVEL_PROVIDER", provider.to_owned()),
        ("NOVEL_BASE_URL", url),
        ("NOVEL_MODEL", STANDARD.to_owned()),
        ("NOVEL_REVISE_MODEL", STRONG.to_owned()),
        ("NOVEL_TIMEOUTS_RETRY_WAIT", "1ms".to_owned()),
        ("NOVEL_PRICE", "free".to_owned()),
        // The scripted server keeps to a schema, so that prompts are sent as they are recorded.
        ("NOVEL_JSON_MODE", "schema".to_owned()),
        (key, KEY.to_owned()),
    ];
    (server, script, settings)
}

fn contains(bytes: &[u8], text: &str) -> bool {
    bytes.windows(text.len()).any(|window| window == text.as_bytes())
}

/// Puts stages that run at once in the order of their places in a chapter.
fn in_order<T: AsRef<str>>(stages: &mut [T]) {
    for at in 1..stages.len() {
        if matches!([stages[at - 1].as_ref(), stages[at].as_ref()], ["refine", "summarize"] | ["judge-2", "judge"]) {
            stages.swap(at - 1, at);
        }
    }
}
