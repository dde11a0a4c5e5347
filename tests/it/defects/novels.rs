//! Defects of the text, planted in chapters of two novels as a model would deliver them. Run when asked:
//! `cargo test --test it defects_in_novels -- --ignored --nocapture`. Silent where the novels are not.

use super::Tally;
use crate::text::name_figures::{BOOKS, texts};
use novel::agents::checks::completeness::{Break, COMPARED, Expected, RemovedPart, Sources, TextFinding, TextSource};
use novel::agents::checks::slips::seam_doubts;
use novel::agents::writer;
use novel::domain::ChapterNo;
use novel::text::{self, NameIndex, NamedEntity};

/// The chapters with defects, counted from 0.
const HOSTS: std::ops::Range<usize> = 30..36;
/// The plan of every chapter.
const PLAN: &str = "沈砚秋把半张当票藏进米缸，谁知当铺的学徒早已抄下号码，两拨人同时在后巷等他现身。";

struct Host {
    texts: Vec<String>,
    index: NameIndex,
}

/// A chapter's title, which the files do not have: the first letters of the sentence in its middle.
fn title(text: &str) -> String {
    let sentences = text::prose_sentences(text);
    sentences[sentences.len() / 2].raw.chars().filter(|c| c.is_alphanumeric()).take(7).collect()
}

fn number(at: usize) -> ChapterNo {
    ChapterNo::new(at as u32 + 1).unwrap()
}

impl Host {
    fn sources(&self, at: usize) -> Sources {
        let near = at.saturating_sub(COMPARED as usize)..at;
        let style = text::quote_style_of(self.texts[near.clone()].iter().map(String::as_str));
        let mut sources = Sources::default().quoted(style).after(&self.texts[at - 1]);
        for earlier in 0..at {
            sources = sources.titled(number(earlier), &title(&self.texts[earlier]));
        }
        for earlier in near {
            sources = sources.with(TextSource::Chapter(number(earlier)), &self.texts[earlier]);
        }
        sources.with(TextSource::Plan, PLAN)
    }

    /// The findings in a reply for a chapter.
    fn findings(&self, at: usize, reply: &str) -> Vec<TextFinding> {
        let sources = self.sources(at);
        let least = writer::words(&self.texts[at]) * 9 / 10;
        let expected = Expected { sources: &sources, ..Expected::of_length(least) };
        writer::read(reply, number(at), "当票的下落", &expected).map(|read| read.findings).unwrap_or_default()
    }
}

/// A chapter as a writer delivers it.
fn reply(at: usize, heading: &str, body: &str) -> String {
    format!("# 第{}章 {heading}\n\n{body}\n", at + 1)
}

/// Whether a finding is the answer to a defect. A text that was cut is without its end, and often in a quotation; a long
/// passage is a copy.
fn answers(finding: &TextFinding, kind: &str) -> bool {
    let found = kind_of(finding);
    found == kind
        || match kind {
            "truncated" | "short" => matches!(finding, TextFinding::BrokenOff(_)),
            "passage copied" => found == "chapter twice",
            _ => false,
        }
}

/// A text with something behind the paragraph in its middle.
fn with(text: &str, more: &str) -> String {
    let paragraphs = text::paragraphs(text);
    let middle = &paragraphs[paragraphs.len() / 2];
    let end = middle.start + middle.text.len();
    format!("{}\n\n{more}\n\n{}", &text[..end], &text[end..])
}

/// About so many letters of a text, in whole sentences from its middle.
fn passage(text: &str, letters: usize) -> String {
    let sentences = text::prose_sentences(text);
    let mut found = String::new();
    for sentence in &sentences[sentences.len() / 2..] {
        found.push_str(sentence.raw.trim());
        if found.chars().count() >= letters {
            break;
        }
    }
    found
}

/// A text that stops in the middle of a quotation.
fn inside_quotation(text: &str) -> Option<String> {
    let quote = text::quotes(text).into_iter().rfind(|quote| {
        let inner = &text[quote.inner.clone()];
        quote.closed && inner.chars().count() > 30 && inner.contains('。') && quote.inner.start > text.len() / 2
    })?;
    let end = quote.inner.start + text[quote.inner].find('。')? + '。'.len_utf8();
    Some(text[..end].to_owned())
}

