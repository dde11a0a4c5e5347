//! How many planted slips in names are found, and how many words of untouched novels are taken for one. Run when asked:
//! `cargo test --test it name_figures -- --ignored --nocapture`. Silent where the novels are not.

use novel::text::{NameIndex, Named};
use std::collections::BTreeMap;
use std::path::Path;

/// The people of two novels who are named most.
const BOOKS: [(&str, &str); 2] = [
    (
        "hongloumeng",
        "贾宝玉 林黛玉 薛宝钗 王熙凤 史湘云 袭人 平儿 晴雯 紫鹃 贾琏 贾政 贾珍 贾蓉 薛蟠 薛姨妈 邢夫人 王夫人 尤氏 刘姥姥 香菱 麝月 莺儿 雪雁 焙茗 秦钟 贾芸 贾环 探春 惜春 迎春 李纨",
    ),
    (
        "qijian13xia",
        "徐鸣皋 罗季芳 江梦笔 一枝梅 杨小舫 徐庆 伍天熊 焦大鹏 周湘帆 狄洪道 王能 李武 包行恭 宸濠 王守仁 徐寿 李自然 非非僧 余秀英 玄贞子",
    ),
];
/// Every so manieth mention gets a slip.
const EVERY: usize = 7;

fn texts(book: &str) -> Vec<String> {
    let folder = Path::new(super::DATA).join("fiction").join(book);
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    paths.into_iter().map(|path| std::fs::read_to_string(path).unwrap()).collect()
}

/// Other characters of the same sound, from the book itself.
fn homophones(texts: &[String]) -> BTreeMap<&'static str, Vec<char>> {
    use pinyin::ToPinyin as _;
    let mut by_sound: BTreeMap<&str, Vec<char>> = BTreeMap::new();
    for c in texts.iter().flat_map(|text| text.chars()) {
        let Some(sound) = c.to_pinyin() else { continue };
        let known = by_sound.entry(sound.plain()).or_default();
        if !known.contains(&c) {
            known.push(c);
        }
    }
    by_sound
}

#[test]
#[ignore = "prints figures: slips that are found and words that are no slips"]
fn slips_in_names() {
    use pinyin::ToPinyin as _;
    for (book, names) in BOOKS {
        let texts = texts(book);
        if texts.is_empty() {
            continue;
        }
        let sounds = homophones(&texts);
        let named = |name: &str| Named { id: name.into(), name: name.into(), aliases: vec![], is_person: true };
        let index = NameIndex::new(&names.split(' ').map(named).collect::<Vec<_>>());
        let (mut letters, mut alarms, mut turn) = (0, Vec::new(), 0);
        let mut counts: BTreeMap<usize, (usize, usize)> = BTreeMap::new();
        for text in &texts {
            letters += text.chars().count();
            alarms
                .extend(index.variants(text).into_iter().map(|variant| format!("{}<{}", variant.form, variant.meant)));
            for mention in index.mentions(text) {
                turn += 1;
                if turn % EVERY != 0 {
                    continue;
                }
                let form: Vec<char> = mention.form.chars().collect();
                let at = turn / EVERY % form.len();
                let Some(sound) = form[at].to_pinyin() else { continue };
                let others: Vec<char> = sounds[sound.plain()].iter().copied().filter(|c| *c != form[at]).collect();
                let Some(wrong) = others.get(turn % others.len().max(1)) else { continue };
                let slip: String = form.iter().enumerate().map(|(n, c)| if n == at { *wrong } else { *c }).collect();
                // A slip that makes another name cannot be found.
                if names.contains(&slip) {
                    continue;
                }
                let planted = format!("{}{slip}{}", &text[..mention.range.start], &text[mention.range.end..]);
                let near = planted[..mention.range.start].char_indices().rev().nth(40).map_or(0, |(at, _)| at);
                let end = planted[mention.range.start..]
                    .char_indices()
                    .nth(40)
                    .map_or(planted.len(), |(at, _)| mention.range.start + at);
                let found = index
                    .variants(&planted[near..end])
                    .iter()
                    .any(|variant| slip.contains(&variant.form) || variant.form.contains(&slip));
                let count = counts.entry(form.len()).or_default();
                *count = (count.0 + usize::from(found), count.1 + 1);
            }
        }
        alarms.sort();
        let mut told: Vec<(usize, &str)> = Vec::new();
        for alarm in &alarms {
            match told.last_mut() {
                Some((n, last)) if *last == alarm.as_str() => *n += 1,
                _ => told.push((1, alarm)),
            }
        }
        told.sort_by_key(|(n, _)| std::cmp::Reverse(*n));
        eprintln!("{book}: {letters} characters; found by length {counts:?}");
        eprintln!(
            "  {:.1} alarms in 100,000 characters: {:?}",
            alarms.len() as f64 * 1e5 / letters as f64,
            &told[..told.len().min(25)]
        );
    }
}
