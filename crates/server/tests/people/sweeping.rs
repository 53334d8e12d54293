//! Rows that no command named in time are removed, and no row that is in use ever is.

use exchange::id::UserId;
use exchange::reject::Reject;

use crate::{MINUTE, START, Venue, email, stored};

#[test]
fn a_row_that_no_command_named_goes_after_its_expiry_and_the_rules_refuse_it_then() {
    let folder = tempfile::tempdir().expect("a folder");
    let venue = Venue::open(folder.path());
    let named = venue.person(1);
    let unnamed = venue.write(UserId::new(2), &email(2), "hash");
    let late = venue.write(UserId::new(3), &email(3), "hash");
    assert_eq!(unnamed.expires_at.micros(), START + 5 * MINUTE);
    venue.sweep(None);
    assert!(stored(folder.path(), unnamed).is_some(), "a command may still come");
    venue.clock.advance_micros(5 * MINUTE);
    assert_eq!(venue.create(3, late), Err(Reject::RowExpired), "the expiry itself is too late");
    venue.sweep(None);
    assert!(stored(folder.path(), unnamed).is_some(), "its expiry does not lie before the state's time");
    // Without requests, the sweep itself moves the state's time.
    venue.clock.advance_micros(1);
    venue.sweep(None);
    for row in [unnamed, late] {
        assert_eq!(stored(folder.path(), row), None);
    }
    assert!(stored(folder.path(), named).is_some(), "what counts stays, however old");
    assert_eq!(venue.create(3, late), Err(Reject::RowExpired), "so no person is left without a row");
    venue.stop();
}

#[test]
fn a_row_that_another_replaced_goes_and_a_refused_one_after_its_expiry() {
    let folder = tempfile::tempdir().expect("a folder");
    let venue = Venue::open(folder.path());
    let first = venue.person(1);
    venue.clock.advance_micros(6 * MINUTE);
    let second = venue.write(UserId::new(1), &email(1), "another hash");
    venue.reset_password(1, second).expect("a new password");
    venue.sweep(Some(1));
    assert_eq!((stored(folder.path(), first), venue.email_of(1)), (None, Some(email(1))));
    assert!(stored(folder.path(), second).is_some());
    venue.stop();
}

#[test]
fn a_start_removes_what_a_dead_process_left() {
    let folder = tempfile::tempdir().expect("a folder");
    let venue = Venue::open(folder.path());
    let first = venue.person(1);
    let second = venue.write(UserId::new(1), &email(1), "another hash");
    venue.reset_password(1, second).expect("a new password, and then the process dies");
    let unnamed = venue.write(UserId::new(2), &email(2), "hash");
    venue.stop();
    let venue = Venue::open_at(folder.path(), START + 6 * MINUTE);
    venue.person(3);
    venue.stop();
    let venue = Venue::open_at(folder.path(), START + 7 * MINUTE);
    for row in [first, unnamed] {
        assert_eq!(stored(folder.path(), row), None);
    }
    assert!(stored(folder.path(), second).is_some());
    assert_eq!(venue.email_of(1), Some(email(1)));
    venue.stop();
}
