//! What a sandbox is not: an exchange. Its folder, its keys and its routes stay apart.

use std::process::Stdio;
use std::thread;

use serde_json::{Value, json};

use crate::stage::{
    Sandbox, User, bellwether, command, ended, limit, line_after, send, send_for_text, signed,
};

#[test]
fn serve_and_demo_refuse_the_folder_of_a_sandbox_and_a_sandbox_refuses_that_of_an_exchange() {
    let folder = tempfile::tempdir().expect("a folder");
    assert!(Sandbox::start(folder.path()).terminate().success());
    let serve = ended(bellwether("serve").arg("--data").arg(folder.path()));
    assert_eq!(serve.status.code(), Some(5), "{serve:?}");
    assert!(String::from_utf8_lossy(&serve.stderr).contains("is the folder of a sandbox"), "{serve:?}");
    let demo = ended(bellwether("demo").args(["--no-bots", "--data"]).arg(folder.path()));
    assert!(!demo.status.success());
    assert!(String::from_utf8_lossy(&demo.stderr).contains("is the folder of a sandbox"), "{demo:?}");
    let venue = tempfile::tempdir().expect("a folder");
    std::fs::create_dir(venue.path().join("journal")).expect("a journal");
    let refused = ended(&mut command(venue.path(), &[]));
    assert!(!refused.status.success());
    assert!(String::from_utf8_lossy(&refused.stderr).contains("is not the folder of a sandbox"));
}

#[test]
fn a_folder_keeps_its_seed_and_continues_after_a_stop_and_after_a_kill() {
    let folder = tempfile::tempdir().expect("a folder");
    let sandbox = Sandbox::start(folder.path());
    let (ada, market) = (sandbox.user("ada"), sandbox.market("rain-tomorrow"));
    sandbox.bid(&ada, &market, 0.4, 10);
    let clock = sandbox.advance(3_600)["now"].clone();
    assert!(sandbox.terminate().success());
    let other = ended(&mut command(folder.path(), &["--seed", "8"]));
    assert!(String::from_utf8_lossy(&other.stderr).contains("--seed 7"), "{other:?}");
    let sandbox = Sandbox::start_with(folder.path(), &["--no-limits"]);
    assert_eq!(sandbox.ask("GET", "/clock", &Value::Null)["now"], clock);
    assert_eq!(sandbox.open_orders(&ada), 1);
    sandbox.bid(&ada, &market, 0.3, 10);
    sandbox.kill();
    let sandbox = Sandbox::start_with(folder.path(), &["--no-limits"]);
    assert_eq!(sandbox.open_orders(&ada), 2);
    sandbox.bid(&ada, &market, 0.2, 10);
    assert_eq!(sandbox.open_orders(&ada), 3, "ids do not repeat");
}

#[test]
fn keys_are_test_keys_and_pages_have_a_banner() {
    let folder = tempfile::tempdir().expect("a folder");
    let sandbox = Sandbox::start(folder.path());
    let ada = sandbox.user("ada");
    assert!(ada.public_key.starts_with("pk_test_") && ada.secret_key.starts_with("sk_test_"));
    let html = [("Accept", "text/html".to_owned()), ("Accept-Encoding", "gzip".to_owned())];
    for path in ["/", "/events/rain-tomorrow"] {
        let url = format!("{}{path}", sandbox.text("baseUrl"));
        let (status, page) = send_for_text("GET", &url, &html, b"").expect("a page");
        assert!(status == 200 && page.contains("id=\"sandbox-banner\""), "{path}: {page}");
    }
    let (status, page) = send_for_text("GET", sandbox.text("adminUrl"), &html, b"").expect("a page");
    assert!(status == 200 && page.contains("id=\"sandbox-banner\""), "operators: {page}");
    for listener in ["baseUrl", "adminUrl"] {
        let url = format!("{}/sandbox-banner.css", sandbox.text(listener));
        let (status, style) = send_for_text("GET", &url, &[], b"").expect("a style");
        assert!(status == 200 && style.contains("#sandbox-banner"));
    }
    let url = format!("{}/sandbox/v1/clock", sandbox.text("sandboxUrl"));
    let (status, _) =
        send("GET", &url, &[("Origin", "http://evil.example".to_owned())], b"").expect("an answer");
    assert_eq!(status, 403, "a page does not control the sandbox");
}

#[test]
fn serve_has_no_route_flag_header_or_key_of_the_sandbox() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut serving = bellwether("serve");
    let mut process = serving
        .args(["--drain-seconds", "0", "--data"])
        .arg(folder.path())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the executable starts");
    let url = line_after(&mut process, "Page and public API");
    let get = |path: &str, headers: &[(&'static str, String)]| {
        send("GET", &format!("{url}{path}"), headers, b"").expect("an answer")
    };
    for path in ["/sandbox/v1", "/sandbox/v1/clock", "/sandbox/v1/faults"] {
        assert_eq!(get(path, &[]).0, 404, "{path}");
    }
    assert_eq!(get("/v1/pm/events", &[("X-Sandbox-Fault", "503".to_owned())]).0, 200);
    let tester = User {
        id: String::new(),
        public_key: format!("pk_test_{}", "0".repeat(32)),
        secret_key: format!("sk_test_{}", "0".repeat(64)),
    };
    let body = serde_json::to_vec(&limit("x", 0.5, 1)).expect("JSON");
    let headers = signed(&tester, "POST", "/v1/auth/check", &body);
    let answer = send("POST", &format!("{url}/v1/auth/check"), &headers, &body).expect("an answer");
    assert_eq!(answer.0, 401, "{}", answer.1);
    let (_, page) = send_for_text("GET", &url, &[("Accept", "text/html".to_owned())], b"").expect("a page");
    assert!(!page.contains("sandbox"), "{page}");
    process.kill().expect("a kill");
    process.wait().expect("an end");
    for flag in ["--seed=1", "--sandbox-listen=127.0.0.1:0", "--no-limits"] {
        let refused = ended(bellwether("serve").arg(flag));
        assert_eq!(refused.status.code(), Some(2), "{flag}: {refused:?}");
    }
}

#[test]
fn limits_on_requests_hold_unless_they_are_lifted() {
    let folder = tempfile::tempdir().expect("a folder");
    let sandbox = Sandbox::start_with(folder.path(), &["--seed", "7"]);
    let (ada, market) = (sandbox.user("ada"), sandbox.market("rain-tomorrow"));
    // From several threads, which together are faster than the limit on any machine that runs this.
    let refused = thread::scope(|scope| {
        let send = || {
            (0..100).find_map(|_| {
                let order = limit(&market.yes, 0.01, 100);
                let answer = sandbox.write(&ada, "POST", &market.orders(), &order, &[]).expect("an answer");
                (answer.0 == 429).then_some(answer.1)
            })
        };
        let senders: Vec<_> = (0..8).map(|_| scope.spawn(send)).collect();
        let refused: Vec<_> = senders.into_iter().map(|sender| sender.join().expect("a thread")).collect();
        refused.into_iter().flatten().next()
    });
    let refused = refused.expect("800 orders in a burst are too many");
    assert_eq!(refused["error"], json!("rate_limit"));
}
