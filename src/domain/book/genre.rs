//! The genres of web novels, recognised in an author's words.

use crate::domain::named::named;

named! {
    /// Settings come before moods, because a system novel may play in any world.
    pub enum Genre {
        /// 无限流: one closed world with rules of its own after the other.
        Infinite = "infinite",
        /// 系统流: a system sets tasks and counts points.
        System = "system",
        /// 仙侠: cultivation, sects, immortality.
        Xianxia = "xianxia",
        /// 武侠: fighters and their code, without immortals.
        Wuxia = "wuxia",
        /// 玄幻: invented worlds and ranks of power.
        Fantasy = "fantasy",
        /// 科幻.
        SciFi = "scifi",
        /// 悬疑, with crime and horror.
        Mystery = "mystery",
        /// 古言: romance and households of the past.
        Costume = "costume",
        /// 言情 of today.
        Romance = "romance",
        /// 历史, with war and statecraft.
        History = "history",
        /// 都市: today's cities and trades.
        Urban = "urban",
    }
}

impl Genre {
    const fn words(self) -> &'static [&'static str] {
        match self {
            Self::Infinite => &["无限", "副本", "规则怪谈", "infinite"],
            Self::System => &["系统", "签到", "面板", "litrpg"],
            Self::Xianxia => &["仙侠", "修真", "修仙", "仙", "xianxia"],
            Self::Wuxia => &["武侠", "江湖", "wuxia"],
            Self::Fantasy => &["玄幻", "奇幻", "异世", "异能", "西幻", "高武", "热血", "升级", "fantasy"],
            Self::SciFi => &["科幻", "末世", "星际", "赛博", "废土", "机甲", "science", "sci-fi"],
            Self::Mystery => {
                &["悬疑", "推理", "惊悚", "恐怖", "灵异", "谍", "刑侦", "奇谈", "mystery", "thriller", "horror"]
            }
            Self::Costume => &["古言", "古代言情", "古风言情", "宫斗", "宅斗", "宫廷"],
            Self::Romance => &["言情", "恋爱", "婚恋", "甜宠", "虐恋", "romance"],
            Self::History => &["历史", "权谋", "争霸", "科举", "种田", "historical"],
            Self::Urban => &["都市", "现实", "职场", "校园", "年代", "娱乐", "urban"],
        }
    }

    /// The genres that the words name, in the order of [`Genre::ALL`]. A romance of the past is no romance of today.
    pub fn named_in(words: &str) -> Vec<Self> {
        let words = words.to_lowercase();
        let is_named = |genre: &Self| genre.words().iter().any(|word| words.contains(word));
        let mut genres: Vec<Self> = Self::ALL.iter().copied().filter(is_named).collect();
        if genres.contains(&Self::Costume) {
            genres.retain(|genre| *genre != Self::Romance);
        }
        genres
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_authors_words_name_the_genres() {
        let cases: [(&str, &[Genre]); 10] = [
            ("都市悬疑", &[Genre::Mystery, Genre::Urban]),
            ("仙侠", &[Genre::Xianxia]),
            ("江湖悬疑", &[Genre::Wuxia, Genre::Mystery]),
            ("系统流玄幻", &[Genre::System, Genre::Fantasy]),
            ("古风言情", &[Genre::Costume]),
            ("校园言情", &[Genre::Romance, Genre::Urban]),
            ("Science Fiction", &[Genre::SciFi]),
            ("无限流恐怖", &[Genre::Infinite, Genre::Mystery]),
            ("历史权谋", &[Genre::History]),
            ("散文", &[]),
        ];
        for (words, genres) in cases {
            assert_eq!(Genre::named_in(words), genres, "{words}");
        }
    }
}
