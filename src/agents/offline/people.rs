//! The people of a chapter, and how they speak.

use super::age::{Age, words};
use super::chance::Chance;
use super::cut::phrase;
use crate::agents::ChapterContext;
use crate::domain::Slug;
use crate::domain::state::Category;
use crate::domain::volume::outline::Field;
use crate::domain::world::character::Character;
use crate::text::consistency::death;
use crate::text::slug_of;

/// A person in the chapter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Person {
    /// The character's id; `None` for passers-by.
    pub(super) id: Option<Slug>,
    /// The name in the text.
    pub(super) name: String,
    /// 他 or 她, as far as the profile tells.
    pub(super) pronoun: &'static str,
    /// Words the person is known for.
    pub(super) catch_phrases: Vec<String>,
}

impl Person {
    fn of(character: &Character) -> Self {
        let female = ["女", "她", "姑娘", "夫人", "母亲", "妻"].iter().any(|cue| character.profile.contains(cue));
        Self {
            id: Some(character.id.clone()),
            name: phrase(&character.display_name, 16).unwrap_or_else(|| character.id.to_string()),
            pronoun: if female { "她" } else { "他" },
            catch_phrases: quoted(&character.speech),
        }
    }

    /// A person without a file in the book.
    fn unknown(name: String, id: Option<Slug>) -> Self {
        Self { id, name, pronoun: "他", catch_phrases: Vec::new() }
    }
}

/// The quoted parts of a description of speech: catch phrases of two to ten characters, with the mark of a question or
/// a shout.
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

/// The point-of-view character and at least one other: those whom the outline names, the one that its conflict is with
/// first, and a passer-by where it names none. The dead do not act, whatever the outline says.
pub(super) fn cast(
    context: &ChapterContext,
    age: Age,
    opponent: Option<&str>,
    chance: &mut Chance,
) -> (Person, Vec<Person>) {
    let line = context.storyline();
    let knows = |c: &Character, text: &str| {
        let mut names = std::iter::once(&c.display_name).chain(&c.aliases).filter(|name| !name.trim().is_empty());
        names.any(|name| text.contains(name.as_str()))
    };
    let is_alive = |id: &str| {
        let fields = context.state.entities(Category::Characters).find(|(other, _)| *other == id);
        fields.is_none_or(|(_, fields)| death(fields).is_none())
    };
    let living: Vec<&Character> = context.characters.iter().filter(|c| is_alive(c.id.as_str())).collect();
    let field = context.section.field(Field::Pov);
    let named = phrase(field.split(['、', '，', ',', '；', '（', '(', '/', '\n']).next().unwrap_or_default(), 16);
    let lines = &context.storylines;
    let here = |c: &&&Character| lines.has_on(line, c) || lines.home_of(c).is_none();
    let by_name = named.as_ref().and_then(|name| living.iter().find(|c| knows(c, name)));
    let is_unknown = |name: &String| {
        let known = context.characters.iter().any(|c| knows(c, name));
        !known && slug_of(name).is_none_or(|id| is_alive(id.as_str()))
    };
    let leading = || living.iter().filter(here).find(|c| c.role.contains("protagonist"));
    let pov = match (by_name, named.filter(is_unknown)) {
        (Some(character), _) => Person::of(character),
        (None, Some(name)) => {
            let id = slug_of(&name);
            Person::unknown(name, id)
        }
        (None, None) => {
            leading().or_else(|| living.iter().find(here)).map_or_else(|| unnamed(context), |c| Person::of(c))
        }
    };
    let listed = |c: &Character| context.contract.as_ref().is_some_and(|contract| contract.characters.contains(&c.id));
    let is_planned = |c: &&&Character| knows(c, &context.section.source) || listed(c);
    let mut people: Vec<Person> =
        living.iter().filter(is_planned).map(|c| Person::of(c)).filter(|person| person.name != pov.name).collect();
    if let Some(name) = opponent.filter(|name| *name != pov.name) {
        match people.iter().position(|person| person.name == name) {
            Some(at) => people[..=at].rotate_right(1),
            None if is_unknown(&name.to_owned()) => people.insert(0, Person::unknown(name.to_owned(), None)),
            None => {}
        }
    }
    people.truncate(3);
    if people.is_empty() {
        let stranger = chance.pick(&words("路人", age)).copied().unwrap_or("过路人");
        people.push(Person::unknown(format!("那个{stranger}"), None));
    }
    (pov, people)
}

/// A main character for a book that has none yet.
fn unnamed(context: &ChapterContext) -> Person {
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
