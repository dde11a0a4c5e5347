//! `novel serve`: the way of a chapter in a browser, and requests that are refused.

use super::script::{Reply, draft, score};
use super::studio::Studio;
use crate::common::World;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Stdio};

/// A browser that was given the address.
struct Browser {
    server: Child,
    port: u16,
    token: String,
    /// The cookie of the first visit.
    cookie: String,
}

/// An answer: the status and everything that came.
struct Page {
    status: u16,
    whole: String,
}

impl Browser {
    fn of(studio: &Studio) -> Self {
        Self::at(&studio.world)
    }

    fn at(world: &World) -> Self {
        let mut command = world.command(env!("CARGO_BIN_EXE_novel"), &world.path("book"));
        command.args(["--lang", "en", "--json", "serve"]).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut server = command.spawn().unwrap();
        let mut line = String::new();
        let _ = BufReader::new(server.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = serde_json::from_str::<serde_json::Value>(&line).unwrap()["address"].as_str().unwrap().to_owned();
        let (place, token) = address.strip_prefix("http://127.0.0.1:").unwrap().split_once("/?token=").unwrap();
        let mut browser = Self { server, port: place.parse().unwrap(), token: token.to_owned(), cookie: String::new() };
        let first = browser.send(&format!("GET /?token={token} HTTP/1.1"), &[], "");
        assert_eq!(first.status, 303, "{}", first.whole);
        let set = first.header("set-cookie");
        assert!(set.contains("HttpOnly") && set.contains("SameSite=Strict"), "{set}");
        set.split(';').next().unwrap().clone_into(&mut browser.cookie);
        browser
    }

    fn send(&self, line: &str, headers: &[(&str, &str)], body: &str) -> Page {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        let host = format!("127.0.0.1:{}", self.port);
        let mut request = format!("{line}\r\nConnection: close\r\nContent-Length: {}\r\n", body.len());
        if !headers.iter().any(|(name, _)| *name == "Host") {
            request.push_str(&format!("Host: {host}\r\n"));
        }
        for (name, value) in headers {
            request.push_str(&format!("{name}: {value}\r\n"));
        }
        stream.write_all(format!("{request}\r\n{body}").as_bytes()).unwrap();
        let mut whole = String::new();
        stream.read_to_string(&mut whole).unwrap();
        let status = whole.split(' ').nth(1).unwrap().parse().unwrap();
        Page { status, whole }
    }

    #[track_caller]
    fn page(&self, path: &str) -> String {
        let page = self.send(&format!("GET {path} HTTP/1.1"), &[("Cookie", &self.cookie)], "");
        assert_eq!(page.status, 200, "{}", page.whole);
        assert!(page.header("content-security-policy").contains("default-src 'none'"), "{}", page.whole);
        page.whole
    }

    fn form(&self, fields: &str, headers: &[(&str, &str)]) -> Page {
        let kind = ("Content-Type", "application/x-www-form-urlencoded");
        let all = [&[kind][..], headers].concat();
        self.send("POST /act HTTP/1.1", &all, fields)
    }

    fn tries(&self, fields: &str) -> Page {
        let origin = format!("http://127.0.0.1:{}", self.port);
        self.form(&format!("token={}&{fields}", self.token), &[("Cookie", &self.cookie), ("Origin", &origin)])
    }

    /// Presses a button, and returns the first page once the command is over.
    #[track_caller]
    fn press(&self, fields: &str) -> String {
        let answer = self.tries(fields);
        assert_eq!(answer.status, 303, "{}", answer.whole);
        let events = self.page("/events");
        assert!(events.ends_with("data: end\n\n") || events.contains("data: end"), "{events}");
        self.page("/")
    }

    /// Reads a page that goes on, up to these words.
    fn until(&self, path: &str, words: &str) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        let host = format!("127.0.0.1:{}", self.port);
        write!(stream, "GET {path} HTTP/1.1\r\nHost: {host}\r\nCookie: {}\r\n\r\n", self.cookie).unwrap();
        let (mut seen, mut piece) = (Vec::new(), [0; 512]);
        loop {
            let text = String::from_utf8_lossy(&seen).into_owned();
            if text.contains(words) {
                return text;
            }
            let read = stream.read(&mut piece).unwrap();
            assert_ne!(read, 0, "{text}");
            seen.extend(&piece[..read]);
        }
    }

