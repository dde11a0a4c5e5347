//! Other ways to a remote than a folder: git's own http backend behind a small server on loopback, and ssh where a server
//! is installed.

use super::Devices;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Git's program for http, where git has it.
fn backend() -> Option<PathBuf> {
    let path = Command::new("git").arg("--exec-path").output().ok()?;
    let path = Path::new(String::from_utf8(path.stdout).ok()?.trim()).join("git-http-backend");
    path.is_file().then_some(path)
}

/// Serves the repositories below `root` to those who have the password, one connection after the other, for as long as the
/// test runs. Returns the address.
fn serve(root: PathBuf, backend: PathBuf) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let (root, backend) = (root.clone(), backend.clone());
            std::thread::spawn(move || answer(stream, &root, &backend));
        }
    });
    address
}

fn answer(stream: TcpStream, root: &Path, backend: &Path) -> Option<()> {
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let (method, target) = line.trim().split_once(' ')?;
    let (path, query) = target.split(' ').next()?.split_once('?').unwrap_or((target.split(' ').next()?, ""));
    let mut cgi = Command::new(backend);
    cgi.env_clear()
        .env("PATH", std::env::var_os("PATH")?)
        .env("GIT_PROJECT_ROOT", root)
        .env("GIT_HTTP_EXPORT_ALL", "1");
    cgi.env("REQUEST_METHOD", method).env("PATH_INFO", path).env("QUERY_STRING", query).env("REMOTE_USER", "me");
    let (mut length, mut chunked, mut known) = (0, false, false);
    loop {
        let mut header = String::new();
        reader.read_line(&mut header).ok()?;
        let Some((name, value)) = header.trim().split_once(": ") else { break };
        match name.to_ascii_lowercase().as_str() {
            "content-length" => length = value.parse().ok()?,
            "transfer-encoding" => chunked = value == "chunked",
            "content-type" => drop(cgi.env("CONTENT_TYPE", value)),
            "content-encoding" => drop(cgi.env("HTTP_CONTENT_ENCODING", value)),
            "git-protocol" => drop(cgi.env("GIT_PROTOCOL", value)),
            // me:secret-word
            "authorization" => known = value == "Basic bWU6c2VjcmV0LXdvcmQ=",
            _ => {}
        }
    }
    let mut stream = stream;
    if !known {
        let refusal = "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"books\"\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
        return stream.write_all(refusal.as_bytes()).ok();
    }
    let body = if chunked { chunks(&mut reader)? } else { of_length(&mut reader, length)? };
    cgi.env("CONTENT_LENGTH", body.len().to_string());
    let mut child = cgi.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().ok()?;
    let mut stdin = child.stdin.take()?;
    let writer = std::thread::spawn(move || stdin.write_all(&body));
    let mut reply = Vec::new();
    child.stdout.take()?.read_to_end(&mut reply).ok()?;
    let _ = writer.join();
    child.wait().ok()?;
    let status = reply.strip_prefix(b"Status: ").map_or("200 OK".to_owned(), |rest| {
        String::from_utf8_lossy(rest.split(|byte| *byte == b'\r').next().unwrap_or_default()).into_owned()
    });
    stream.write_all(format!("HTTP/1.1 {status}\r\nConnection: close\r\n").as_bytes()).ok()?;
    stream.write_all(&reply).ok()
}

fn of_length(reader: &mut impl std::io::Read, length: usize) -> Option<Vec<u8>> {
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some(body)
}

fn chunks(reader: &mut impl std::io::BufRead) -> Option<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let mut size = String::new();
        reader.read_line(&mut size).ok()?;
        let size = usize::from_str_radix(size.trim(), 16).ok()?;
        body.extend(of_length(reader, size)?);
        let _ = of_length(reader, 2)?;
        if size == 0 {
            return Some(body);
        }
    }
}

