//! A third-party client, `rs_bayse`, against a real socket: every call that concerns our API, with its typed results
//! checked. `crates/cli/tests/cluster` runs these flows at one of several nodes.
//!
//! Not covered, because of the client itself: `batch_cancel_orders` posts to the route that places (400 here, see
//! below), and the facade's `login`, `public` and `with_api_key` support one address only, so the managers are made
//! from a `Config`.

#[path = "rs_bayse/catalogue.rs"]
mod catalogue;
#[path = "rs_bayse/hall.rs"]
mod hall;
#[path = "rs_bayse/history.rs"]
mod history;
#[path = "rs_bayse/streams.rs"]
mod streams;
#[path = "rs_bayse/trading.rs"]
mod trading;

use std::time::{SystemTime, UNIX_EPOCH};

use stage::node::Stage;

use hall::Hall;

/// The client signs by the machine's clock, so the stage begins at that time.
async fn open() -> Hall {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("a time after 1970").as_secs();
    let stage = Stage::open_at(now.cast_signed()).await;
    let router = stage.router();
    Hall::open(stage, router, ()).await
}
