//! A node that does not match the others refuses to serve and logs the reason.

use pgtest::Server;

use crate::nodes::{Node, Venue};
use crate::trader::Trader;

#[test]
fn a_node_with_another_master_key_is_refused() {
    let server = Server::start(&[]);
    let url = server.url(&server.create_database());
    Venue::build(&url, |_| ());
    let key = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(key.path(), [7; 32]).expect("another key");
    let stranger = Node::new(url, key.path());
    assert!(!stranger.start(), "it must not serve");
    assert_eq!(stranger.wait().code(), Some(1));
    assert!(
        stranger.log().contains("the master key is not the key that the journal recorded"),
        "{}",
        stranger.log()
    );
}

#[test]
fn a_node_whose_state_differs_from_the_others_stops_and_reports_the_sequence() {
    let server = Server::start(&[]);
    let database = server.create_database();
    let url = server.url(&database);
    let (venue, mut trader) = Venue::build(&url, |demo| Trader::meet(demo, 0, 7));
    // As if another node had a different digest at every checkpoint from here on.
    server.execute(
        &database,
        "CREATE FUNCTION spoil() RETURNS trigger LANGUAGE plpgsql AS \
         'BEGIN NEW.digest := set_byte(NEW.digest, 0, 255 - get_byte(NEW.digest, 0)); RETURN NEW; END'; \
         CREATE TRIGGER spoil BEFORE INSERT ON bellwether_checkpoints FOR EACH ROW EXECUTE FUNCTION spoil()",
    );
    let node = venue.node(&url);
    assert!(node.start(), "{}", node.log());
    trader.trade_while_served(&node.address().expect("an address"), &venue.places);
    assert_eq!(node.wait().code(), Some(4), "{}", node.log());
    assert!(node.log().contains("this node's state is"), "{}", node.log());
}
