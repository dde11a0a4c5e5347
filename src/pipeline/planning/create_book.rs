//! Making a book: from an idea, an outline and style samples to the first commit.

use crate::agents::{Prompts, Why, style_analyzer};
use crate::domain::book::checkpoint::WorkLog;
use crate::domain::book::config::{Lang, ModelTier};
use crate::domain::state::{Category, State};
use crate::domain::volume::outline::{Field, MAIN_LINE_NAME, ids_only};
use crate::domain::world::storyline::{Reach, Status, Storyline, Storylines};
use crate::domain::world::style::StyleProfile;
use crate::llm::Call;
use crate::pipeline::engine::ask::{Job, ReadOutcome, ReplyText};
use crate::pipeline::engine::call_record::{PaidCall, call_file};
use crate::pipeline::engine::clock::Clock;
use crate::pipeline::engine::model_call::{Caller, Calls};
use crate::pipeline::planning::style::{Lesson, Samples, neutral, preset};
use crate::pipeline::prelude::*;
use crate::store::{self, Body, GivenAuthor, Holder, InitOptions, Initialised, Remark, Wait, Wording, template};
use crate::text::{free_slug, slug_of};
use secrecy::SecretString;
use serde_json::{Map, Value, json};
use std::path::Path;

/// The file with the call of the style analyzer; a book without a chapter has no draft to keep it with.
const STYLE_CALL: &str = "logs/style-analyzer.json";

/// The author's input for a new book.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Idea {
    pub title: String,
    pub genre: String,
    /// The protagonist: a name, perhaps followed by a comma and a few words.
    pub protagonist: String,
    pub conflict: String,
    /// The first volume's outline, as written.
    pub outline: Option<String>,
    /// Samples of the author's prose.
    pub samples: Vec<String>,
    /// The author of the samples, if that is another person.
    pub reference_author: Option<String>,
    /// A built-in style, by name.
    pub preset: Option<String>,
    /// Fewest and most words of a chapter.
    pub words: Option<(u32, u32)>,
    /// Whether the built-in writer writes the chapters.
    pub offline: bool,
}

/// The files of a new book, before anything is written.
#[derive(Debug, Clone)]
pub struct NewBook {
    /// Its title; the book may have none yet.
    pub title: String,
    /// Path to bytes.
    pub files: BTreeMap<String, Vec<u8>>,
    /// How many chapters are planned.
    pub planned: usize,
    /// Whether it is a book to look around in.
    pub demo: bool,
    /// The language of the subjects of its commits.
    pub language: Lang,
    /// The part of its author that does not come from git's configuration.
    pub author: GivenAuthor,
    /// The user's own keys, which come into no commit.
    pub keys: Vec<SecretString>,
}

/// Trailer of the first commit of a book to look around in.
const DEMO: &str = "Novel-Demo";

/// Whether the book was made to look around in, and not by an author. Reads only.
pub fn is_demo(book: &Book) -> Result<bool, RunError> {
    Ok(founded(book)?.is_some_and(|transaction| transaction.trailers.get(DEMO).is_some()))
}

/// The transaction that made the book.
pub(crate) fn founded(book: &Book) -> Result<Option<Transaction>, RunError> {
    Ok(store::history::last_of_or_first(book, &[Kind::Init], |_| true)?)
}

/// The name in `林枫，落魄的阵法师`: what stands before the first comma, colon or bracket.
fn name_of(protagonist: &str) -> &str {
    let end = protagonist.find(['，', ',', '：', ':', '（', '(', '、', '。', ' ', '—']);
    protagonist[..end.unwrap_or(protagonist.len())].trim()
}

/// The people a chapter is told through: `林枫、许青（旁观）` names two.
fn people_of(pov: &str) -> Vec<String> {
    let mut depth = 0usize;
    let bare: String = pov
        .chars()
        .filter(|c| {
            match c {
                '（' | '(' => depth += 1,
                '）' | ')' => {
                    depth = depth.saturating_sub(1);
                    return false;
                }
                _ => {}
            }
            depth == 0
        })
        .collect();
    let names = bare.split(['、', '，', ',', '/', '；', ';', '\n']).map(str::trim);
    names.filter(|name| !name.is_empty() && name.chars().count() <= 12 && *name != "无").map(str::to_owned).collect()
}

