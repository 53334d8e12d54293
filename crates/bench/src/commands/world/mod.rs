//! The world that every form is measured in: one of each thing that a command could have to walk over, at the size of the
//! goals.
//!
//! `sizes.rs` has the numbers, `script.rs` sends the requests, the other files send those of one area each.

mod governance;
mod markets;
mod people;
mod script;
mod sizes;
mod sports;
mod trading;

pub use markets::{details, new_event, new_series};
pub use people::{key, open_session, price_of};
pub use script::{Script, Stage, Venue};
pub use sizes::{ENTRIES_OF_PART, START, Sizes};
pub use sports::{LARGE as LARGE_GAME, game, import, soccer_events, team};
pub use trading::{limit, mint};

use exchange::Exchange;
use exchange::command::{Command, UpgradeRules};

/// Sends all requests of the world.
pub fn create(venue: &mut dyn Venue, sizes: &Sizes) {
    let mut script = Script::new(venue, START);
    script.system(Command::UpgradeRules(UpgradeRules { version: Exchange::RULES_VERSION }));
    governance::operators(&mut script, sizes);
    markets::house(&mut script);
    markets::waiting_results(&mut script, sizes);
    script.now = sizes.morning();
    people::users(&mut script, sizes);
    people::guarded(&mut script);
    markets::events(&mut script, sizes);
    markets::series(&mut script, sizes);
    sports::games(&mut script, sizes);
    trading::holdings(&mut script, sizes);
    trading::books(&mut script, sizes);
    trading::trader(&mut script, sizes);
    people::idempotency_keys(&mut script, sizes);
    governance::proposals(&mut script, sizes);
    markets::boundaries(&mut script, sizes);
    markets::samples(&mut script);
}

pub fn stage(sizes: &Sizes) -> Stage {
    let mut stage = Stage { exchange: Exchange::new(), now: START };
    create(&mut stage, sizes);
    stage
}
