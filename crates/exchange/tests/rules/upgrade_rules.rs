//! Rules go forward only, and only to what this build knows.

use exchange::Exchange;
use exchange::command::Command;
use exchange::reject::Reject;

use crate::world::World;

#[test]
fn upgrade_rules_refuses_versions_that_are_not_newer_or_not_known() {
    let mut world = World::new();
    let now = world.exchange.rules_version();
    let rule = "one that this build knows";
    let rows = [
        (0, Reject::VersionNotNewer),
        (now, Reject::VersionNotNewer),
        (Exchange::RULES_VERSION + 1, Reject::InvalidField { field: "version", rule }),
        (u32::MAX, Reject::InvalidField { field: "version", rule }),
    ];
    for (version, reject) in rows {
        assert_eq!(world.system(Command::UpgradeRules { version }), Err(reject), "{version}");
        assert_eq!(world.exchange.rules_version(), now);
        assert!(world.changes().is_empty());
    }
}

#[test]
fn upgrade_rules_begins_with_the_first_version() {
    assert_eq!(
        Exchange::new().rules_version(),
        1,
        "a new journal is decided by the first rules until it says otherwise"
    );
}
