//! How many planted slips in names are found, and how many words of untouched novels are taken for one. Run when asked:
//! `cargo test --test it name_figures -- --ignored --nocapture`. Silent where the novels are not.

use novel::text::{NameIndex, NamedEntity};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The people of two novels who are named most.
pub const BOOKS: [(&str, &str); 2] = [
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

pub fn texts(book: &str) -> Vec<String> {
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
        let named = |name: &str| NamedEntity { id: name.into(), name: name.into(), aliases: vec![], is_person: true };
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

/// A slip that fills a chapter: found in each chapter that names a person three times or more, with every mention written with a
/// character of the same sound and, of names of three characters, with any other one; and the alarms where each person is expected
/// in every chapter of the untouched book that never names him.
#[test]
#[ignore = "prints figures: names that are written wrong throughout a chapter, and alarms about people who are not there"]
fn slips_that_fill_a_chapter() {
    use pinyin::ToPinyin as _;
    for (book, names) in BOOKS.into_iter().chain([("sanguo", SANGUO)]) {
        let texts = texts(book);
        let sounds = homophones(&texts);
        let named = |name: &str| NamedEntity { id: name.into(), name: name.into(), aliases: vec![], is_person: true };
        let index = NameIndex::new(&names.split(' ').map(named).collect::<Vec<_>>());
        let (mut absent, mut alarms, mut planted) = (0, Vec::new(), BTreeMap::new());
        for (chapter, text) in texts.iter().enumerate() {
            for name in names.split(' ') {
                let expected = BTreeSet::from([name.to_owned()]);
                let mentions: Vec<_> = index.mentions(text).into_iter().filter(|m| m.ids == [name]).collect();
                if mentions.is_empty() {
                    absent += 1;
                    let found = index.stand_ins(text, &expected).into_iter().filter(|found| found.uses >= 3);
                    alarms.extend(
                        found.map(|found| format!("{}: {}<{} {}", chapter + 1, found.form, found.meant, found.uses)),
                    );
                }
                if mentions.len() < 3 {
                    continue;
                }
                for is_alike in [true, false] {
                    let letters: Vec<char> = name.chars().collect();
                    let at = if letters.len() == 2 { chapter % 2 } else { 1 + chapter % (letters.len() - 1) };
                    let Some(sound) = letters[at].to_pinyin() else { continue };
                    let others =
                        if is_alike { sounds[sound.plain()].clone() } else { vec!['岚', '霄', '珂', '骁'] };
                    let others: Vec<char> = others.into_iter().filter(|c| *c != letters[at]).collect();
                    let Some(wrong) = others.get(chapter % others.len().max(1)) else { continue };
                    let mut filled = text.clone();
                    for mention in mentions.iter().rev() {
                        let slip = mention.form.replace(letters[at], &wrong.to_string());
                        filled.replace_range(mention.range.clone(), &slip);
                    }
                    if index.mentions(&filled).iter().any(|m| m.ids.iter().any(|id| id == name)) {
                        continue;
                    }
                    let is_found = index.stand_ins(&filled, &expected).iter().any(|found| found.uses >= 3);
                    let count: &mut (usize, usize) = planted.entry((is_alike, letters.len())).or_default();
                    *count = (count.0 + usize::from(is_found), count.1 + 1);
                }
            }
        }
        eprintln!("{book}: found of planted by sound and length {planted:?}");
        eprintln!("  {} alarms in {absent} chapters without a person: {alarms:?}", alarms.len());
    }
}

/// The longer names that a renaming leaves whole although no registry has them, and the mentions of each person that it leaves for
/// these and for words around. Both are printed, for a reader to judge.
#[test]
#[ignore = "prints figures: old names that a renaming leaves as they are"]
fn names_that_a_renaming_leaves() {
    use novel::text::{Renaming, Replacement, new_names};
    for (book, names) in BOOKS.into_iter().chain([("sanguo", SANGUO)]) {
        let texts = texts(book);
        let named = |name: &str| NamedEntity { id: name.into(), name: name.into(), aliases: vec![], is_person: true };
        let (mut all, mut doubtful, mut held, mut planted_longer) = (0, Vec::new(), Vec::new(), (0, 0));
        for name in names.split(' ') {
            let others: Vec<NamedEntity> = names.split(' ').filter(|other| *other != name).map(named).collect();
            let known = NameIndex::new(&others);
            let with: Vec<&str> = texts.iter().map(String::as_str).filter(|text| text.contains(name)).collect();
            let found = with.chunks(5).flat_map(|texts| new_names(texts, &known));
            let longer: BTreeSet<String> =
                found.map(|new| new.form).filter(|form| form.len() > name.len() && form.contains(name)).collect();
            let longer: Vec<NamedEntity> =
                longer.into_iter().map(|form| NamedEntity { is_person: false, ..named(&form) }).collect();
            let replacement = [Replacement { was: name.into(), is: "某甲乙".into(), is_full: true }];
            let renaming = Renaming::new(named("某甲乙"), &[&others[..], &longer].concat(), &replacement);
            for text in &texts {
                for old in renaming.find(text) {
                    all += 1;
                    let around = text[..old.range.start].char_indices().rev().nth(1).map_or(0, |(at, _)| at);
                    let end =
                        text[old.range.end..].char_indices().nth(2).map_or(text.len(), |(at, _)| old.range.end + at);
                    doubtful.extend(old.to.is_none().then(|| text[around..end].replace(['\n', '\r'], " ")));
                }
            }
            // Another person, whom no file has, is called by the name and a character more.
            let other = others.iter().find(|other| texts.iter().filter(|text| text.contains(&other.name)).count() > 8);
            if let Some(other) = other {
                let long = format!("{name}龙");
                let planted: Vec<String> = texts.iter().map(|text| text.replace(&other.name, &long)).collect();
                let with: Vec<&str> = planted.iter().map(String::as_str).filter(|text| text.contains(name)).collect();
                let rest: Vec<NamedEntity> = others.iter().filter(|named| named.name != other.name).cloned().collect();
                let known = NameIndex::new(&rest);
                let is_found = with.chunks(5).any(|texts| new_names(texts, &known).iter().any(|new| new.form == long));
                planted_longer = (planted_longer.0 + usize::from(is_found), planted_longer.1 + 1);
            }
            for form in &longer {
                let count = texts.iter().map(|text| text.matches(&form.name).count()).sum::<usize>();
                held.push(format!("{} {count}", form.name));
            }
        }
        eprintln!(
            "{book}: {all} old names; held whole: {held:?}, planted {planted_longer:?}; doubtful: {} {doubtful:?}",
            doubtful.len()
        );
    }
}

/// The people of 三国演义 who are named most.
const SANGUO: &str = "刘备 关羽 张飞 诸葛亮 曹操 孙权 周瑜 赵云 吕布 司马懿 姜维 马超 黄忠 魏延 鲁肃 孙策 袁绍 董卓 陆逊 吕蒙 庞统 徐庶 夏侯惇 张辽 典韦";

/// The people of 红楼梦 by all forms of their names in the text, as far as a reader's list goes, and of 七剑十三侠 those that the
/// first list has and those found by reading what the search below took for names.
pub const CASTS: [(&str, &str); 2] = [
    (
        "hongloumeng",
        "贾宝玉 宝玉 宝二爷 林黛玉 黛玉 林姑娘 颦儿 薛宝钗 宝钗 宝姑娘 宝姐姐 王熙凤 熙凤 凤姐 凤姐儿 凤丫头 琏二奶奶 史湘云 湘云 云妹妹 云儿 袭人 花袭人 平儿 晴雯 紫鹃 贾琏 琏儿 琏二爷 贾政 贾珍 珍大爷 贾蓉 蓉儿 薛蟠 薛姨妈 邢夫人 王夫人 尤氏 刘姥姥 板儿 香菱 麝月 莺儿 雪雁 焙茗 茗烟 秦钟 秦锺 贾芸 贾环 环儿 探春 三姑娘 惜春 四姑娘 迎春 二姑娘 元春 李纨 宫裁 贾兰 兰哥儿 贾母 史太君 老太太 贾赦 贾敬 贾蔷 蔷哥儿 贾瑞 贾代儒 贾雨村 雨村 甄士隐 士隐 英莲 封肃 娇杏 冷子兴 子兴 秦可卿 秦氏 可卿 秦业 智能 智能儿 静虚 金钏 金钏儿 玉钏 玉钏儿 彩云 彩霞 彩明 鸳鸯 琥珀 翡翠 珍珠 鹦鹉 素云 碧月 丰儿 小红 红玉 林之孝 林之孝家的 赖大 赖嬷嬷 赖升 赖尚荣 来升 周瑞 周瑞家的 王善保家的 吴新登 单大良 秋纹 碧痕 春燕 四儿 坠儿 芳官 藕官 蕊官 龄官 葵官 豆官 荳官 艾官 文官 宝官 玉官 茄官 药官 妙玉 邢岫烟 岫烟 李纹 李绮 薛宝琴 宝琴 薛蝌 夏金桂 金桂 宝蟾 尤二姐 二姐 二姐儿 尤三姐 三姐 三姐儿 尤老娘 柳湘莲 湘莲 蒋玉菡 琪官 蒋玉函 北静王 水溶 冯紫英 陈也俊 卫若兰 倪二 卜世仁 醉金刚 张道士 王道士 马道婆 赵姨娘 周姨娘 嫣红 翠缕 侍书 待书 入画 司棋 绣橘 莲花儿 柳家的 五儿 柳五儿 秦显家的 夏婆子 何婆子 多姑娘 鲍二 鲍二家的 兴儿 旺儿 来旺 隆儿 昭儿 喜儿 寿儿 李贵 李嬷嬷 王一贴 王太医 张友士 胡君荣 胡太医 傻大姐 智通 圆信 净虚 巧姐 巧姐儿 大姐儿 文花 佩凤 偕鸾 秋桐 善姐 春梅 银蝶 炒豆儿 臻儿 篆儿 小螺 同喜 同贵 抱琴 夏守忠 戴权 夏太监 周太监 贾菌 贾芹 芹儿 贾蘅 贾璜 金荣 香怜 玉爱 张华 焦大 乌进孝 俞禄 包勇 程日兴 詹光 单聘仁 嵇好古 卜固修 山子野 孙绍祖 甄宝玉 傅秋芳 傅试 二丫头 茜雪 媚人 檀云 绮霰 绮霞 佳蕙 良儿 靓儿 可人 玻璃 鸳鸯姐姐 平姑娘 袭姑娘 薛大哥 琏二哥 珍大嫂 珠大嫂子 大太太 二太太 姨太太 老祖宗 王仁 王子腾 王尔调 詹子亮 毕知庵 李十儿 何三 周贵 空空道人 茫茫大士 渺渺真人 警幻 警幻仙姑 癞头和尚 钟情大士 宝兄弟 林妹妹 薛妹妹 云丫头 林丫头 宋嬷嬷 张妈 王奶妈 李宫裁 张材家的 郑好时 钱华 钱启 吴贵 灯姑娘 秦老爷 赖爷爷 张爷爷 花自芳 花大姐 卍儿 小鹊 王短腿 王和荣 张德辉 张金哥 张财主 守备 云光 璎珞 瑞珠 宝珠 彩屏 彩儿 绣凤 绣鸾 绣鸳 小霞 小舍儿 小吉祥儿 小鸠儿 小蝉儿 玉柱儿 坠儿妈",
    ),
    (
        "qijian13xia",
        "徐鸣皋 鸣皋 罗季芳 季芳 江梦笔 梦笔 一枝梅 慕容贞 杨小舫 小舫 徐庆 伍天熊 天熊 伍天豹 焦大鹏 大鹏 周湘帆 湘帆 狄洪道 洪道 王能 李武 包行恭 行恭 宸濠 王守仁 守仁 徐寿 李自然 非非僧 余秀英 秀英 玄贞子 海鸥子 一尘子 飞云子 默存子 凌云生 山中子 罗浮生 自全生 独孤生 御风生 云阳生 傀儡生 霓裳子 草上飞 李文孝 文孝 李文忠 文忠 王媚娘 孙大娘 苏月娥 张善仁 方国才 白素贞 巧云 林兰英 兰英 红衣娘 皇甫良 金三 殷飞红 飞红 杨挺 朱龙 铁昂 郑良才 严虎 徐定标 卞文龙 余半仙 半仙 余七 孙寄安 方秀英 秀华 张永 刘瑾 毛橘江 任大海 大海 池大鬓 大鬓 王远谋 远谋 卜大武 大武 胡大渊 大渊 王元帅 杨一清 一清 仇钺 寘鐇 周昂 何锦 安化王 朱宸濠 张锦 钱宁 武宗 王文龙 赵员外 马金标 金标 刘养正 邺天庆 天庆 雷大春 大春 波罗僧 铁头陀 殷寿 殷家 吴正品 马耀 王仁义 谢志山 志山 张保 张保胜 冯云 陈景开 史万顷 孙燧 许逵 许大江 郑元龙 赵得胜 倪保忠 邬凤 曹鼎 刘佐玉 邬天庆 王凤姑 鹪寄生 漱石生 河海生 自圣生 梦觉生 玉枢子 飞镡子 凌云子 吴杰 狄化 陆松年 孙理文 方快",
    ),
];

/// The casts above, and that of 三国演义: the people of the list beside it with all their names.
fn casts() -> Vec<(&'static str, BTreeSet<String>)> {
    let own = CASTS.map(|(book, cast)| (book, cast.split(' ').map(str::to_owned).collect()));
    let list = Path::new(super::DATA).join("lists/sanguo_entity_aliases.json");
    let sanguo = std::fs::read(list).ok().map(|list| {
        let list: Value = serde_json::from_slice(&list).unwrap();
        let people = list["mention"].as_object().unwrap().iter().filter(|(name, _)| list["type"][name] == "人名");
        let forms = people.flat_map(|(_, forms)| forms.as_array().unwrap());
        let forms = forms.map(|form| form.as_str().unwrap()).filter(|form| form.chars().count() > 1);
        ("sanguo", forms.map(str::to_owned).collect())
    });
    own.into_iter().chain(sanguo).collect()
}

/// New names in every fifth block of five chapters: recall of the mentions of the cast, with nothing registered and with what was
/// found in the blocks before; and the share of the strings taken for names that are names. The strings that the cast does not
/// have are printed, for a reader to judge.
#[test]
#[ignore = "prints figures: new names found in chapters whose people are unknown"]
fn new_names_in_unseen_chapters() {
    use novel::text::new_names;
    for (book, cast) in casts() {
        let texts = texts(book);
        if texts.is_empty() {
            continue;
        }
        let named =
            |name: &String| NamedEntity { id: name.clone(), name: name.clone(), aliases: vec![], is_person: false };
        let index = NameIndex::new(&cast.iter().map(named).collect::<Vec<_>>());
        let (mut seen, mut all, mut right, mut taken, mut seen_before) = (0, 0, 0, 0, 0);
        let mut before: BTreeSet<String> = BTreeSet::new();
        let mut missed: BTreeMap<String, usize> = BTreeMap::new();
        let mut other: BTreeMap<String, usize> = BTreeMap::new();
        for (turn, block) in texts.chunks(5).enumerate() {
            let block: Vec<&str> = block.iter().map(String::as_str).collect();
            let found = new_names(&block, &NameIndex::new(&[]));
            before.extend(found.iter().map(|name| name.form.clone()));
            if turn % 5 != 2 {
                continue;
            }
            let forms: BTreeSet<&str> = found.iter().map(|name| name.form.as_str()).collect();
            taken += forms.len();
            for form in &forms {
                if cast.contains(*form) {
                    right += 1;
                } else {
                    *other.entry((*form).to_owned()).or_default() += 1;
                }
            }
            for mention in block.iter().flat_map(|text| index.mentions(text)) {
                all += 1;
                seen_before += usize::from(before.contains(&mention.form));
                if forms.contains(mention.form.as_str()) {
                    seen += 1;
                } else {
                    *missed.entry(mention.form).or_default() += 1;
                }
            }
        }
        let mut missed: Vec<_> = missed.into_iter().collect();
        missed.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
        let share = |part: usize| part as f64 / all as f64;
        eprintln!(
            "{book}: recall {:.3} of {all} mentions; {:.3} with the blocks before",
            share(seen),
            share(seen_before)
        );
        eprintln!("  names {right} of {taken} strings = {:.2}", right as f64 / taken as f64);
        eprintln!("  missed {:?}", &missed[..missed.len().min(40)]);
        eprintln!("  other {other:?}");
        // The list for 七剑十三侠 lacks most of its minor people.
        let (least, names) = match book {
            "sanguo" => (0.77, 0.82),
            "qijian13xia" => (0.85, 0.56),
            _ => (0.85, 0.82),
        };
        assert!(share(seen) >= least && right as f64 >= names * taken as f64, "{book}");
    }
}