    fn save(&self, chapter: u32, was: &str, text: &str) -> Page {
        let encode = |text: &str| text.bytes().map(|byte| format!("%{byte:02X}")).collect::<String>();
        let origin = format!("http://127.0.0.1:{}", self.port);
        let fields = format!("token={}&chapter={chapter}&was={}&text={}", self.token, encode(was), encode(text));
        let kind = ("Content-Type", "application/x-www-form-urlencoded");
        self.send("POST /save HTTP/1.1", &[kind, ("Cookie", &self.cookie), ("Origin", &origin)], &fields)
    }

    fn leave(mut self) {
        self.server.kill().unwrap();
        let _ = self.server.wait().unwrap();
    }
}

impl Page {
    fn header(&self, name: &str) -> &str {
        let line = self.whole.lines().find(|line| line.to_lowercase().starts_with(&format!("{name}:")));
        line.and_then(|line| line.split_once(':')).map_or("", |(_, value)| value.trim())
    }
}

#[test]
fn a_chapter_is_written_judged_and_accepted_in_the_browser() {
    let studio = Studio::new().on("judge", score(2.4));
    let browser = Browser::of(&studio);
    assert!(browser.page("/").contains("Write on") && browser.page("/chapters").contains("夜里的灯"));
    let desk = browser.press("act=wish&wish=%E9%9B%A8+%3Cb%3E&count=2");
    assert!(desk.contains("雨 &lt;b&gt;") && desk.contains("noted for ch-002–ch-003"), "{desk}");
    let stale = browser.tries("act=unwish&number=1&wish=other");
    assert!(stale.status == 409 && stale.whole.contains("this page is old"), "{}", stale.whole);
    let desk = browser.press("act=unwish&number=1&wish=%E9%9B%A8+%3Cb%3E");
    assert!(!desk.contains("ch-002–ch-003"), "{desk}");

    let desk = browser.press("act=continue&count=1");
    assert!(desk.contains("ch-002 judge") || desk.contains("城门"), "{desk}");
    assert!(desk.contains("name=\"option\" value=\"accept\""), "{desk}");
    assert!(
        browser.page("/chapter/2").contains("城门") && browser.page("/chapter/2/changes").contains("class=\"hunk\"")
    );
    let refused = browser.press("act=decide&option=nonsense&chapter=2");
    assert!(refused.contains("nonsense") && refused.contains("class=\"bad\""), "{refused}");
    let desk = browser.press("act=decide&option=accept&chapter=2");
    assert!(desk.contains("noted: "), "{desk}");
    let desk = browser.press("act=continue&count=1");
    assert!(desk.contains("Chapter 2"), "{desk}");
    assert_eq!(studio.git(&["log", "--format=%s", "-1"]).trim(), "ch-002: 城门");

    studio
        .write("chapters/vol-01/chapter-001.md", &format!("{}\n雨。\n", studio.read("chapters/vol-01/chapter-001.md")));
    assert!(browser.page("/chapter/1/changes").contains("ch-001 (uncommitted"));
    let _ = studio.git(&["checkout", "-q", "--", "chapters"]);
    assert!(browser.page("/back/1").contains("ch-002: 城门") && browser.page("/report").contains("<svg"));
    let text = studio.read("chapters/vol-01/chapter-001.md");
    let saved = browser.save(1, &text, "# 第1章 夜里的灯\r\n\r\n雨停了。\r\n");
    assert_eq!(saved.status, 303, "{}", saved.whole);
    assert_eq!(studio.read("chapters/vol-01/chapter-001.md"), "# 第1章 夜里的灯\n\n雨停了。\n");
    assert!(
        browser.page("/chapter/1/changes").contains("<ins>") && browser.page("/chapter/1/edit").contains("雨停了。")
    );
    let clash = browser.save(1, &text, "# 第1章 夜里的灯\n\n风停了。\n");
    assert!(
        clash.status == 409 && clash.whole.contains("风停了。") && clash.whole.contains("雨停了。"),
        "{}",
        clash.whole
    );
    assert!(studio.read("chapters/vol-01/chapter-001.md").contains("雨停了。"));
    studio.write("chapters/vol-01/chapter-001.md", &text);
    assert_eq!(browser.tries("act=back&chapter=1&option=0").status, 409);
    // A file keeps its line breaks, and a form has those of Windows in any case.
    studio.write("chapters/vol-01/chapter-001.md", &text.replace('\n', "\r\n"));
    let saved = browser.save(1, &text.replace('\n', "\r\n"), "# 第1章 夜里的灯\r\n\r\n雪停了。\r\n");
    assert_eq!(saved.status, 303, "{}", saved.whole);
    assert_eq!(studio.read("chapters/vol-01/chapter-001.md"), "# 第1章 夜里的灯\r\n\r\n雪停了。\r\n");
    studio.write("chapters/vol-01/chapter-001.md", &text);
    let preview = browser.page("/back/1");
    let tip = preview.split("name=\"option\" value=\"").nth(1).unwrap().split('"').next().unwrap();
    let _ = browser.press(&format!("act=back&chapter=1&option={tip}"));
    assert!(studio.git(&["log", "--format=%s", "-1"]).contains("ch-001"));
    let _ = browser.press("act=undo");
    assert!(studio.novel(&["status", "--json"]).json()["last_completed"] == 2);
    browser.leave();
    studio.check();
}