impl Idea {
    /// The files of the book.
    /// Fails when the outline has mistakes or the style preset is unknown.
    pub fn files(&self, style: Option<StyleProfile>, clock: &Clock) -> Result<NewBook, RunError> {
        let mut files = with_folders(template::TEMPLATES.iter().map(|(path, text)| ((*path).to_owned(), *text)));
        let outline = self.outline()?;
        let people = self.people(outline.as_ref());
        let storylines = self.storylines(outline.as_ref());

        let mut put = |path: String, bytes: Vec<u8>| files.insert(path, bytes);
        put(layout::CONFIG.into(), self.config());
        put(layout::BRIEF.into(), self.brief());
        let style = style.map_or_else(|| self.preset_style(), Ok)?;
        put(layout::STYLE_PROFILE.into(), format::write(&style, None));
        put(layout::STORYLINES.into(), format::storylines::write(&storylines, None));
        put(layout::STATE.into(), format::state::write(&first_state(&people)));
        for person in &people {
            put(layout::character(&person.id), format::character::write(person, None));
            put(layout::profile(&person.id), format::character::write_profile(person));
        }
        if let Some(text) = &self.outline {
            let text = text.trim_start_matches('\u{feff}').replace("\r\n", "\n");
            put(layout::outline(VolumeNo::FIRST), format!("{}\n", text.trim_end()).into_bytes());
        }
        let phase = if outline.is_some() { Phase::Writing } else { Phase::QuickStart };
        let checkpoint = Checkpoint::new(phase, clock.rfc3339());
        put(layout::CHECKPOINT.into(), format::write(&checkpoint, None));
        let planned = outline.map_or(0, |outline| outline.sections.len());
        Ok(NewBook {
            title: self.title.clone(),
            files,
            planned,
            demo: false,
            language: Lang::default(),
            author: GivenAuthor::default(),
            keys: Vec::new(),
        })
    }

    /// The outline, checked. It may leave fields to the planner.
    /// Fails with [`RunError::Outline`], with every other mistake and its line.
    pub fn outline(&self) -> Result<Option<Outline>, RunError> {
        let Some(text) = &self.outline else { return Ok(None) };
        let failed = |errors| RunError::Outline { path: layout::outline(VolumeNo::FIRST), errors };
        let (outline, _) = Outline::partial(text, &line_of_name).map_err(failed)?;
        outline.begins_with(ChapterNo::FIRST).map_err(|error| failed(vec![error]))?;
        Ok(Some(outline))
    }

    /// How many chapters of the outline leave fields to the planner.
    pub fn open_chapters(&self) -> usize {
        let read = self.outline.as_ref().and_then(|text| Outline::partial(text, &line_of_name).ok());
        read.map_or(0, |(_, gaps)| gaps.len())
    }

    fn config(&self) -> Vec<u8> {
        let (min_words, max_words) =
            self.words.unwrap_or((BookConfig::default().min_words, BookConfig::default().max_words));
        let config = BookConfig {
            title: self.title.clone(),
            genre: self.genre.clone(),
            min_words,
            max_words,
            offline: self.offline,
            ..BookConfig::default()
        };
        format::config::write(&config, Some(template::CONFIG.as_bytes()))
    }

    /// The brief with what is known written under its headings; the questions that stay open stay there.
    fn brief(&self) -> Vec<u8> {
        let brief = template::TEMPLATES.iter().find(|(path, _)| *path == layout::BRIEF);
        let template = brief.map_or("", |(_, text)| *text);
        let known = [("## 题材与读者", &self.genre), ("## 核心冲突", &self.conflict), ("## 主角", &self.protagonist)];
        let mut brief = String::new();
        for line in template.lines() {
            brief.push_str(line);
            brief.push('\n');
            if let Some((_, text)) = known.iter().find(|(heading, text)| *heading == line && !text.trim().is_empty()) {
                brief.push_str(&format!("\n{}\n", text.trim()));
            }
        }
        brief.into_bytes()
    }

    /// The protagonist and everybody whose eyes the outline uses.
    fn people(&self, outline: Option<&Outline>) -> Vec<Character> {
        let mut people: Vec<Character> = Vec::new();
        let mut add = |name: &str, role: &str, profile: String, line: Option<&Slug>| {
            if let Some(known) = people.iter_mut().find(|person| person.display_name == name) {
                known.storylines.extend(line.filter(|line| !known.storylines.contains(line)).cloned());
                return;
            }
            let taken = |id: &Slug| people.iter().any(|person| person.id == *id);
            let Some(id) = free_slug(name, &taken) else { return };
            people.push(Character {
                id,
                display_name: name.to_owned(),
                aliases: Vec::new(),
                former_names: Vec::new(),
                role: role.to_owned(),
                storylines: line.into_iter().cloned().collect(),
                speech: String::new(),
                profile,
                contracts: Vec::new(),
            });
        };
        let protagonist = name_of(&self.protagonist);
        if !protagonist.is_empty() {
            add(protagonist, "protagonist", format!("# {protagonist}\n\n{}", self.protagonist.trim()), None);
        }
        for section in outline.into_iter().flat_map(|outline| &outline.sections) {
            for name in people_of(section.field(Field::Pov)) {
                add(&name, "supporting", format!("# {name}"), Some(&section.storyline));
            }
        }
        people
    }

