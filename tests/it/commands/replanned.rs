//! Plans and chapters that the author changes midway, by hand or by `novel chapter`: nothing of the author's is lost, and each change is
//! told.

use super::rearranged::two_volumes;

#[test]
fn two_files_of_one_chapter_are_found() {
    for committed in [false, true] {
        let world = two_volumes();
        world.write("book/chapters/vol-02/chapter-002.md", "# 第2章 另一稿\n\n门开着。\n");
        if committed {
            let _ = world.git("book", &["add", "chapters"]).ok();
            world.commit("book", "a second one");
        }
        let told = world.novel("book", &["--lang", "en", "doctor"]).ok();
        let said = "two files have one chapter number, and chapters/vol-01/chapter-002.md counts";
        assert!(told.contains(said) && told.contains("chapters/vol-02/chapter-002.md"), "{told}");
    }
}
