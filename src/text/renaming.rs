//! A person's old names in texts, and the new ones in their place.
//! A longer name that holds an old one is another name and stays whole: 赵云龙 is no 赵云. An old name of two characters whose ends
//! make words with what is around it is perhaps no name, and stays too: 密林枫叶 has no 林枫. A name of one character is in every
//! text, so that only a text that is the name as a whole changes.

use crate::text::names::{NameIndex, NamedEntity, given_name, is_common_word};
use crate::text::prelude::*;

/// A name, and the one that takes its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replacement {
    pub was: String,
    pub is: String,
    /// False for an alias, which has no surname to be dropped.
    pub is_full: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OldName<'r> {
    pub range: Range<usize>,
    /// The name that takes its place; `None` where the text may mean something else.
    pub to: Option<&'r str>,
}

/// The names that change, among all those of the book.
#[derive(Debug, Clone)]
pub struct Renaming {
    index: NameIndex,
    /// The new form of each old one; `None` for one that others have too.
    to: BTreeMap<String, Option<String>>,
    /// The old forms that are given names without their surnames.
    given: Option<String>,
}

impl Renaming {
    /// The person has the `id` and, from now on, the names `person`; `others` are all the other names of the book.
    pub fn new(person: NamedEntity, others: &[NamedEntity], names: &[Replacement]) -> Self {
        let id = person.id.clone();
        let old = names.iter().map(|name| NamedEntity {
            id: id.clone(),
            name: name.was.clone(),
            aliases: Vec::new(),
            is_person: name.is_full,
        });
        let index = NameIndex::new(&old.chain([person.clone()]).chain(others.iter().cloned()).collect::<Vec<_>>());
        let only_own = |form: &str| index.owners(form) == [id.as_str()];
        let mut to: BTreeMap<String, Option<String>> = BTreeMap::new();
        let mut given = None;
        for name in names {
            let form = name.was.trim();
            to.insert(form.to_owned(), only_own(form).then(|| name.is.clone()));
            let Some(own) = given_name(form).filter(|own| name.is_full && only_own(own)) else { continue };
            let is = given_name(&name.is).unwrap_or(&name.is);
            if is != own && !person.aliases.iter().any(|alias| alias == own) {
                to.entry(own.to_owned()).or_insert_with(|| Some(is.to_owned()));
                given = Some(own.to_owned());
            }
        }
        Self { index, to, given }
    }

    pub fn find(&self, text: &str) -> Vec<OldName<'_>> {
        let mut found = Vec::new();
        for mention in self.index.mentions(text) {
            let Some(to) = self.to.get(&mention.form) else { continue };
            if mention.form.chars().nth(1).is_none() && text.trim() != mention.form {
                continue;
            }
            let around = (text[..mention.range.start].chars().next_back(), text[mention.range.end..].chars().next());
            if is_within_word(&mention.form, around) {
                continue;
            }
            let is_sure = !self.may_be_other(&mention.form, around)
                && !self.may_be_word_and_name(&mention.form, &text[..mention.range.start]);
            found.push(OldName { range: mention.range, to: to.as_deref().filter(|_| is_sure) });
        }
        found
    }

    /// The text with the new names.
    pub fn apply(&self, text: &str) -> String {
        let (mut out, mut done) = (String::with_capacity(text.len()), 0);
        for OldName { range, to } in self.find(text) {
            let Some(to) = to else { continue };
            out.push_str(&text[done..range.start]);
            out.push_str(to);
            done = range.end;
        }
        out + &text[done..]
    }

    /// The longer names of the book that hold an old one and keep it.
    pub fn longer(&self) -> impl Iterator<Item = &str> {
        let olds = || self.to.keys().filter(|old| old.chars().nth(1).is_some());
        let holds = move |form: &&str| olds().any(|old| form.len() > old.len() && form.contains(old.as_str()));
        self.index.forms().filter(move |form| holds(form) && !self.to.contains_key(*form))
    }

    /// True when the ends of a form make words with the characters around it: both ends of a name, one end of a given name.
    fn may_be_other(&self, form: &str, (before, after): (Option<char>, Option<char>)) -> bool {
        let mut letters = form.chars();
        let (Some(first), Some(last), None) = (letters.next(), letters.next(), letters.next()) else { return false };
        let begins = before.is_some_and(|before| is_common_word(before, first));
        let ends = after.is_some_and(|after| is_common_word(last, after));
        if self.given.as_deref() == Some(form) { begins || ends } else { begins && ends }
    }

    /// True when the surname ends a word and the rest is a name of the person too: 听闻小满. In 看见闻小满 the word before is whole.
    fn may_be_word_and_name(&self, form: &str, before: &str) -> bool {
        let mut before = before.chars().rev();
        let (Some(surname), Some(last)) = (form.chars().next(), before.next()) else { return false };
        let ends_word = before.next().is_some_and(|earlier| is_common_word(earlier, last));
        let rest = &form[surname.len_utf8()..];
        let is_own = || self.to.contains_key(rest) || !self.index.owners(rest).is_empty();
        is_common_word(last, surname) && !ends_word && rest.chars().nth(1).is_some() && is_own()
    }
}

