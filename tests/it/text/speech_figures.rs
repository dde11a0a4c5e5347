//! Speech on whole novels: words that are set apart, speakers, and voices. Run when asked:
//! `cargo test --test it figures_of_speech -- --ignored --nocapture`. Silent where the novels are not.

use super::chapters;
use novel::text::{LEAST_LINES, Lines, NameIndex, NamedEntity, quotes};
use std::collections::BTreeMap;

/// People of 红楼梦 and 七剑十三侠 with many lines, and their other names.
const PEOPLE: [(&str, usize, &[&[&str]]); 2] = [
    (
        "hongloumeng",
        119,
        &[
            &["宝玉", "贾宝玉"],
            &["黛玉", "林黛玉"],
            &["宝钗", "薛宝钗"],
            &["凤姐", "凤姐儿", "王熙凤"],
            &["贾母"],
            &["王夫人"],
            &["袭人"],
            &["晴雯", "睛雯"],
            &["平儿"],
            &["湘云", "史湘云"],
            &["探春"],
            &["薛姨妈"],
            &["贾琏"],
            &["贾政"],
            &["贾珍"],
            &["尤氏"],
            &["鸳鸯"],
            &["紫鹃"],
            &["麝月"],
            &["李纨"],
            &["刘姥姥"],
            &["邢夫人"],
            &["薛蟠"],
            &["贾蓉"],
            &["香菱"],
            &["惜春"],
            &["赵姨娘"],
            &["贾芸"],
            &["雨村"],
            &["茗烟"],
        ],
    ),
    (
        "qijian13xia",
        177,
        &[
            &["鸣皋", "徐鸣皋", "徐鹤"],
            &["一枝梅", "慕容贞"],
            &["徐庆"],
            &["季芳", "罗季芳"],
            &["徐寿"],
            &["狄洪道"],
            &["守仁", "王守仁", "王元帅"],
            &["宸濠"],
            &["玄贞子"],
            &["包行恭"],
            &["周湘帆"],
            &["杨小舫"],
            &["焦大鹏"],
            &["李自然"],
            &["李文孝", "文孝"],
            &["花省三", "省三"],
            &["江梦笔", "梦笔"],
            &["苏氏"],
            &["非非僧"],
            &["余七"],
        ],
    ),
];

fn index(people: &[&[&str]]) -> NameIndex {
    let named = people.iter().map(|names| NamedEntity {
        id: names[0].to_owned(),
        name: names[0].to_owned(),
        aliases: names[1..].iter().map(|name| (*name).to_owned()).collect(),
        is_person: true,
    });
    NameIndex::new(&named.collect::<Vec<_>>())
}

fn lines_of(book: &str, count: usize, people: &[&[&str]]) -> Option<Lines> {
    let texts = chapters(book, 0..count)?;
    let index = index(people);
    let mut lines = Lines::default();
    texts.iter().for_each(|text| lines.add(text, &index));
    Some(lines)
}

/// The same lines in a fixed disorder, so that scenes do not stay together.
fn mixed(lines: &[String]) -> Vec<String> {
    let key = |n: usize| (n as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 20;
    let mut order: Vec<usize> = (0..lines.len()).collect();
    order.sort_by_key(|n| key(*n + 1));
    order.into_iter().map(|n| lines[n].clone()).collect()
}

/// The pairs of different people taken for alike, and the halves of one person, each with `count` lines.
fn alike(lines: &Lines, count: usize) -> ((usize, usize), (usize, usize)) {
    let mut most: Vec<(&String, &Vec<String>)> = lines.by.iter().filter(|(_, own)| own.len() >= 2 * count).collect();
    most.sort_by_key(|(_, own)| std::cmp::Reverse(own.len()));
    most.truncate(9);
    let mut by: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (id, own) in &most {
        let own = mixed(own);
        by.insert(format!("{id}1"), own[..count].to_vec());
        by.insert(format!("{id}2"), own[count..2 * count].to_vec());
    }
    let drawn = Lines { by, all: 0 };
    let firsts: Vec<String> = most.iter().map(|(id, _)| format!("{id}1")).collect();
    let firsts: Vec<&str> = firsts.iter().map(String::as_str).collect();
    let different = drawn.alike(&firsts).len();
    let same = most.iter().filter(|(id, _)| !drawn.alike(&[&format!("{id}1"), &format!("{id}2")]).is_empty()).count();
    ((different, firsts.len() * (firsts.len() - 1) / 2), (same, most.len()))
}

#[test]
#[ignore = "prints figures: words set apart, lines with a speaker, voices that are alike"]
fn figures_of_speech() {
    for (book, count, people) in PEOPLE {
        let Some(texts) = chapters(book, 0..count) else { return };
        let all: Vec<bool> = texts.iter().flat_map(|text| quotes(text)).map(|quote| quote.is_speech).collect();
        eprintln!("{book}: {} spans, {} set apart", all.len(), all.iter().filter(|said| !**said).count());
        let lines = lines_of(book, count, people).unwrap();
        let attributed: usize = lines.by.values().map(Vec::len).sum();
        eprintln!("  {} lines, {attributed} with a speaker", lines.all);
        for count in [LEAST_LINES, 120, 180] {
            let ((different, pairs), (same, of)) = alike(&lines, count);
            eprintln!("  {count} lines each: {different} of {pairs} pairs alike, {same} of {of} halves of one person");
        }
        let mut most: Vec<_> = lines.by.iter().collect();
        most.sort_by_key(|(_, own)| std::cmp::Reverse(own.len()));
        for (id, _) in most.into_iter().take(8) {
            let voice = lines.voice(id).unwrap();
            let particles: Vec<String> =
                voice.particles.iter().take(2).map(|(c, share)| format!("{c} {:.0}%", share * 100.0)).collect();
            eprintln!(
                "  {id}: {} lines of {:.1}, {:.0}% questions, catch-phrases {:.0}%, {particles:?}, tics {:?}",
                voice.lines,
                voice.length,
                voice.questions * 100.0,
                voice.catch_phrases * 100.0,
                voice.tics.iter().map(|tic| (tic.words.as_str(), tic.times)).collect::<Vec<_>>()
            );
        }
    }
}

#[test]
fn speakers_of_a_novel_are_told_apart_and_halves_of_one_are_not() {
    let (book, count, people) = PEOPLE[0];
    let Some(lines) = lines_of(book, count, people) else { return };
    let attributed: usize = lines.by.values().map(Vec::len).sum();
    assert!(attributed * 10 > lines.all * 6, "{attributed} of {}", lines.all);
    let ((different, pairs), (same, of)) = alike(&lines, 120);
    assert!(different * 5 < pairs, "{different} of {pairs} pairs of different people are taken for alike");
    assert!(same * 2 > of, "{same} of {of} halves of one person are taken for alike");
}