    /// The lines that the outline names, the first as the main one; without an outline one main line.
    fn storylines(&self, outline: Option<&Outline>) -> Storylines {
        let named = outline.map(Outline::storylines).unwrap_or_default();
        let ids = if named.is_empty() { Slug::new("main-arc").into_iter().collect() } else { named };
        let line = |(at, id): (usize, Slug)| {
            let sections = outline.into_iter().flat_map(|outline| &outline.sections).filter(|s| s.storyline == id);
            let mut seen: Vec<String> = Vec::new();
            for name in sections.flat_map(|section| people_of(section.field(Field::Pov))) {
                if !seen.contains(&name) {
                    seen.push(name);
                }
            }
            let called = outline.and_then(|outline| name_in(outline, &id));
            let name = match called {
                Some(name) => name,
                None if at == 0 => MAIN_LINE_NAME.to_owned(),
                None => id.to_string(),
            };
            Storyline {
                name,
                kind: if at == 0 { "main_arc" } else { "character_arc" }.to_owned(),
                reach: Reach::Novel,
                status: Status::Active,
                pov_characters: seen,
                factions: Vec::new(),
                timeline: "present".to_owned(),
                description: if at == 0 { self.conflict.trim().to_owned() } else { String::new() },
                id,
                introduced: None,
            }
        };
        Storylines { lines: ids.into_iter().enumerate().map(line).collect(), relations: Vec::new() }
    }

    fn preset_style(&self) -> Result<StyleProfile, RunError> {
        self.preset.as_deref().map_or_else(neutral, preset)
    }

    /// Measures the samples and lets the style analyzer draw directives from them. The calls come back to be kept; they
    /// cost no more than `budget`.
    /// Fails with [`RunError::TooLittleProse`]; when the model's side fails, its answers cannot be used after asking again, or
    /// the next call could cost too much.
    pub async fn style(&self, calls: &Calls<'_>) -> Result<(StyleProfile, Vec<PaidCall>), RunError> {
        let samples = Samples::given(self.samples.clone(), self.reference_author.as_deref());
        let lesson = Lesson::of(&samples)?;
        let (prompts, config, work) = (Prompts::default(), BookConfig::default(), Work::Step(Step::Style));
        let mut job = FirstStyle { lesson: &lesson, task: lesson.task(), calls, paid: Vec::new(), style: None };
        Caller { calls, work, prompts: &prompts, config: &config }.ask(&mut job).await?;
        let style = job.style.map_or_else(|| self.preset_style(), Ok)?;
        Ok((style, job.paid))
    }
}

/// The style of a book that is not there yet: its calls are kept until there is a commit for them.
struct FirstStyle<'a, 'c> {
    lesson: &'a Lesson<'a>,
    task: Task<'a>,
    calls: &'a Calls<'c>,
    paid: Vec<PaidCall>,
    style: Option<StyleProfile>,
}

impl Job for FirstStyle<'_, '_> {
    type Result = StyleProfile;

    fn part(&self) -> Part {
        Part::Plan(PlanStage::Style)
    }

    fn model_role(&self) -> ModelRole {
        ModelRole::Usual(ModelTier::Strong)
    }

    fn task(&self) -> &Task<'_> {
        &self.task
    }

    fn read(&mut self, reply: &ReplyText<'_>) -> Result<ReadOutcome<StyleProfile>, RunError> {
        Ok(match self.calls.read_own(Agent::StyleAnalyzer, reply.text, style_analyzer::read) {
            Ok(reading) => ReadOutcome::Done(self.lesson.with(reading)),
            Err(fault) => ReadOutcome::Unusable(fault),
        })
    }

    fn record(&mut self, style: StyleProfile, paid: &PaidCall) -> Result<(), RunError> {
        self.style = Some(style);
        self.paid.push(paid.clone());
        Ok(())
    }

    fn warn(&self, warning: Warning) {
        self.calls.tell(Event::Warning { work: Work::Step(Step::Style), warning });
    }

    fn record_fault(&mut self, _: &Why, paid: PaidCall) -> Result<(), RunError> {
        self.paid.push(paid);
        Ok(())
    }
}

/// The state before chapter 1: who there is.
fn first_state(people: &[Character]) -> State {
    let mut state = State::default();
    let named = people.iter().map(|person| (person.id.to_string(), json!({"display_name": person.display_name})));
    state.tree.insert(Category::Characters.as_str().into(), Value::Object(named.collect::<Map<_, _>>()));
    state
}