#[test]
fn http_with_the_users_credentials_works_and_a_wrong_key_is_told_of() {
    let Some(backend) = backend() else { return };
    let devices = Devices::with(1);
    let _ = devices.git("hub.git", &["config", "http.receivepack", "true"]);
    let address = serve(devices.world.path(""), backend);
    let url = format!("http://{address}/hub.git");
    // Without a credential, and with nothing to ask it from.
    let denied = devices.run("web", "", &["clone", &url, "web"]).fails(4);
    assert!(denied.stderr.contains("denies access"), "{denied:#?}");
    // The user's own helper knows it.
    let config = devices.world.read("home/.gitconfig")
        + "[credential]\n\thelper = \"!f() { echo username=me; echo password=secret-word; }; f\"\n";
    devices.world.write("home/.gitconfig", &config);
    let cloned = devices.run("web", "", &["clone", &url, "web"]);
    assert!(cloned.code == 0 && !format!("{cloned:?}").contains("secret-word"), "{cloned:#?}");
    let run = devices.novel("web", &["continue", "--offline", "--json"]);
    assert_eq!(run.code, 0, "{run:#?}");
    assert!(devices.refs("hub.git", "refs/novel/lease").contains("lease"), "the lease goes over http as well");
    let _ = devices.syncs("web");
    let _ = devices.syncs("desk");
    devices.are_equal(&["desk", "web"]);
}

#[cfg(unix)]
#[test]
fn ssh_works_where_a_server_is_installed() {
    let find = |name: &str| {
        let folders = ["/usr/sbin", "/usr/local/sbin", "/usr/bin", "/usr/local/bin"].map(Path::new);
        folders.into_iter().map(|folder| folder.join(name)).find(|program| program.is_file())
    };
    let (Some(sshd), Some(ssh), Some(keygen)) = (find("sshd"), find("ssh"), find("ssh-keygen")) else { return };
    let devices = Devices::with(1);
    let folder = devices.world.path("ssh");
    std::fs::create_dir(&folder).unwrap();
    for key in ["host", "user"] {
        let made = Command::new(&keygen).args(["-q", "-t", "ed25519", "-N", "", "-f"]).arg(folder.join(key)).status();
        assert!(made.unwrap().success());
    }
    std::fs::copy(folder.join("user.pub"), folder.join("authorized")).unwrap();
    // The server speaks on its standard input, started for each connection by the client: no port, and nothing to stop.
    let config = format!(
        "HostKey {0}/host\nAuthorizedKeysFile {0}/authorized\nStrictModes no\nUsePAM no\nPidFile none\nPasswordAuthentication no\n",
        folder.display()
    );
    std::fs::write(folder.join("sshd_config"), config).unwrap();
    let proxy = format!("{} -i -e -f {}/sshd_config", sshd.display(), folder.display());
    let command = format!(
        "{} -F none -o BatchMode=yes -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o IdentitiesOnly=yes -i {}/user -o 'ProxyCommand={proxy}'",
        ssh.display(),
        folder.display()
    );
    let user = String::from_utf8(Command::new("id").arg("-un").output().unwrap().stdout).unwrap();
    let url = format!("ssh://{}@book/{}", user.trim(), devices.world.path("hub.git").display());
    let mut clone = devices.command("remote", "", &["clone", &url, "remote"]);
    let output = clone.env("GIT_SSH_COMMAND", &command).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    if !output.status.success() && (said.contains("/run/sshd") || said.contains("Privilege separation")) {
        return;
    }
    assert!(output.status.success(), "{said}");
    devices.writes_alone("remote", 1);
    let mut sync = devices.command("remote", "remote", &["sync"]);
    assert!(sync.env("GIT_SSH_COMMAND", &command).status().unwrap().success());
    let _ = devices.syncs("desk");
    devices.are_equal(&["desk", "remote"]);
}

#[test]
fn a_remote_is_kept_only_after_it_has_answered() {
    let devices = Devices::with(1);
    let _ = devices.git("desk", &["remote", "remove", "origin"]);
    let _ = devices.git("desk", &["config", "--unset", "novel.remote"]);
    std::fs::create_dir(devices.world.path("usb")).unwrap();
    for (address, code) in [("../usb", 4), ("../nowhere", 4), ("https://127.0.0.1:9/b.git", 4), ("ext::sh -c x/", 2)] {
        let said = devices.novel("desk", &["sync", address]).fails(code);
        assert_eq!(devices.git("desk", &["remote"]), "", "{address}: {said:#?}");
    }
    let said = devices.novel("desk", &["--lang", "zh", "sync", "../usb"]).fails(4);
    assert!(
        said.stderr.contains("是空的") && said.stderr.contains("`git init --bare --object-format=sha1 "),
        "{said:#?}"
    );
    let _ = devices.git("", &["init", "-q", "--bare", "--object-format=sha1", "usb"]);
    let _ = devices.novel("desk", &["sync", "../usb"]).ok();
    assert_eq!(devices.git("desk", &["remote"]), "origin");
    assert_eq!(
        devices.git("usb", &["log", "--format=%s", "-1", "main"]),
        devices.git("desk", &["log", "--format=%s", "-1"])
    );
}