#[test]
fn other_sites_and_other_users_see_and_change_nothing() {
    let studio = Studio::new();
    let browser = Browser::of(&studio);
    let (cookie, token) = (("Cookie", browser.cookie.as_str()), browser.token.as_str());
    let own = format!("http://127.0.0.1:{}", browser.port);
    let before = studio.git(&["rev-parse", "HEAD"]);
    let undo = format!("token={token}&act=undo");
    let get = |line: &str, headers: &[(&str, &str)]| browser.send(line, headers, "").status;
    let named = format!("rebound.example:{}", browser.port);
    let refused = [
        get("GET / HTTP/1.1", &[]),
        get("GET /?token=0 HTTP/1.1", &[]),
        get("GET /chapters HTTP/1.1", &[("Cookie", "novel=0")]),
        get(&format!("GET /chapters?token={token} HTTP/1.1"), &[]),
        get("GET / HTTP/1.1", &[cookie, ("Host", &named)]),
        get(&format!("GET /?token={token} HTTP/1.1"), &[("Host", &named)]),
        browser.form(&undo, &[("Origin", &own)]).status,
        browser.form(&undo, &[cookie]).status,
        browser.form(&undo, &[cookie, ("Origin", "https://other.example")]).status,
        browser.form(&undo, &[cookie, ("Origin", "null")]).status,
        browser.form("token=0&act=undo", &[cookie, ("Origin", &own)]).status,
    ];
    assert_eq!(refused, [403; 11]);
    // The answer of a form is no flag of its command.
    let flagged = ["plan", "choose", "decide"].map(|act| browser.tries(&format!("act={act}&option=--help")).status);
    assert_eq!(flagged, [409; 3]);
    let kind = ("Content-Type", "application/x-www-form-urlencoded");
    let edit = format!("token={token}&chapter=1&was=&text=x");
    assert_eq!(browser.send("POST /save HTTP/1.1", &[kind, cookie], &edit).status, 403);
    for (line, status) in [
        ("GET /nothing HTTP/1.1", 404),
        ("GET /chapter/0 HTTP/1.1", 400),
        ("GET /chapter/99 HTTP/1.1", 404),
        ("GET /chapter/..%2F..%2Fetc HTTP/1.1", 400),
        ("GET /act HTTP/1.1", 405),
    ] {
        let page = browser.send(line, &[cookie], "");
        assert_eq!(page.status, status, "{line}");
        assert!(page.header("content-type").contains("html") && page.whole.contains("class=\"bad\""), "{}", page.whole);
    }
    let bare = browser.form("token=0", &[cookie, ("Origin", &own)]);
    assert!(bare.whole.contains("not one of these pages") && bare.status == 422, "{}", bare.whole);
    let odd = browser.form(&format!("token={token}&act=shell"), &[cookie, ("Origin", &own)]);
    assert_eq!(odd.status, 409, "{}", odd.whole);
    assert_eq!(studio.git(&["rev-parse", "HEAD"]), before);
    let shown = browser.send("GET / HTTP/1.1", &[], "").whole;
    assert!(!shown.contains("城北") && !shown.contains(token), "{shown}");
    browser.leave();
}

