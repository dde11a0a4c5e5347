//! `novel import --from`: books of other writing programs, from folders made by hand.

use crate::common::World;
use serde_json::{Value, json};

fn folder(world: &World, at: &str, files: &[(&str, &str)]) {
    for (path, text) in files {
        world.write(&format!("{at}/{path}"), text);
    }
}

fn carried(world: &World, program: &str, at: &str) -> Value {
    let args = ["import", at, "--from", program, "--into", "书", "--yes", "--json"];
    let done = world.novel("", &args);
    assert_eq!((done.code, &done.json()["status"]), (0, &"imported".into()), "{done:#?}");
    let again = world.novel("", &args).json();
    assert_eq!(again["status"], "unchanged");
    // Every delta gives the state that is committed.
    world.check("书");
    let told = world.novel("书", &["doctor", "--lang", "zh"]).ok();
    assert!(!told.contains("警告") && !told.contains("错误"), "{told}");
    done.json()
}

fn read(world: &World, path: &str) -> Value {
    serde_json::from_str(&world.read(&format!("书/{path}"))).unwrap()
}

#[test]
fn a_book_of_inkos_brings_its_accepted_chapters_and_its_state() {
    let world = World::new();
    let hooks = json!({"hooks": [
        {"hookId": "旧剑来历", "startChapter": 1, "type": "mystery", "status": "progressing", "lastAdvancedChapter": 2,
         "expectedPayoff": "剑是父亲的", "notes": "", "coreHook": true, "halfLifeChapters": 30},
        {"hookId": "H002", "startChapter": 1, "type": "threat", "status": "resolved", "lastAdvancedChapter": 2,
         "expectedPayoff": "追兵到了"}]});
    let state = json!({"chapter": 2, "facts": [
        {"subject": "林风", "predicate": "当前位置", "object": "城门", "validFromChapter": 1, "validUntilChapter": 2, "sourceChapter": 1},
        {"subject": "林风", "predicate": "当前位置", "object": "渡口", "validFromChapter": 2, "validUntilChapter": null, "sourceChapter": 2},
        {"subject": "渡船", "predicate": "状态", "object": "已沉", "validFromChapter": 2, "validUntilChapter": null, "sourceChapter": 2}]});
    let index = json!([{"number": 1, "title": "夜雨", "status": "approved"}, {"number": 2, "title": "渡口", "status": "published"},
        {"number": 3, "title": "草稿", "status": "drafted"}]);
    let rows = json!({"rows": [{"chapter": 1, "title": "夜雨", "events": "林风进城。", "mood": "压抑"}]});
    let (hooks, state, index, rows) = (hooks.to_string(), state.to_string(), index.to_string(), rows.to_string());
    folder(
        &world,
        "ink",
        &[
            ("book.json", r#"{"id": "x", "title": "青锋录", "platform": "qidian", "genre": "xianxia"}"#),
            ("chapters/index.json", &index),
            ("chapters/0001_夜雨.md", "# 第1章 夜雨\n\n雨停了。\n\n　　他走了。\n"),
            ("chapters/0002_渡口.md", "# 第2章 渡口\n\n船沉了。\n"),
            ("chapters/0003_草稿.md", "# 第3章 草稿\n\n没写完。\n"),
            (".trash/0002_旧.md", "删去的。\n"),
            ("story/state/hooks.json", &hooks),
            ("story/state/current_state.json", &state),
            ("story/state/chapter_summaries.json", &rows),
            ("story/roles/主要角色/林风.md", "少年剑客。\n"),
            ("story/book_rules.md", "# 规则\n\n- 灵力不能凭空产生\n"),
            ("story/outline/volume_map.md", "# 卷一\n\n进城，过河。\n"),
            ("story/particle_ledger.md", "灵石三块。\n"),
        ],
    );
    let told = carried(&world, "inkos", "ink");
    assert_eq!(told["title"], "青锋录");
    let wanted = json!({"facts": 2, "threads": 2, "characters": 1, "rules": 1, "summaries": 1, "research": 1});
    assert_eq!(told["carried"], wanted);
    let left: Vec<&Value> =
        told["doubts"].as_array().unwrap().iter().filter(|doubt| doubt["kind"] == "left-out").collect();
    assert_eq!((left.len(), &left[0]["count"]), (1, &2.into()), "the draft and the deleted text: {told:#}");

    assert_eq!(world.read("书/chapters/vol-01/chapter-001.md"), "# 第1章 夜雨\n\n雨停了。\n\n　　他走了。\n");
    assert!(!world.path("书/chapters/vol-01/chapter-003.md").exists());
    let state = read(&world, "state/current-state.json");
    assert_eq!(state["characters"]["lin-feng"]["dang-qian-wei-zhi"], "渡口", "{state:#}");
    assert_eq!(state["world_state"]["du-chuan"]["zhuang-tai"], "已沉");
    let delta = read(&world, "state/deltas/vol-01/chapter-002-delta.json");
    assert_eq!(delta["chapter"], 2, "a fact stands in the delta of its chapter: {delta:#}");
    let shown = world.novel("书", &["foreshadow", "--json"]).ok();
    assert!(shown.contains("剑是父亲的"), "{shown}");
    assert_eq!(read(&world, "characters/active/lin-feng.json")["display_name"], "林风");
    assert_eq!(read(&world, "world/rules.json")["rules"][0]["rule"], "灵力不能凭空产生");
    assert!(world.read("书/summaries/vol-01/chapter-001-summary.md").contains("林风进城"));
    assert!(world.read("书/research/inkos-volume_map.md").contains("进城，过河"));
    let note = world.read("书/imports/inkos.md");
    for kept in ["halfLifeChapters", "灵石三块", "压抑", "城门", "platform"] {
        assert!(note.contains(kept), "{kept}: {note}");
    }
    assert!(!note.contains("没写完") && !note.contains("删去的"), "{note}");
}

#[test]
fn a_book_of_ainovel_brings_finished_chapters_in_its_volumes() {
    let world = World::new();
    let layered = json!([
        {"index": 1, "title": "风起", "theme": "t", "arcs": [{"index": 1, "title": "a", "goal": "g", "chapters": [
            {"chapter": 1, "title": "夜雨", "core_event": "进城", "hook": "h", "scenes": []}]}]},
        {"index": 2, "title": "云涌", "theme": "t", "arcs": [{"index": 1, "title": "a", "goal": "g", "chapters": [
            {"chapter": 1, "title": "渡口", "core_event": "过河", "hook": "h", "scenes": []}]}]}]);
    let people = json!([{"name": "林风", "aliases": ["小林"], "role": "主角", "description": "少年剑客", "arc": "成长", "traits": ["倔"]}]);
    let threads =
        json!([{"id": "旧剑", "description": "剑的来历", "planted_at": 1, "status": "resolved", "resolved_at": 2}]);
    let changes = json!([{"chapter": 2, "entity": "小林", "field": "location", "new_value": "渡口"}]);
    let (layered, people) = (layered.to_string(), people.to_string());
    let (threads, changes) = (threads.to_string(), changes.to_string());
    folder(
        &world,
        "ai",
        &[
            (
                "meta/progress.json",
                r#"{"novel_name": "青锋录", "completed_chapters": [2, 1], "in_progress_chapter": 3}"#,
            ),
            ("chapters/01.md", "# 第1章 夜雨\n\n雨停了。\n"),
            ("chapters/02.md", "船沉了。\n"),
            ("drafts/03.draft.md", "没写完。\n"),
            ("summaries/01.json", r#"{"chapter": 1, "summary": "林风进城。", "key_events": ["进城"]}"#),
            ("layered_outline.json", &layered),
            ("characters.json", &people),
            ("foreshadow_ledger.json", &threads),
            ("meta/state_changes.json", &changes),
            ("world_rules.json", r#"[{"category": "magic", "rule": "灵力守恒", "boundary": "不能凭空产生"}]"#),
            ("timeline.json", r#"[{"chapter": 1, "time": "春", "event": "进城"}]"#),
            ("premise.md", "# 青锋录\n\n少年入城。\n"),
            ("memory.db", "SQLite"),
        ],
    );
    let told = carried(&world, "ainovel", "ai");
    let wanted = json!({"facts": 1, "threads": 1, "characters": 1, "rules": 1, "summaries": 1, "research": 1});
    assert_eq!(told["carried"], wanted);
    let left = |name: &str| told["doubts"].as_array().unwrap().iter().any(|doubt| doubt["detail"] == name);
    assert!(left("memory.db") && left("drafts/03.draft.md"), "{told:#}");
    assert_eq!(world.read("书/chapters/vol-02/chapter-002.md"), "# 第2章 渡口\n\n船沉了。\n");
    assert_eq!(world.read("书/volumes/vol-02/outline.md"), "# 第2卷 云涌\n");
    assert_eq!(read(&world, "state/current-state.json")["characters"]["lin-feng"]["location"], "渡口");
    let note = world.read("书/imports/ainovel.md");
    assert!(note.contains("\"春\"") && note.contains("key_events") && !note.contains("没写完"), "{note}");
}

#[test]
fn a_book_of_webnovel_writer_is_read_in_both_of_its_layouts() {
    let world = World::new();
    let state = json!({"project": {"title": "剑碎虚空", "author": "某某"}, "progress": {"current_chapter": 4_000_000_000u32, "volumes_planned": [{"volume": 1, "chapters_range": "1-1"}]},
        "entities_v3": {"角色": {"luchen": {"name": "陆沉", "canonical_name": "陆沉", "tier": "核心", "aliases": ["小师弟"],
            "is_protagonist": true, "last_appearance": 2, "current": {"realm": "练气五层"}, "desc": "外门弟子"}},
            "势力": {"qingyun": {"name": "青云宗", "tier": "核心", "current": {"status": "二流宗门"}, "last_appearance": 1}}},
        "state_changes": [{"entity_id": "luchen", "field": "realm", "old": "练气四层", "new": "练气五层", "chapter": 2}],
        "plot_threads": {"foreshadowing": [{"content": "剑柄内藏古图", "tier": "core", "planted_chapter": 1, "target_chapter": 30}]},
        "strand_tracker": {"current_dominant": "quest"}}).to_string();
    let commit = json!({"meta": {"chapter": 2, "status": "accepted"}, "summary_text": "剑灵醒来。", "dominant_strand": "quest",
        "entity_deltas": [{"entity_id": "jianling", "canonical_name": "剑灵", "type": "角色", "tier": "重要"}],
        "state_deltas": [{"entity_id": "jianling", "field_path": "mood", "new_value": "怒"}, {"entity_id": "luchen", "field": "realm", "new": "练气五层"}],
        "accepted_events": [{"event_type": "power_breakthrough", "subject": "jianling", "payload": {"to": "化形"}},
            {"event_type": "open_loop_created", "subject": "luchen", "payload": {"content": "剑灵的旧主是谁"}},
            {"event_type": "artifact_obtained", "subject": "luchen", "payload": {"name": "残剑"}}]}).to_string();
    folder(
        &world,
        "six",
        &[
            (".webnovel/state.json", &state),
            (
                ".webnovel/summaries/ch0001.md",
                "---\ntime: 春末\n---\n\n## 剧情摘要\n陆沉受盘问。\n\n## 承接点\n三长老起疑。\n",
            ),
            (".story-system/commits/chapter_002.commit.json", &commit),
            (
                ".story-system/commits/chapter_003.commit.json",
                r#"{"meta": {"chapter": 3, "status": "rejected"}, "summary_text": "重写"}"#,
            ),
            ("正文/第0001章-残剑出鞘.md", "晨雾未散。\n"),
            ("正文/第2卷/第002章-剑灵初醒.md", "剑醒了。\n"),
            ("正文/第2卷/第002章-旧稿.md", "没写完。\n"),
            ("大纲/总纲.md", "# 总纲\n\n修仙。\n"),
            ("大纲/第1卷-详细大纲.md", "# 第1卷-详细大纲\n\n略。\n"),
            ("大纲/第2卷-详细大纲.md", "# 第二卷：剑灵\n\n略。\n"),
        ],
    );
    let told = carried(&world, "webnovel", "six");
    assert_eq!((&told["title"], &told["chapters"][1]["title"]), (&"剑碎虚空".into(), &"剑灵初醒".into()));
    assert_eq!(world.read("书/chapters/vol-02/chapter-002.md"), "# 第2章 剑灵初醒\n\n剑醒了。\n");
    assert_eq!(world.read("书/volumes/vol-02/outline.md"), "# 第2卷 剑灵\n");
    assert!(!world.path("书/volumes/vol-01/outline.md").exists());
    let gaps = told["doubts"].as_array().unwrap().iter().filter(|doubt| doubt["kind"] == "gap");
    assert_eq!(gaps.map(|doubt| doubt["detail"].clone()).collect::<Vec<_>>(), ["3–4000000000"]);
    assert_eq!(read(&world, "state/current-state.json")["characters"]["lu-chen"]["realm"], "练气五层");
    assert!(world.read("书/summaries/vol-01/chapter-001-summary.md").contains("陆沉受盘问"));
    let spirit = &read(&world, "state/current-state.json")["characters"]["jian-ling"];
    assert_eq!((&spirit["mood"], &spirit["realm"]), (&"怒".into(), &"化形".into()));
    assert_eq!((&told["carried"]["threads"], &told["carried"]["summaries"]), (&2.into(), &2.into()));
    let note = world.read("书/imports/webnovel.md");
    assert!(
        ["target_chapter", "strand_tracker", "三长老起疑", "春末", "dominant_strand", "残剑", "重写"]
            .iter()
            .all(|kept| note.contains(kept)),
        "{note}"
    );
    std::fs::remove_dir_all(world.path("书")).unwrap();

    folder(
        &world,
        "eight",
        &[
            ("book.yaml", "书名: 玄门\n"),
            ("定稿/正文/0001-开局.md", "---\n章号: 1\n标题: 开局\n卷: 1\n视角: 林晚\n---\n\n林晚抬头。\n"),
            ("定稿/设定/角色/林晚.md", "外门弟子。\n"),
            ("定稿/摘要/章摘要/0001.md", "林晚入门。\n"),
            ("大纲/卷纲/第01卷.md", "# 第一卷\n"),
            ("工作区/细纲.md", "草稿。\n"),
        ],
    );
    let told = carried(&world, "webnovel", "eight");
    assert_eq!((&told["title"], &told["carried"]["characters"]), (&"玄门".into(), &1.into()));
    assert_eq!(world.read("书/chapters/vol-01/chapter-001.md"), "# 第1章 开局\n\n林晚抬头。\n");
    assert!(world.read("书/imports/webnovel.md").contains("视角: 林晚"));
    let refused =
        world.novel("", &["import", "six/大纲", "--from", "inkos", "--lang", "en", "--yes", "--into", "z"]).fails(1);
    assert!(refused.stderr.contains("no book of inkos"), "{refused:#?}");
}
