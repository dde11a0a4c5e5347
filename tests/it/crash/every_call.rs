//! Every system call that changes something, with `strace` as the killer. Minutes long, so it runs when asked:
//! `cargo test --test it crash::every_call -- --ignored`.

use super::*;

const CALLS: &str = "openat,write,rename,renameat,renameat2,link,linkat,unlink,unlinkat,mkdir,mkdirat,fsync";

fn dies_at_every_call(scenario: &str) {
    if Command::new("strace").arg("-V").output().is_err() {
        return;
    }
    let template = prepared(scenario);
    let before = (scenario != "init").then(|| outcome(&template.root));
    let undisturbed = copied(&template, &template.root.with_file_name("undisturbed"));
    play(scenario, &undisturbed);
    let expected = outcome(&undisturbed);
    let work = template.root.with_file_name("killed 书");
    let mut deaths = 0;
    for call in CALLS.split(',') {
        for nth in 1..400 {
            let root = copied(&template, &work);
            let plain = child_command(scenario, &root);
            let mut command = Command::new("strace");
            command.args(["-qq", "-f", "-o", "/dev/null", "-e", &format!("trace={call}")]);
            command.args(["-e", &format!("inject={call}:signal=SIGKILL:when={nth}"), "--"]).arg(plain.get_program());
            command.args(plain.get_args());
            for (name, value) in plain.get_envs() {
                command.env(name, value.unwrap());
            }
            let at = format!("{call}#{nth}");
            if command.output().unwrap().status.success() {
                break;
            }
            deaths += 1;
            assert!(scenario != "gather" || kept(&root) == kept(&template.root), "{at}: a draft is out of reach");
            if let Some(before) = &before {
                recover(&root);
                let now = outcome(&root);
                assert!(now.tree == before.tree || now.tree == expected.tree, "{scenario} {at}: neither old nor new");
                assert!(now.leftovers.is_empty(), "{scenario} {at}: {:?}", now.leftovers);
            }
            play(scenario, &root);
            assert_eq!(outcome(&root), expected, "{scenario} {at}");
        }
    }
    assert!(deaths > 50, "{scenario} died only {deaths} times");
}

#[test]
#[ignore = "minutes long"]
fn init() {
    dies_at_every_call("init");
}

#[test]
#[ignore = "minutes long"]
fn accept() {
    dies_at_every_call("accept");
}

#[test]
#[ignore = "minutes long"]
fn finish() {
    dies_at_every_call("finish");
}

#[test]
#[ignore = "minutes long"]
fn gather() {
    dies_at_every_call("gather");
}

#[test]
#[ignore = "minutes long"]
fn rollback() {
    dies_at_every_call("rollback");
}
