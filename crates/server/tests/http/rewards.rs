//! Rewards and rebates: nothing is paid, and the empty lists have the shape that clients expect.

use serde_json::json;
use stage::node::Stage;

#[tokio::test]
async fn rewards_and_rebates_are_empty_lists_with_pages() {
    let stage = Stage::open().await;
    for list in ["liquidity-rewards", "maker-rebates"] {
        let path = format!("/v1/pm/{list}");
        let shown = stage.read(&stage.alice.key, &path).await.expect(200);
        let pagination = json!({"page": 1, "size": 20, "lastPage": 1, "totalCount": 0});
        assert_eq!(shown, json!({"data": [], "pagination": pagination}));
        let shown = stage.read(&stage.alice.key, &format!("{path}?page=3&size=5")).await.expect(200);
        assert_eq!(shown["pagination"], json!({"page": 3, "size": 5, "lastPage": 1, "totalCount": 0}));
        let active = stage.read(&stage.alice.key, &format!("{path}/active")).await.expect(200);
        assert_eq!(active, json!({"data": []}));
        for query in ["size=101", "size=0", "page=0"] {
            stage.read(&stage.alice.key, &format!("{path}?{query}")).await.refused(400, "bad_request");
        }
    }
}
