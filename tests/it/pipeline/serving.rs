//! `novel serve`: the way of a chapter in a browser, and requests that are refused.

use super::script::score;
use super::studio::Studio;
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
        let mut command = studio.world.command(env!("CARGO_BIN_EXE_novel"), &studio.world.path("book"));
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
    assert!(desk.contains("雨 &lt;b&gt;") && desk.contains("ch-002–ch-003"), "{desk}");
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
    let _ = browser.press("act=decide&option=accept&chapter=2");
    let desk = browser.press("act=continue&count=1");
    assert!(desk.contains("Chapter 2"), "{desk}");
    assert_eq!(studio.git(&["log", "--format=%s", "-1"]).trim(), "ch-002: 城门");

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
        assert_eq!(get(line, &[cookie]), status, "{line}");
    }
    let odd = browser.form(&format!("token={token}&act=shell"), &[cookie, ("Origin", &own)]);
    assert_eq!(odd.status, 409, "{}", odd.whole);
    assert_eq!(studio.git(&["rev-parse", "HEAD"]), before);
    let shown = browser.send("GET / HTTP/1.1", &[], "").whole;
    assert!(!shown.contains("城北") && !shown.contains(token), "{shown}");
    browser.leave();
}