/// A text of which every second quotation has other marks.
fn with_other_marks(text: &str, marks: (char, char)) -> String {
    let (mut out, mut done) = (String::new(), 0);
    for quote in text::quotes(text).iter().filter(|quote| quote.closed).step_by(2) {
        out.push_str(&text[done..quote.range.start]);
        out.push(marks.0);
        out.push_str(&text[quote.inner.clone()]);
        out.push(marks.1);
        done = quote.range.end;
    }
    out + &text[done..]
}

const CHAT: [(&str, &str); 6] = [
    ("好的，以下是第31章的正文：\n\n", ""),
    ("", "\n\n希望您喜欢这一章！如需调整，请告诉我。"),
    ("", "\n\n（本章完）\n\n如果您需要修改剧情，请随时告诉我。"),
    ("当然，下面是按大纲写的章节：\n\n", ""),
    ("", "\n\n---\n以上就是本章的全部正文，期待您的反馈。"),
    ("", "\n\n下一章预告：众人夜探贼巢，谁知早有埋伏。"),
];
const OF_PROMPT: [&str; 6] = [
    "按照大纲，他在这里要出城去。",
    "他想起本章目标，脚步快了几分。",
    "（此处省略打斗三百字）",
    "这时他推进了 pawn_ticket_two 这件事。",
    "字数要求已经达到，他便歇了。",
    "</章纲>",
];

/// The kind of a finding in the table.
fn kind_of(finding: &TextFinding) -> &'static str {
    match finding {
        TextFinding::Removed(RemovedPart::Chat { .. }) => "chat",
        TextFinding::Removed(RemovedPart::Prompt | RemovedPart::PlanAround) | TextFinding::PromptWords { .. } => {
            "prompt words"
        }
        TextFinding::Removed(RemovedPart::PreviousEnding { .. }) => "previous ending",
        TextFinding::Removed(RemovedPart::EndRepeats { .. })
        | TextFinding::Circling
        | TextFinding::BrokenOff(Break::Loop) => "circles",
        TextFinding::Removed(RemovedPart::Twice { .. }) => "paragraph twice",
        TextFinding::Removed(RemovedPart::NextChapter { .. }) => "next chapter",
        TextFinding::BrokenOff(Break::Quotation) => "open quotation",
        TextFinding::BrokenOff(_) => "truncated",
        TextFinding::Copied { from: TextSource::Plan, .. } | TextFinding::Recycled { from: TextSource::Plan, .. } => {
            "outline pasted"
        }
        TextFinding::Copied { .. } => "chapter twice",
        TextFinding::Recycled { .. } => "passage copied",
        TextFinding::Title { .. } => "title",
        TextFinding::Requoted { .. } => "mixed quotes",
        TextFinding::Short { .. } | TextFinding::Fragment { .. } => "short",
        TextFinding::Long { .. } => "long",
        TextFinding::Foreign { .. } => "language",
        TextFinding::Outline => "outline",
        TextFinding::Unchanged => "unchanged",
        TextFinding::Shrunk { .. } => "shrunk",
    }
}

