//! Resolving names and ids of people, storylines, volumes and plot threads.

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reference<T> {
    One(T),
    /// In the order of the book.
    Several(Vec<T>),
    Nothing,
}

impl<T> Reference<T> {
    /// The first match, for files of the book, which must have one meaning.
    pub fn first(self) -> Option<T> {
        match self {
            Self::One(thing) => Some(thing),
            Self::Several(things) => things.into_iter().next(),
            Self::Nothing => None,
        }
    }

    fn of(mut things: Vec<T>) -> Self {
        match things.len() {
            0 => Self::Nothing,
            1 => things.pop().map_or(Self::Nothing, Self::One),
            _ => Self::Several(things),
        }
    }
}

/// True when `typed` is exactly the id or one of the names.
pub fn is_called<'a>(typed: &str, id: &str, names: impl IntoIterator<Item = &'a str>) -> bool {
    id == typed || names.into_iter().any(|name| name.trim() == typed)
}

/// Returns the thing with the id `typed`, or else those with that name.
pub fn called<'a, T>(typed: &str, things: impl IntoIterator<Item = (T, &'a str, Vec<&'a str>)>) -> Reference<T> {
    let typed = typed.trim();
    let mut named = Vec::new();
    for (thing, id, names) in things {
        if id == typed {
            return Reference::One(thing);
        }
        if is_called(typed, id, names) {
            named.push(thing);
        }
    }
    Reference::of(named)
}

/// As [`called`]; without a match, the things with a name that contains `typed`: descriptions are too long to be typed.
pub fn called_or_part<'a, T: Clone>(typed: &str, things: &[(T, &'a str, Vec<&'a str>)]) -> Reference<T> {
    match called(typed, things.iter().cloned()) {
        Reference::Nothing if !typed.trim().is_empty() => {
            let has_part = |names: &[&str]| names.iter().any(|name| name.contains(typed.trim()));
            let things = things.iter().filter(|(.., names)| has_part(names)).map(|(thing, ..)| thing.clone());
            Reference::of(things.collect())
        }
        reference => reference,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const THINGS: [(u32, &str, &[&str]); 4] = [
        (1, "lin-wan", &["林晚", "晚晚"]),
        (2, "lin-wan-2", &["林晚"]),
        (3, "lu-chen", &["陆沉 "]),
        // A name that is the id of another thing.
        (4, "shadow", &["lu-chen"]),
    ];

    fn things() -> Vec<(u32, &'static str, Vec<&'static str>)> {
        THINGS.into_iter().map(|(thing, id, names)| (thing, id, names.to_vec())).collect()
    }

    #[test]
    fn an_id_comes_before_a_name_and_a_name_that_two_have_is_not_guessed() {
        let table = [
            ("lin-wan", Reference::One(1)),
            ("晚晚", Reference::One(1)),
            (" 陆沉 ", Reference::One(3)),
            ("lu-chen", Reference::One(3)),
            ("林晚", Reference::Several(vec![1, 2])),
            ("林", Reference::Nothing),
            ("", Reference::Nothing),
        ];
        for (typed, meant) in table {
            assert_eq!(called(typed, things()), meant, "{typed}");
        }
        assert_eq!(Reference::Several(vec![1, 2]).first(), Some(1));
    }

    #[test]
    fn a_part_of_a_description_is_enough_where_it_is_in_one_alone() {
        assert_eq!(called_or_part("陆", &things()), Reference::One(3));
        assert_eq!(called_or_part("晚", &things()), Reference::Several(vec![1, 2]));
        assert_eq!(called_or_part(" ", &things()), Reference::Nothing);
        assert_eq!(called_or_part("晚晚", &things()), Reference::One(1));
    }
}