#[test]
fn candidates_are_read_and_one_is_taken_in_the_browser() {
    let texts: Vec<String> = (1..=2).map(|n| draft().replace("他没有回头。", &format!("他回了{n}次头。"))).collect();
    let studio = texts.into_iter().fold(Studio::new(), |studio, text| studio.on("draft", text));
    let studio = studio.on("judge", score(3.1)).on("judge", score(4.4));
    let _ = studio.novel(&["continue", "--candidates", "2", "--choose"]).fails(3);
    let browser = Browser::of(&studio);
    let desk = browser.page("/");
    for words in ["他回了1次头。", "他回了2次头。", "score 3.10", "score 4.40", "Take this one"] {
        assert!(desk.contains(words), "{words}: {desk}");
    }
    assert_eq!(desk.matches("class=\"first\"").count(), 1, "{desk}");
    assert!(!desk.contains("Write on"), "{desk}");
    let other = browser.press("act=pick&option=1&chapter=9");
    assert!(other.contains("class=\"bad\"") && other.contains("他回了1次头。"), "{other}");
    let desk = browser.press("act=pick&option=1&chapter=2");
    assert!(desk.contains("noted: Candidate 1") && desk.contains("Write on"), "{desk}");
    browser.leave();
    studio.check();
}

#[test]
fn the_text_is_seen_while_it_is_written() {
    let studio = Studio::new();
    let run = studio.novel(&["continue", "--stream", "--json"]);
    let of_draft = |line: &str| {
        let event: serde_json::Value = serde_json::from_str(line).unwrap();
        let is_text = event["event"] == "text" && event["stage"] == "draft";
        is_text.then(|| event["delta"].as_str().unwrap().to_owned())
    };
    let text: String = run.ok().lines().filter_map(of_draft).collect();
    assert!(text.contains("他没有回头。"), "{text}");

    let studio = Studio::new().on("draft", Reply::Stalled(draft()));
    let browser = Browser::of(&studio);
    assert_eq!(browser.tries("act=continue&count=1").status, 303);
    let events = browser.until("/events", "event: begin");
    assert!(events.contains("ch-002 draft"), "{events}");
    let opening: String = draft().lines().nth(2).unwrap().chars().take(8).collect();
    let events = browser.until("/events", &opening);
    assert!(events.contains("event: begin"), "{events}");
    assert!(browser.page("/").contains("id=\"text\""));
    assert_eq!(browser.tries("act=stop").status, 303);
    let _ = browser.page("/events");
    browser.leave();
}

#[test]
fn a_new_book_has_no_buttons_that_fail_and_hints_are_what_an_author_types() {
    let world = World::new();
    let _ = world.novel("", &["init", "book", "--genre", "悬疑"]).ok();
    let browser = Browser::at(&world);
    let desk = browser.page("/");
    assert!(desk.contains("value=\"preset\"") && desk.contains("Note the wish"), "{desk}");
    assert!(!desk.contains("value=\"samples\""), "files are given on the command line: {desk}");
    assert!(!desk.contains("Write on") && !desk.contains("Price first") && !desk.contains("Undo"), "{desk}");
    let desk = browser.press("act=choose&option=preset");
    assert!(desk.contains("<p class=\"note\">style: ") && desk.contains("value=\"found\""), "{desk}");
    let desk = browser.press("act=choose&option=found");
    assert!(desk.contains("novel start --answer found --offline") && !desk.contains("--no-input"), "{desk}");
    browser.leave();
}

