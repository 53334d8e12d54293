//! Lines of the access log: a request has the same line in a lane and behind hyper.

use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use server::signals::access_lines::{AccessLines, LineFormat};
use tracing::level_filters::LevelFilter;

use crate::stage::{Draft, Stage, User, ask, draft, get, lane, limit};

/// The lines so far.
fn taken(lines: &AccessLines) -> Vec<Value> {
    let mut log = Vec::new();
    assert_eq!(lines.write_waiting(Duration::ZERO, &mut log).expect("a vector takes all"), 0);
    let text = String::from_utf8(log).expect("text");
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}")))
        .collect()
}

#[tokio::test]
async fn a_request_has_the_same_line_in_a_lane_and_behind_hyper() {
    let stage = Stage::open().await;
    let lines = Arc::new(AccessLines::new(LineFormat::Json, LevelFilter::INFO, true));
    stage.app().signals().log_accesses(lines.clone());
    let (alice, book) = (&stage.alice, &stage.book);
    let signed =
        |body: &Value| draft("POST", &book.orders()).json(body).signed(&alice.key, stage.now_seconds());
    let order = limit(book.yes, "BUY", 10.0, 0.40);
    let dear = limit(book.yes, "BUY", 100_000.0, 0.40);
    let drafts: [(Draft, &str, u64, bool); 3] = [
        (signed(&order).header("x-trace-id", "mine"), "INFO", 200, true),
        (signed(&dear), "INFO", 422, true),
        (get(&format!("/v1/pm/events/{}", book.event)), "INFO", 200, false),
    ];
    for (draft, level, status, is_signed) in drafts {
        ask(stage.router(), draft.clone().header("x-request-id", "the-same")).await;
        lane::ask(stage.app(), stage.router(), draft.header("x-request-id", "the-same")).await;
        let [mut behind_hyper, mut in_a_lane] = <[Value; 2]>::try_from(taken(&lines)).expect("two lines");
        assert_eq!((&behind_hyper["level"], &behind_hyper["status"]), (&level.into(), &status.into()));
        assert_eq!((&behind_hyper["id"], &behind_hyper["target"]), (&"the-same".into(), &"access".into()));
        let (user, key) = (alice.id.to_string(), alice.key.id.to_string());
        let expected = if is_signed { (Some(&*user), Some(&*key)) } else { (None, None) };
        assert_eq!((behind_hyper["user"].as_str(), behind_hyper["key"].as_str()), expected);
        assert_eq!(behind_hyper.get("command").is_some(), is_signed, "{behind_hyper}");
        for line in [&mut behind_hyper, &mut in_a_lane] {
            let fields = line.as_object_mut().expect("an object");
            // A read that a lane answers within its turn takes time too.
            let micros = fields.remove("micros").and_then(|micros| micros.as_u64());
            assert!(micros.is_some_and(|micros| micros > 0), "{micros:?}");
            fields.remove("command");
        }
        assert_eq!(behind_hyper, in_a_lane);
    }
    stage.close().await;
}

#[tokio::test]
async fn callers_that_share_a_connection_have_their_own_lines() {
    let stage = Stage::open().await;
    let lines = Arc::new(AccessLines::new(LineFormat::Json, LevelFilter::INFO, true));
    stage.app().signals().log_accesses(lines.clone());
    let (alice, bob, book) = (&stage.alice, &stage.bob, &stage.book);
    let (orders, event) = (book.orders(), format!("/v1/pm/events/{}", book.event));
    let order = limit(book.yes, "BUY", 10.0, 0.40);
    let of = |user: &User| draft("POST", &orders).json(&order).signed(&user.key, stage.now_seconds());
    let callers = [Some(alice), Some(bob), None, Some(bob), Some(bob), Some(alice), None];
    let drafts = callers.map(|caller| caller.map_or_else(|| get(&event), of));
    let answers = lane::ask_each(stage.app(), stage.router(), drafts).await;
    assert!(answers.iter().all(|answer| answer.status == 200), "{answers:?}");
    let lines = taken(&lines);
    assert_eq!(lines.len(), callers.len());
    for (line, caller) in lines.iter().zip(callers) {
        let expected = caller.map(|user| (user.id.to_string(), user.key.id.to_string()));
        let found = line["user"].as_str().zip(line["key"].as_str());
        assert_eq!(found.map(|(user, key)| (user.to_owned(), key.to_owned())), expected, "{line}");
        let (method, route) = match caller {
            Some(_) => ("POST", "/v1/pm/events/{eventId}/markets/{marketId}/orders"),
            None => ("GET", "/v1/pm/events/{eventId}"),
        };
        assert_eq!((&line["method"], &line["route"]), (&method.into(), &route.into()), "{line}");
    }
    stage.close().await;
}
