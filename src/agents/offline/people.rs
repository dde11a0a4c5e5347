//! Who is in the chapter, and how they speak.

use super::age::{Age, words};
use super::chance::Chance;
use super::cut::phrase;
use crate::agents::ChapterContext;
use crate::domain::Slug;
use crate::domain::volume::outline::Field;
use crate::domain::world::character::Character;
use crate::text::slug_of;

/// Somebody in the chapter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Person {
    /// The character's id; `None` for passers-by.
    pub(super) id: Option<Slug>,
    /// The name in the text.
    pub(super) name: String,
    /// 他 or 她, as far as the profile tells.
    pub(super) pronoun: &'static str,
    /// Pools of what is put around the lines: `joking`, `polite`, …
    pub(super) habits: Vec<&'static str>,
    /// Speaks in short sentences.
    pub(super) terse: bool,
    /// Words the person is known for.
    pub(super) catch_phrases: Vec<String>,
}

impl Person {
    fn of(character: &Character) -> Self {
        const HABITS: [(&[&str], &str); 8] = [
            (&["反问", "追问", "爱问"], "asking"),
            (&["客气", "礼", "恭", "敬语"], "polite"),
            (&["直", "粗", "冲", "骂", "火爆", "冷"], "blunt"),
            (&["文", "雅", "典", "古", "书", "之乎"], "bookish"),
            (&["玩笑", "贫", "调侃", "戏", "幽默", "油", "笑"], "joking"),
            (&["比喻", "打比方", "比方"], "simile"),
            (&["数", "账", "精确", "条理", "分点"], "counting"),
            (&["温", "柔", "慢", "轻声", "絮", "慈"], "gentle"),
        ];
        const TERSE: [&str; 6] = ["寡言", "话少", "简短", "短句", "惜字", "干脆"];
        let has = |list: &[&str]| list.iter().any(|word| character.speech.contains(word));
        let habits = HABITS.iter().filter(|(cues, _)| has(cues)).map(|(_, pool)| *pool);
        let female = ["女", "她", "姑娘", "夫人", "母亲", "妻"].iter().any(|cue| character.profile.contains(cue));
        Self {
            id: Some(character.id.clone()),
            name: phrase(&character.display_name, 16).unwrap_or_else(|| character.id.to_string()),
            pronoun: if female { "她" } else { "他" },
            habits: habits.take(3).collect(),
            terse: has(&TERSE),
            catch_phrases: quoted(&character.speech),
        }
    }

    /// Somebody whom the book has no file for.
    fn unknown(name: String, id: Option<Slug>) -> Self {
        Self { id, name, pronoun: "他", habits: Vec::new(), terse: false, catch_phrases: Vec::new() }
    }
}

/// What stands in quotation marks in a description of speech: catch phrases of two to ten characters, with the mark of a
/// question or a shout.
fn quoted(speech: &str) -> Vec<String> {
    let marks = [('“', '”'), ('「', '」'), ('『', '』'), ('‘', '’'), ('"', '"')];
    let mut found = Vec::new();
    for (open, close) in marks {
        let mut rest = speech;
        while let Some((_, after)) = rest.split_once(open) {
            let Some((inner, after)) = after.split_once(close) else { break };
            let tone = inner.trim().chars().last().filter(|mark| matches!(mark, '？' | '！'));
            let words = phrase(inner, 10).filter(|words| words.chars().count() >= 2);
            let words = words.map(|words| words.chars().chain(tone).collect::<String>());
            found.extend(words.filter(|words| !found.contains(words)));
            rest = after;
        }
    }
    found.truncate(4);
    found
}

/// The point-of-view character and at least two others. Characters of other storylines stay out unless the outline
/// names them, so that nothing leaks.
pub(super) fn cast(context: &ChapterContext, age: Age, chance: &mut Chance) -> (Person, Vec<Person>) {
    let line = context.storyline();
    let knows = |c: &Character, text: &str| {
        let mut names = std::iter::once(&c.display_name).chain(&c.aliases).filter(|name| !name.trim().is_empty());
        names.any(|name| text.contains(name.as_str()))
    };
    let field = context.section.field(Field::Pov);
    let named = phrase(field.split(['、', '，', ',', '；', '（', '(', '/', '\n']).next().unwrap_or_default(), 16);
    let lines = &context.storylines;
    let here = |c: &&Character| lines.has_on(line, c) || lines.home_of(c).is_none();
    let by_name = named.as_ref().and_then(|name| context.characters.iter().find(|c| knows(c, name)));
    let leading = || {
        let lead = context.characters.iter().find(|c| c.role.contains("protagonist") && here(c));
        lead.or_else(|| context.characters.iter().find(here))
    };
    let pov = match (by_name, named) {
        (Some(character), _) => Person::of(character),
        (None, Some(name)) => {
            let id = slug_of(&name);
            Person::unknown(name, id)
        }
        (None, None) => leading().map_or_else(|| nobody(context), Person::of),
    };
    let listed = |c: &Character| context.contract.as_ref().is_some_and(|contract| contract.characters.contains(&c.id));
    let others = context.characters.iter().filter(|c| Some(&c.id) != pov.id.as_ref());
    let rank = |c: &&Character| match () {
        () if knows(c, &context.section.source) || listed(c) => Some(0),
        () if here(c) => Some(1),
        () => None,
    };
    let mut ranked: Vec<(u32, usize, &Character)> =
        others.enumerate().filter_map(|(at, c)| rank(&c).map(|rank| (rank, at, c))).collect();
    // The outline's people come first; of the line's other people each chapter meets different ones.
    let turn = context.chapter.get() as usize;
    ranked.sort_by_key(|&(rank, at, _)| (rank, if rank == 0 { at } else { (at + turn * 7) % 11 }));
    let mut people: Vec<Person> = ranked.iter().take(3).map(|(_, _, c)| Person::of(c)).collect();
    people.retain(|person| person.name != pov.name);
    let mut strangers = words("路人", age);
    chance.shuffle(&mut strangers);
    for stranger in strangers {
        if people.len() >= 2 {
            break;
        }
        people.push(Person::unknown(format!("那个{stranger}"), None));
    }
    (pov, people)
}

/// A main character for a book that has none yet.
fn nobody(context: &ChapterContext) -> Person {
    const NAMES: [&str; 4] = ["沈渡", "陆迟", "程野", "顾汀"];
    let name = NAMES[super::chance::seed(&[&context.config.title]) as usize % NAMES.len()];
    Person::unknown(name.to_owned(), slug_of(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn catch_phrases_are_read_from_the_description() {
        assert_eq!(quoted("话少；口头禅“罢了”，急了会说「你且等着」"), ["罢了", "你且等着"]);
        assert_eq!(quoted("一紧张就问「第几条？」"), ["第几条？"]);
        assert_eq!(quoted("没有引号"), Vec::<String>::new());
    }

    #[test]
    fn a_name_without_a_file_gets_an_id() {
        for (name, id) in [("林枫", "lin-feng"), ("Mary·林", "mary-lin"), ("K9", "k9")] {
            assert_eq!(slug_of(name).map(|id| id.to_string()).as_deref(), Some(id));
        }
        assert_eq!(slug_of("？"), None);
    }
}