/// True when letters of an alphabet go on before or after the form.
fn is_within_word(form: &str, (before, after): (Option<char>, Option<char>)) -> bool {
    let is_letter = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() && c.is_ascii());
    is_letter(before) && is_letter(form.chars().next()) || is_letter(after) && is_letter(form.chars().next_back())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(id: &str, name: &str, aliases: &[&str]) -> NamedEntity {
        let aliases = aliases.iter().map(|alias| (*alias).to_owned()).collect();
        NamedEntity { id: id.into(), name: name.into(), aliases, is_person: true }
    }

    fn full(was: &str, is: &str) -> Replacement {
        Replacement { was: was.into(), is: is.into(), is_full: true }
    }

    #[test]
    fn names_are_replaced_whole_and_longer_names_are_not_cut() {
        let others = [named("b", "赵云龙", &["小赵云"]), named("c", "钱通", &["赵云他舅"])];
        let renaming = Renaming::new(named("a", "李雷", &["子龙", "赵云爷"]), &others, &[full("赵云", "李雷")]);
        for (text, new) in [
            ("赵云见赵云龙。", "李雷见赵云龙。"),
            ("小赵云和赵云爷，赵云他舅，子龙。", "小赵云和赵云爷，赵云他舅，子龙。"),
            ("李雷、赵云、李雷。", "李雷、李雷、李雷。"),
            ("赵云云云", "李雷云云"),
            ("", ""),
        ] {
            assert_eq!(renaming.apply(text), new);
            assert_eq!(renaming.apply(new), new, "a second time changes nothing");
        }
        assert_eq!(renaming.longer().collect::<Vec<_>>(), ["小赵云", "赵云他舅", "赵云爷", "赵云龙"]);
    }

    #[test]
    fn a_given_name_follows_and_a_new_name_may_hold_the_old_one() {
        let apply =
            |person: NamedEntity, names: &[Replacement], text: &str| Renaming::new(person, &[], names).apply(text);
        let new = [full("闻小满", "闻大暑")];
        assert_eq!(apply(named("a", "闻大暑", &[]), &new, "闻小满笑了，小满走了。"), "闻大暑笑了，大暑走了。");
        assert_eq!(apply(named("a", "闻大暑", &[]), &new, "一点小满足。"), "一点小满足。", "满足 is a word");
        let alias = Replacement { was: "小满".into(), is: "阿暑".into(), is_full: false };
        let kept = named("a", "闻大暑", &["小满"]);
        assert_eq!(apply(kept, &new, "闻小满，小满。"), "闻大暑，小满。", "an alias stays");
        let names = [new[0].clone(), alias];
        assert_eq!(apply(named("a", "闻大暑", &["阿暑"]), &names, "闻小满，小满。"), "闻大暑，阿暑。");
        let longer = [full("闻满", "闻满儿")];
        assert_eq!(apply(named("a", "闻满儿", &[]), &longer, "闻满见闻满儿。"), "闻满儿见闻满儿。");
        assert_eq!(apply(named("a", "文小满", &[]), &[full("闻小满", "文小满")], "小满，闻小满"), "小满，文小满");
    }

    #[test]
    fn a_word_before_a_given_name_is_no_surname() {
        let renaming = Renaming::new(named("a", "闻小雨", &["小满"]), &[], &[full("闻小满", "闻小雨")]);
        for (text, new) in [
            ("他听闻小满那天来过。", "他听闻小满那天来过。"),
            ("他看见闻小满，听见闻小满说。", "他看见闻小雨，听见闻小雨说。"),
            ("闻小满闻小满。", "闻小雨闻小雨。"),
        ] {
            assert_eq!(renaming.apply(text), new);
        }
        assert_eq!(renaming.find("他听闻小满那天来过。")[0].to, None, "told as a doubt");
    }

    #[test]
    fn words_and_names_that_others_share_stay_and_are_told() {
        let renaming = Renaming::new(named("a", "柳枫", &[]), &[], &[full("林枫", "柳枫")]);
        assert_eq!(renaming.apply("山林枫叶红了，林枫叶落。"), "山林枫叶红了，柳枫叶落。");
        assert_eq!(renaming.find("山林枫叶红了").iter().map(|old| old.to).collect::<Vec<_>>(), [None]);
        let shared = Renaming::new(named("a", "柳枫", &[]), &[named("b", "钱通", &["林枫"])], &[full("林枫", "柳枫")]);
        assert_eq!(shared.apply("林枫来了。"), "林枫来了。");
        assert_eq!(shared.find("林枫来了。").len(), 1);
        let short = Renaming::new(named("a", "葛望潮", &[]), &[], &[full("葛", "葛望潮")]);
        assert_eq!(short.apply("葛藤，葛。"), "葛藤，葛。");
        assert_eq!(short.apply(" 葛\n"), " 葛望潮\n");
        assert_eq!(short.longer().count(), 0);
        let latin = Renaming::new(named("a", "Rue", &[]), &[], &[full("Lin", "Rue")]);
        assert_eq!(latin.apply("Lin met Linda; Lin's tea, 叫Lin的。"), "Rue met Linda; Rue's tea, 叫Rue的。");
    }
}
