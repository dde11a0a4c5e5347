//! The author's things where a chapter or a plan is about to be written: told before a model is asked.

use super::studio::Studio;
use novel::llm::Wire;

const WIRES: [Wire; 2] = [Wire::OpenAi, Wire::Anthropic];
const NEXT: &str = "chapters/vol-01/chapter-002.md";

#[test]
fn an_untracked_file_at_the_next_chapter_is_named_before_a_model_is_asked() {
    for wire in WIRES {
        let studio = Studio::over(wire);
        for path in [NEXT, "summaries/vol-01/chapter-002-summary.md", "logs/vol-01/chapter-002-log.json"] {
            studio.write(path, "# 第2章 我写的\n\n我写到一半的。\n");
            let said = studio.novel(&["continue", "--lang", "zh"]).fails(3);
            assert!(said.stderr.contains(path) && !said.stderr.contains("请保存后"), "{said:#?}");
            assert_eq!(studio.server.requests().len(), 0, "{path}");
            assert!(studio.novel(&["status"]).ok().contains(path));
            // The first command of the hint, as it is printed.
            let command =
                said.stderr.lines().find_map(|line| line.split('`').find(|part| part.starts_with("mv "))).unwrap();
            let done = studio.world.command("sh", &studio.path("")).args(["-c", command]).status().unwrap();
            assert!(done.success(), "{command}");
            assert_eq!(studio.read(&format!("{path}.aside")), "# 第2章 我写的\n\n我写到一半的。\n");
            std::fs::remove_file(studio.path(&format!("{path}.aside"))).unwrap();
        }
        let _ = studio.go().ok();
        studio.check();
    }
}

/// The author's own text is not written over, whether it counts as the chapter or not.
#[test]
fn a_text_that_the_author_has_committed_at_the_next_chapter_stays() {
    let studio = Studio::new();
    let text = "# 第2章 我写的\n\n我写完的一章。\n";
    studio.write(NEXT, text);
    let _ = studio.git(&["add", NEXT]);
    studio.world.commit("book", "chapter-002");
    let said = studio.go();
    assert_eq!(studio.read(NEXT), text, "{said:#?}");
    assert_eq!(studio.git(&["show", &format!("HEAD:{NEXT}")]), text, "{said:#?}");
    if said.code != 0 {
        assert!(said.stderr.contains(NEXT), "{said:#?}");
        assert_eq!(studio.server.requests().len(), 0);
    }
}

#[test]
fn a_repair_moves_the_file_aside_only_with_a_word_of_the_author() {
    let studio = Studio::new();
    studio.write(NEXT, "我写的。\n");
    let next = studio.novel(&["status", "--json"]).json()["next"].as_str().unwrap().to_owned();
    let git = next.split(" add ").next().unwrap().to_owned();
    assert!(git.starts_with("git -C /"), "from any folder: {next}");
    assert_eq!(next, format!("{git} add {NEXT} && {git} commit -m chapter-002"), "the text becomes the chapter");
    let _ = studio.novel(&["doctor", "--repair"]).fails(1);
    assert_eq!(studio.read(NEXT), "我写的。\n");
    let _ = studio.novel(&["doctor", "--repair", "--yes"]).ok();
    assert_eq!(studio.read(&format!("{NEXT}.aside")), "我写的。\n");
    let _ = studio.go().ok();
}

#[cfg(unix)]
#[test]
fn a_linked_folder_is_named_before_a_model_is_asked() {
    for wire in WIRES {
        let studio = Studio::over(wire);
        std::fs::rename(studio.path("chapters"), studio.world.path("elsewhere")).unwrap();
        std::os::unix::fs::symlink("../elsewhere", studio.path("chapters")).unwrap();
        for command in [&["continue"][..], &["write", "2"], &["continue", "--volume"]] {
            let said = studio.novel(command).fails(4);
            assert!(said.stderr.contains("`novel doctor --repair --yes`"), "{said:#?}");
        }
        assert_eq!(studio.server.requests().len(), 0);
        std::fs::rename(studio.path("volumes"), studio.world.path("plans")).unwrap();
        std::os::unix::fs::symlink("../plans", studio.path("volumes")).unwrap();
        for command in [&["world", "update", "添一座桥"][..], &["storyline", "add", "一条线"]] {
            let said = studio.novel(command).fails(4);
            assert!(said.stderr.contains("volumes"), "{said:#?}");
        }
        assert_eq!(studio.server.requests().len(), 0);
        let _ = studio.novel(&["doctor", "--repair", "--yes"]).ok();
        let _ = studio.go().ok();
        studio.world.check("book");
    }
}

#[test]
fn a_file_in_place_of_a_folder_and_a_damaged_file_are_named_before_a_model_is_asked() {
    for wire in WIRES {
        let studio = Studio::over(wire);
        studio.write("memory.aside", "");
        std::fs::rename(studio.path("memory"), studio.path("memory.mine")).unwrap();
        studio.write("memory", "我的回忆\n");
        let _ = studio.go().fails(4);
        for (path, text, code) in
            [("novel.toml", "title = \"", 4), ("brief.md", "", 4), ("storylines/storylines.json", "\0\0", 4)]
        {
            let whole = studio.read(path);
            studio.write(path, text);
            let said = studio.go().fails(code);
            assert!(said.stderr.contains(path) || said.stderr.contains("memory"), "{said:#?}");
            studio.write(path, &whole);
        }
        assert_eq!(studio.server.requests().len(), 0);
        let _ = studio.novel(&["doctor", "--repair", "--yes"]).ok();
        assert_eq!(studio.read("memory.aside-2"), "我的回忆\n");
        let _ = studio.go().ok();
    }
}
