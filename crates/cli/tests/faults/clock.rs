//! A machine's clock that is set while the exchange runs.

use crate::exchange::Venue;
use crate::planting::SetClock;

#[test]
fn a_clock_that_is_set_ahead_stops_writes_until_it_is_right_again() {
    let venue = Venue::new();
    let clock = SetClock::new(venue.path("clock"));
    let mut command = venue.command(&[], &venue.data(), &[]);
    clock.give_to(&mut command);
    let running = venue.start(&mut command).expect("it serves");
    running.place();
    assert!(running.metric("bellwether_clock_skew_seconds").abs() < 30.0);

    clock.set(400);
    running.wait_for_reason("clock_ahead");
    let skew = running.metric("bellwether_clock_skew_seconds");
    assert!((390.0..500.0).contains(&skew), "{skew}");
    let (status, refused) = running.try_place_at(400).expect("an answer");
    assert_eq!(status, 503, "{refused}");

    clock.set(0);
    running.wait_until_ready();
    // The writer looks at the clock every 50 ms.
    patience::until("orders are accepted", || {
        running.try_place_at(0).is_some_and(|(status, _)| status == 200)
    });
    running.stop();
}

#[test]
fn a_clock_that_is_set_back_shows_and_far_behind_the_journal_only_cancels_are_accepted() {
    let venue = Venue::new();
    let clock = SetClock::new(venue.path("clock"));
    let start = || {
        let mut command = venue.command(&[], &venue.data(), &[]);
        clock.give_to(&mut command);
        venue.start(&mut command).expect("it serves")
    };
    let running = start();
    running.place();
    clock.set(-200);
    patience::until("the clock is behind", || running.metric("bellwether_clock_behind_seconds") > 30.0);
    assert!(running.metric("bellwether_clock_skew_seconds") < -30.0);
    assert_eq!(running.ready(), (200, Vec::new()), "nothing is closed or expired early");
    let (status, placed) = running.try_place_at(-200).expect("an answer");
    assert_eq!(status, 200, "{placed}");
    running.stop();

    clock.set(-3_600);
    let running = start();
    let log = running.log();
    assert!(log.contains("the machine's clock is behind the journal's time"), "{log}");
    // Since the start the clock has not moved: only a comparison with the journal shows it.
    assert!(running.metric("bellwether_clock_skew_seconds").abs() < 30.0);
    assert!(running.metric("bellwether_clock_behind_seconds") > 3_000.0);
    running.wait_for_reason("clock_behind");
    let (status, refused) = running.try_place_at(-3_600).expect("an answer");
    assert_eq!(status, 503, "{refused}");
    assert!(refused.to_string().contains("CANCEL_ONLY"), "{refused}");
    clock.set(0);
    running.wait_until_ready();
    let (status, placed) = running.try_place_at(0).expect("an answer");
    assert_eq!(status, 200, "{placed}");
    running.stop();
}
