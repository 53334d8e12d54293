//! The operators' listeners of two nodes: a write at one is there for the next request at the other, if that waits for its
//! sequence.

use axum::body::{Body, Bytes};
use http::Request;
use http_body_util::BodyExt;
use pgtest::Server;
use serde_json::{Value, json};
use server::admin::access::{ensure_first_operator, read_token};
use server::node::Node;
use tower_service::Service;

use crate::{settings, start, stop};

/// Status, `x-sequence` and body of a request at a node. Its `reference` or `tag` is its `Idempotency-Key`.
async fn send(
    node: &Node,
    token: &str,
    path: &str,
    after: Option<u64>,
    body: &Value,
) -> (u16, Option<u64>, Bytes) {
    let key = body["reference"].as_str().or(body["tag"].as_str()).expect("a name");
    let request = Request::post(path).header("authorization", format!("Bearer {token}"));
    let mut request = request.header("idempotency-key", key);
    if let Some(sequence) = after {
        request = request.header("x-wait-for-sequence", sequence.to_string());
    }
    let request = request.body(Body::from(body.to_string())).expect("a request");
    let Ok(answer) = server::admin::router(node.app.clone()).call(request).await;
    let sequence = answer.headers().get("x-sequence").and_then(|value| value.to_str().ok()?.parse().ok());
    let status = answer.status().as_u16();
    (status, sequence, answer.into_body().collect().await.expect("a body").to_bytes())
}

#[test]
fn a_user_made_at_one_node_is_credited_at_the_other_after_a_wait_for_its_sequence() {
    let server = Server::start(&[]);
    let settings = settings(&server);
    let folders = [tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder")];
    let nodes = folders.each_ref().map(|folder| start(folder.path(), &settings).expect("a node"));
    let file = folders[0].path().join("operator.token");
    ensure_first_operator(&nodes[0].app, &file).expect("an operator");
    let token = read_token(&file).expect("a file").expect("a token");
    let made = nodes[0].app.reading().state().seq();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        for number in 0..20 {
            let [one, other] = if number % 2 == 0 { [0, 1] } else { [1, 0] };
            let tag = format!("person_{number}");
            let user =
                json!({"email": format!("{tag}@mail.example"), "tag": tag, "password": "correct horse"});
            // The second node may not know the operator yet either.
            let (status, sequence, _) = send(&nodes[one], &token, "/admin/v1/users", Some(made), &user).await;
            assert_eq!(status, 201);
            assert!(sequence.is_some(), "a write has its sequence");
            let path = format!("/admin/v1/users/{tag}/credit");
            let credit = |reference: String| json!({"currency": "USD", "amount": 5, "reference": reference});
            let (first, second) = (credit(tag.clone()), credit(format!("{tag}_again")));
            let (status, sequence, answer) = send(&nodes[other], &token, &path, sequence, &first).await;
            assert_eq!(status, 200, "{tag}");
            let (status, sequence, later) = send(&nodes[other], &token, &path, sequence, &second).await;
            assert_eq!(status, 200, "{tag}");
            // Each node has stored what the first answer showed.
            let (status, _, again) = send(&nodes[one], &token, &path, sequence, &first).await;
            assert_eq!((status, &again), (200, &answer), "{tag}");
            assert_ne!(later, answer, "{tag}: the wallet has more by then");
        }
    });
    drop(runtime);
    let [first, second] = nodes.map(stop);
    // A node that stops early may not have read the other's last frame.
    assert!(first.seq > 40 && second.seq > 40);
}
