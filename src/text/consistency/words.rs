//! Findings in Chinese, for the author and for the judge.

use super::Contradiction;

impl Contradiction {
    /// The finding in a sentence without its end.
    #[must_use]
    pub fn in_chinese(&self) -> String {
        match self {
            Self::Dead { person, record } => format!("{person}已经死了（记录：{record}），这里却在说话或动作"),
            Self::Retired { person } => format!("{person}已经退场，这里却在说话或动作"),
            Self::Leak { person, line } => format!("{person}是「{line}」线的人，章纲里没有他，这一章不该知道"),
            Self::TwoOwners { item, owners: (one, other) } => format!("「{item}」同时在{one}和{other}手里"),
            Self::NotHeld { person, item, owner: Some(owner) } => {
                format!("{person}拿出了「{item}」，记录里它在{owner}手里")
            }
            Self::NotHeld { person, item, owner: None } => format!("{person}拿出了「{item}」，记录里它早就没有了"),
            Self::Age { person, was, since, is } => format!("{person}在 {since} 是 {was} 岁，这里是 {is} 岁"),
            Self::Place { person, was, is } => format!("{person}在记录里是在{was}，这里在{is}，没写怎么过去的"),
            Self::Count { item, recorded, is } => format!("「{item}」在记录里是 {recorded}，这里说是 {is}"),
            Self::Figure { entity, measure, was, since, is } => {
                format!("{entity}的{}在 {since} 是「{was}」，这里是「{is}」", measure.in_chinese())
            }
            Self::Date { was, is, since } => format!("时间往回走了：{since} 是「{was}」，这一章是「{is}」"),
            Self::Task { id, action } => format!("契约要这一章{}「{id}」，这一章的记录里没有", action.verb()),
            Self::Variant { form, meant, fills: Some(uses) } => {
                format!("该写到{meant}，却一次也没有，「{form}」倒有 {uses} 处，像是写错了字")
            }
            Self::Variant { form, meant, fills: None } => format!("「{form}」像是「{meant}」写错了字"),
            Self::Quotes { odd, usual } => format!("引号不统一：{usual} 处一种，{odd} 处另一种"),
            Self::Title { chapter, title } => format!("章名和 {chapter}《{title}》太像"),
        }
    }
}