/// The replies with a defect for a chapter, each with its kind.
fn replies(host: &Host, at: usize) -> Vec<(&'static str, String)> {
    let (n, own) = (at - HOSTS.start, host.texts[at].trim());
    let heading = title(own);
    let before = &host.texts[at - 1 - n % 3];
    let cut = |share: usize| {
        let sentences = text::prose_sentences(own);
        let last = &sentences[sentences.len() * share / 100];
        own[..last.start + last.raw.len()].to_owned()
    };
    let in_sentence = || {
        let whole = cut(95);
        let letters = whole.trim_end_matches(|c: char| !c.is_alphanumeric()).chars().count();
        whole.chars().take(letters - 2 - n % 2).collect::<String>()
    };
    let ending = {
        let paragraphs = text::paragraphs(&host.texts[at - 1]);
        let last = paragraphs.last().unwrap().text;
        let sentences = text::prose_sentences(last);
        if n % 2 == 0 {
            last.to_owned()
        } else {
            sentences[sentences.len().saturating_sub(2)..].iter().map(|s| s.raw).collect()
        }
    };
    let paragraph = text::paragraphs(own).iter().map(|p| p.text).find(|p| (60..600).contains(&p.chars().count()));
    let mut all: Vec<(&'static str, String)> = vec![
        ("prompt words", with(own, OF_PROMPT[n % 6])),
        ("truncated", in_sentence()),
        ("chapter twice", host.texts[at - 2 - n].clone()),
        ("passage copied", with(own, &passage(before, 70 + 20 * n))),
        ("outline pasted", with(own, PLAN)),
        ("previous ending", format!("{ending}\n\n{own}")),
        ("mixed quotes", with_other_marks(own, if n % 2 == 0 { ('「', '」') } else { ('"', '"') })),
        ("short", cut(30 + 8 * n)),
        ("circles", format!("{own}\n\n{}", "众人听了这话，都觉得十分有理，便一齐点头称是。\n\n".repeat(30))),
    ];
    all.extend(paragraph.map(|again| ("paragraph twice", with(own, again))));
    all.extend(inside_quotation(own).map(|body| ("open quotation", body)));
    let mut replies: Vec<(&'static str, String)> =
        all.into_iter().map(|(kind, body)| (kind, reply(at, &heading, &body))).collect();
    replies.push(("chat", format!("{}{}{}", CHAT[n % 6].0, reply(at, &heading, own), CHAT[n % 6].1)));
    replies
}

/// Plants slips in names, and counts the words of the clean text that are taken for one.
fn slips(host: &Host, at: usize, tally: &mut Tally) {
    use pinyin::ToPinyin as _;
    let text = &host.texts[at];
    host.index.variants(text).iter().for_each(|_| tally.false_alarm("name variant"));
    let mentions = host.index.mentions(text);
    let long = mentions.iter().filter(|mention| mention.form.chars().count() == 3);
    let Some(mention) = long.clone().nth(long.count() / 2) else { return };
    let form: Vec<char> = mention.form.chars().collect();
    let sound = form[2].to_pinyin().unwrap().plain();
    let all: std::collections::BTreeSet<char> = host.texts.iter().flat_map(|text| text.chars()).collect();
    let wrong = all.into_iter().find(|c| *c != form[2] && c.to_pinyin().is_some_and(|s| s.plain() == sound)).unwrap();
    let slip: String = [form[0], form[1], wrong].iter().collect();
    let planted = format!("{}{slip}{}", &text[..mention.range.start], &text[mention.range.end..]);
    let is_found = host.index.variants(&planted).iter().any(|v| slip.contains(&v.form) || v.form.contains(&slip));
    tally.planted("name variant", is_found, &format!("{} → {slip}", mention.form));
}

#[test]
#[ignore = "prints figures: planted defects of the text that are found"]
fn defects_in_novels() {
    let (mut tally, mut clean) = (Tally::default(), 0);
    for (book, names) in BOOKS {
        let named = |name: &str| NamedEntity { id: name.into(), name: name.into(), aliases: vec![], is_person: true };
        let index = NameIndex::new(&names.split(' ').map(named).collect::<Vec<_>>());
        let host = Host { texts: texts(book), index };
        if host.texts.is_empty() {
            return;
        }
        for at in HOSTS {
            for (kind, reply) in replies(&host, at) {
                let found = host.findings(at, &reply);
                let is_found = found.iter().any(|finding| answers(finding, kind));
                tally.planted(kind, is_found, &format!("{book} {}: {found:?}", at + 1));
            }
            slips(&host, at, &mut tally);
            let ending = format!("{}到了深夜，众人方才散去。", host.texts[at - 1]);
            let seam = seam_doubts(&ending, &format!("下午，众人又坐在一处。{}", host.texts[at]));
            tally.planted("seam", !seam.is_empty(), book);
        }
        for at in 20..host.texts.len() {
            clean += host.texts[at].chars().count();
            for finding in host.findings(at, &reply(at, &title(&host.texts[at]), &host.texts[at])) {
                eprintln!("{book} {}: {finding:?}", at + 1);
                tally.false_alarm(kind_of(&finding));
            }
            let ending: String = host.texts[at - 1].chars().rev().take(300).collect::<Vec<_>>().iter().rev().collect();
            seam_doubts(&ending, &host.texts[at]).iter().for_each(|doubt| {
                eprintln!("{book} {}: {doubt}", at + 1);
                tally.false_alarm("seam");
            });
        }
    }
    tally.show(clean);
}