#[test]
fn a_book_goes_from_an_empty_folder_to_candidates_of_a_chapter_in_the_browser() {
    let world = World::new().with("NOVEL_OFFLINE", "1");
    world.write("mine/draft.txt", "x\n");
    let _ = world.novel("mine", &["serve"]).fails(4);
    std::fs::create_dir(world.path("book")).unwrap();
    let browser = Browser::at(&world);
    let empty = browser.page("/");
    assert!(empty.contains("name=\"conflict\"") && !empty.contains("href=\"/chapters\""), "{empty}");
    let nothing = browser.press("act=begin&genre=&title=");
    assert!(nothing.contains("name=\"conflict\""), "{nothing}");
    let idea = "genre=%E6%82%AC%E7%96%91&protagonist=%E6%B2%88%E6%B8%A1&conflict=%E4%B8%80%E5%BC%A0%E8%88%B1%E5%8D%95";
    let desk = browser.press(&format!("act=begin&{idea}&title=%E6%B8%A1%E5%8F%A3"));
    assert!(
        desk.contains("`渡口` is in ") && desk.contains("the built-in style that fits the genre: 悬疑冷峻"),
        "{desk}"
    );
    assert!(world.read("book/brief.md").contains("一张舱单"));
    let _ = browser.press("act=choose&option=preset");
    let desk = browser.press("act=choose&option=found");
    let status = world.novel("book", &["start", "--json"]).fails(3).json_lines().pop().unwrap();
    let score = format!("<td class=\"note\">{:.2}</td>", status["data"]["chapters"][2]["score"].as_f64().unwrap());
    for words in [">world: ", ">characters: ", "Chapter 3", "href=\"/chapter/3\"", "value=\"go-on\"", &score] {
        assert!(desk.contains(words), "{words}: {desk}");
    }
    let length = || {
        let plan = world.novel("book", &["plan", "--json"]).fails(3).json();
        plan["data"]["chapters"].as_array().unwrap().len()
    };
    let desk = browser.press("act=choose&option=go-on&count=12&wish=");
    assert!(desk.contains("value=\"resize\"") && length() == 12, "{desk}");
    let desk = browser.press("act=again&wish=%E9%9B%A8");
    assert!(desk.contains("novel plan make --wish=雨") && length() == 12, "{desk}");
    let outline = world.read("book/staging/volumes/vol-01/outline.md");
    let (before, last) = outline.rsplit_once("- 伏笔: ").unwrap();
    let flawed = format!("{before}- 伏笔: 回收 no_such_thing：没有埋过\n{}", last.split_once('\n').unwrap().1);
    world.write("book/staging/volumes/vol-01/outline.md", &flawed);
    let told = world.novel("book", &["--lang", "en", "plan", "edit"]).fails(3).stdout;
    let desk = browser.page("/");
    let flaw = told.lines().find_map(|line| line.trim().strip_prefix("to fix: ")).unwrap().replace('`', "");
    assert!(desk.replace('`', "").contains(&flaw), "{flaw}: {desk}");
    assert!(desk.contains("no_such_thing") && !desk.contains("value=\"approve\""), "{desk}");
    let desk = browser.press("act=plan&option=mend&count=");
    assert!(!desk.contains("no_such_thing") && desk.contains("value=\"approve\""), "{desk}");
    let few = browser.press("act=plan&option=resize&count=2");
    assert!(few.contains("class=\"bad\"") && length() == 12, "{few}");
    let _ = browser.press("act=plan&option=resize&count=14");
    assert_eq!(length(), 14);
    let desk = browser.press("act=plan&option=approve&count=");
    assert!(desk.contains(">plan vol-01: ") && browser.page("/chapters").contains("value=\"resize\""), "{desk}");
    let desk = browser.press("act=candidates&count=2");
    assert!(desk.matches("Take this one").count() == 2 && !desk.contains(">done<"), "{desk}");
    let desk = browser.press("act=pick&option=2&chapter=4");
    assert!(desk.contains("noted: Candidate 2"), "{desk}");
    let _ = browser.press("act=continue&count=1");
    let desk = browser.press("act=plan&option=resize&count=13");
    assert!(desk.contains("value=\"approve\"") && length() == 13, "{desk}");
    let desk = browser.press("act=plan&option=reject");
    assert!(desk.contains("put aside"), "{desk}");
    let desk = browser.press("act=choose&option=nonsense");
    assert!(desk.contains("class=\"bad\""), "{desk}");
    browser.leave();
    world.check("book");
}

