//! Finding another user.

use serde_json::json;
use stage::node::Stage;
use uuid::Uuid;

const LOOKUP: &str = "/v1/user/lookup";

#[tokio::test]
async fn a_user_is_found_by_tag_in_any_case_or_by_id() {
    let stage = Stage::open().await;
    let bob = json!({"id": stage.bob.id, "tag": "bob", "imageUrl": ""});
    for query in ["tag=bob".to_owned(), "tag=BoB".to_owned(), format!("userId={}", stage.bob.id)] {
        assert_eq!(
            stage.read(&stage.alice.key, &format!("{LOOKUP}?{query}")).await.expect(200),
            bob,
            "{query}"
        );
    }
}

#[tokio::test]
async fn an_unknown_user_is_not_found() {
    let stage = Stage::open().await;
    let nil = Uuid::nil();
    for query in ["tag=nobody", "tag=house", &format!("userId={nil}"), &format!("userId={}", Uuid::now_v7())]
    {
        let refused =
            stage.read(&stage.alice.key, &format!("{LOOKUP}?{query}")).await.refused(404, "not_found");
        assert_eq!(refused["message"], "User not found", "{query}");
    }
}

#[tokio::test]
async fn exactly_one_of_tag_and_id_is_given() {
    let stage = Stage::open().await;
    let both = format!("tag=bob&userId={}", stage.bob.id);
    for query in ["", "tag=", "userId=x", "tag=a&tag=b", &both] {
        stage.read(&stage.alice.key, &format!("{LOOKUP}?{query}")).await.refused(400, "bad_request");
    }
}
