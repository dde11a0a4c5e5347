//! From one volume into the next.

use crate::common::World;

const LEDGER: &str = "book/foreshadowing/global.json";

fn section(chapter: u32, foreshadowing: &str) -> String {
    format!(
        "\n## 第{chapter}章 渡口第{chapter}夜\n\n- 故事线: main-arc\n- 视角: 沈渡\n- 地点: 北渡口\n- 冲突: 船票对不上舱单\n\
         - 人物弧光: 从只认票到开始认人\n- 伏笔: {foreshadowing}\n- 状态变化: 沈渡到了北渡口\n"
    )
}

#[test]
fn a_new_volume_takes_over_the_foreshadowings_that_are_open() {
    let world = World::new();
    let first = [
        "埋设 lamp：栈桥尽头多出一盏灯；埋设 bell：夜里有人敲钟",
        "推进 lamp：灯油每晚有人添",
        "回收 lamp：添灯的是当年的舱单员",
    ];
    let outline: String = (1..).zip(first).map(|(chapter, line)| section(chapter, line)).collect();
    world.write("outline.md", &format!("# 第一卷\n{outline}"));
    let args = [
        "init",
        "book",
        "--title",
        "渡口",
        "--genre",
        "悬疑",
        "--protagonist",
        "沈渡",
        "--conflict",
        "舱单",
        "--outline",
    ];
    let _ = world.novel("", &[&args[..], &["outline.md", "--offline"]].concat()).ok();
    let ids = || {
        let ledger: serde_json::Value = serde_json::from_str(&world.read(LEDGER)).unwrap();
        let entries = ledger["foreshadowing"].as_array().unwrap().clone();
        entries.iter().map(|entry| entry["id"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let _ = world.novel("book", &["continue", "3"]).ok();
    assert_eq!(ids(), ["lamp", "bell"]);
    let _ = world.novel("book", &["review"]).ok();
    // Saved and not committed, the outline is the plan all the same.
    world.write("book/volumes/vol-02/outline.md", &format!("# 第二卷\n{}{}", section(4, "无"), section(5, "无")));
    let _ = world.novel("book", &["continue", "--volume"]).ok();
    assert_eq!(ids(), ["bell"]);
    assert!(world.git("book", &["show", "ch-003:foreshadowing/global.json"]).ok().contains("添灯的是"));
    // The replay knows the rule, and so does the way back.
    let _ = world.novel("book", &["doctor"]).ok();
    let _ = world.novel("book", &["rollback", "ch-003", "--yes"]).ok();
    assert_eq!(ids(), ["lamp", "bell"]);
    let _ = world.novel("book", &["review"]).ok();
    let _ = world.novel("book", &["continue"]).ok();
    assert_eq!(ids(), ["bell"]);
    world.check("book");
}