/// The files, and the folders of a new book that have none.
fn with_folders<'t>(files: impl Iterator<Item = (String, &'t str)>) -> BTreeMap<String, Vec<u8>> {
    let mut files: BTreeMap<String, Vec<u8>> = files.map(|(path, text)| (path, text.as_bytes().to_vec())).collect();
    for folder in template::FOLDERS {
        let inside = format!("{folder}/");
        if !files.keys().any(|path| path.starts_with(&inside)) {
            files.insert(format!("{inside}.gitkeep"), Vec::new());
        }
    }
    files
}

/// Makes the book in `dir`: its first commit has all its files.
pub fn found(
    dir: &Path,
    founding: NewBook,
    calls: &[PaidCall],
    holder: Holder,
    wording: Wording,
) -> Result<Initialised, RunError> {
    let NewBook { title, mut files, planned, demo, language, author, keys } = founding;
    if let Some(settings) = files.get_mut(layout::CONFIG) {
        let named = format::config::set(&String::from_utf8_lossy(settings), "book.language", language.as_str());
        *settings = named.map_err(RunError::of_file(layout::CONFIG))?.into_bytes();
    }
    if let Some(first) = calls.first() {
        let kept: Vec<&Call> = calls.iter().map(|paid| &paid.call).collect();
        files.insert(STYLE_CALL.to_owned(), call_file(&kept)?);
        let work = Work::Step(Step::Style);
        let stages = calls.iter().map(|paid| paid.entry.clone()).collect();
        let log = WorkLog { work, started_at: first.call.started_at.clone(), stages };
        files.insert(format!("{}/{work}-001.json", layout::PLAN_LOGS), format::write(&log, None));
    }
    let mut message = Message::new(Kind::Init, Subject::Init(title.trim().to_owned()));
    if planned > 0 {
        message = message.body(Body::default().and(Remark::Planned(planned))).trailer("Novel-Planned", planned);
    }
    if demo {
        message = message.trailer(DEMO, "yes");
    }
    let options = InitOptions { files, author, message, holder, wording, keys };
    Ok(Book::init(dir, &options, Wait::sleeping())?)
}

/// The demo book: its plan, its people and its rules, without a chapter.
/// Fails when the built-in files are not of their formats, which a test excludes.
pub fn demo(clock: &Clock) -> Result<NewBook, RunError> {
    let mut files = with_folders(template::demo().into_iter().map(|(path, text)| (path.to_owned(), text)));
    let checkpoint = Checkpoint::new(Phase::Writing, clock.rfc3339());
    files.insert(layout::CHECKPOINT.into(), format::write(&checkpoint, None));
    let outline = files.get(&layout::outline(VolumeNo::FIRST)).map(|bytes| String::from_utf8_lossy(bytes));
    let planned = outline.and_then(|text| Outline::parse(&text).ok()).map_or(0, |outline| outline.sections.len());
    Ok(NewBook {
        title: DEMO_TITLE.to_owned(),
        files,
        planned,
        demo: true,
        language: Lang::default(),
        author: GivenAuthor::default(),
        keys: Vec::new(),
    })
}

/// The idea of the demo book, for authors who want to see it grow from there.
pub fn demo_idea() -> Idea {
    Idea {
        title: DEMO_TITLE.to_owned(),
        genre: "都市奇谈".to_owned(),
        protagonist: "闻小满，末班地铁失物招领处的新夜班员".to_owned(),
        conflict: "东西丢了，附在上面的记忆也跟着走；小满要一件件还回去，有人要它们永远丢掉".to_owned(),
        preset: Some("light".to_owned()),
        words: Some((800, 1200)),
        offline: true,
        ..Idea::default()
    }
}

pub const DEMO_TITLE: &str = "失物招领处夜班守则";

/// The id that a storyline of a new book gets by its name in the outline.
fn line_of_name(name: &str) -> Option<Slug> {
    ids_only(name).or_else(|| slug_of(name))
}

/// The name by which an outline calls a storyline, where it has one beside its id.
fn name_in(outline: &Outline, id: &Slug) -> Option<String> {
    let sections = outline.sections.iter().filter(|section| section.storyline == *id);
    let mut names = sections.map(|section| section.field(Field::Storyline).split(['（', '(', '，', ',']).next());
    let name = names.find_map(|name| name.map(str::trim).filter(|name| !name.is_empty()))?;
    (Slug::new(name).is_err() && !name.starts_with(id.as_str())).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_protagonist_has_a_name_and_perhaps_a_description() {
        for text in ["林枫，落魄的阵法师", "林枫（阵法师）", "林枫: 阵法师", "林枫"] {
            assert_eq!(name_of(text), "林枫");
        }
        assert_eq!(people_of("林枫、许青（旁观，不说话）"), ["林枫", "许青"]);
        assert_eq!(people_of("无"), Vec::<String>::new());
    }
}