#[test]
fn chapters_that_the_author_has_moved_are_taken_over_in_the_browser() {
    let world = World::new().with("NOVEL_OFFLINE", "1");
    let _ = world.demo_with(3);
    let [second, third] = ["002", "003"].map(|n| format!("book/chapters/vol-01/chapter-{n}.md"));
    let (two, three) = (world.read(&second), world.read(&third));
    world.write(&second, &three);
    world.write(&third, &two);
    let browser = Browser::at(&world);
    let desk = browser.page("/");
    assert!(desk.contains("value=\"accept\"") && !desk.contains("value=\"continue\""), "{desk}");
    let desk = browser.press("act=accept");
    assert!(desk.contains("value=\"continue\"") && !desk.contains("value=\"accept\""), "{desk}");
    assert_eq!(world.novel("book", &["status", "--json"]).json()["next"], "novel continue");
    browser.leave();
    world.check("book");
}

#[test]
fn what_an_agent_would_change_is_read_before_it_is_approved_in_the_browser() {
    let world = World::new().with("NOVEL_OFFLINE", "1");
    let _ = world.novel("", &["init", "book", "--genre", "悬疑", "--conflict", "一张舱单"]).ok();
    let _ = world.novel("book", &["start", "--style", "suspense", "--answer", "found-only"]).fails(3);
    let asked =
        world.novel("book", &["world", "update", "渡口三更封灯", "--json"]).fails(3).json_lines().pop().unwrap();
    let rule = asked["data"]["contracts"][0]["is"]["rule"].as_str().unwrap().to_owned();
    let browser = Browser::at(&world);
    let desk = browser.page("/");
    assert!(desk.contains(&rule) && desk.contains("value=\"approve\""), "{desk}");
    let desk = browser.press("act=choose&option=approve");
    assert!(desk.contains(">world: ") && world.read("book/world/rules.json").contains(&rule), "{desk}");
    browser.leave();
}

#[test]
fn the_network_is_let_in_only_where_that_is_asked_for_and_said() {
    let world = World::new();
    let book = world.demo_with(1);
    let mut command = world.command(env!("CARGO_BIN_EXE_novel"), &world.path(book));
    command.args(["--lang", "en", "serve", "--lan"]).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut server = command.spawn().unwrap();
    let mut lines = BufReader::new(server.stdout.take().unwrap()).lines().map_while(Result::ok);
    let Some(said) = lines.next() else {
        let told = std::io::read_to_string(server.stderr.take().unwrap()).unwrap();
        assert!(told.contains("is in no network") && told.contains("without `--lan`"), "{told}");
        let _ = server.wait().unwrap();
        return;
    };
    let (address, warning) = (lines.next().unwrap(), lines.next().unwrap());
    assert!(said.contains("of a phone") && warning.starts_with("anyone in this network"), "{said}\n{warning}");
    let (place, path) = address.strip_prefix("http://").unwrap().split_once('/').unwrap();
    let status = |host: &str| {
        let mut stream = TcpStream::connect(place).unwrap();
        write!(stream, "GET /{path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").unwrap();
        let mut whole = String::new();
        let _ = stream.read_to_string(&mut whole).unwrap();
        whole.split(' ').nth(1).unwrap().to_owned()
    };
    let port = place.split_once(':').unwrap().1;
    assert_eq!([status(place), status(&format!("localhost:{port}")), status("other.example")], ["303", "403", "403"]);
    assert!(TcpStream::connect(("127.0.0.1", port.parse().unwrap())).is_err(), "{place}");
    server.kill().unwrap();
    let _ = server.wait().unwrap();
}
