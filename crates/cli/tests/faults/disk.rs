//! A disk that is full, read-only or slow, or that fails a sync.

use serde_json::{Value, json};

use crate::exchange::Venue;
use crate::planting::{SmallDisk, failing_disk, slow_disk};

/// Two segments of the journal take 128 MiB.
const DISK_MEBIBYTES: u32 = 192;

/// More syncs than a thread needs for a start.
const GOOD_SYNCS: u32 = 24;

/// Ends an event, which leaves memory a minute later. Returns its path.
fn end_an_event(running: &crate::exchange::Running<'_>) -> String {
    let slug = "housing-bill-this-session";
    running.operate("PUT", "/admin/v1/policy", &json!({"retireAfterSeconds": 60}));
    running.operate("POST", &format!("/admin/v1/events/{slug}/cancel"), &json!({}));
    format!("/v1/pm/events/slug/{slug}")
}

#[test]
fn on_a_full_disk_cancels_are_accepted_and_everything_continues_by_itself_when_there_is_room() {
    let venue = Venue::new();
    let (disk, data) = (SmallDisk::new(venue.path("disk"), DISK_MEBIBYTES), venue.data());
    let mut command = venue.command(&disk.wrapper(&data, ":"), disk.path(), &["--low-disk-mib=8"]);
    let running = venue.start(&mut command).expect("it serves");
    let resting = running.place();
    let ended = end_an_event(&running);
    assert_eq!(running.metric("bellwether_disk_low"), 0.0);

    let filler = disk.fill(running.pid());
    patience::until("cancels only", || running.metric("bellwether_cancel_only") == 1.0);
    assert_eq!(running.metric("bellwether_disk_low"), 1.0);
    // The figures of the disk are some seconds old.
    patience::until("little is free", || running.metric("bellwether_disk_free_bytes") < 8e6);
    let (status, refused) = running.try_place_at(0).expect("an answer");
    assert_eq!((status, refused["code"].as_str()), (503, Some("CANCEL_ONLY")), "{refused}");
    running.cancel(&resting);
    assert_eq!(running.order(&resting), "cancelled", "history is still read");
    // The segments of history are written with the next snapshot, the retired event by SQLite.
    patience::until("the event has left memory", || running.metric("bellwether_events_retired_total") >= 1.0);
    running.wait_for_reason("history_stopped");
    assert_eq!(running.metric("bellwether_history_stopped"), 1.0);
    assert!(running.log().contains("history cannot be written"), "{}", running.log());

    std::fs::remove_file(filler).expect("room");
    running.wait_until_ready();
    patience::until("orders are accepted", || {
        running.try_place_at(0).is_some_and(|(status, _)| status == 200)
    });
    assert_eq!(running.metric("bellwether_history_stopped"), 0.0);
    assert_eq!(running.metric("bellwether_disk_low"), 0.0);
    let (status, event) = running.get(&ended).expect("an answer");
    assert_eq!((status, &event["status"]), (200, &Value::from("cancelled")), "{event}");
    assert!(running.log().contains("history is written again"), "{}", running.log());
    running.stop();
}

#[test]
fn a_read_only_disk_ends_the_start_with_its_cause() {
    let venue = Venue::new();
    let (disk, data) = (SmallDisk::new(venue.path("disk"), DISK_MEBIBYTES), venue.data());
    let wrapper = disk.wrapper(&data, "mount -o remount,ro \"$2\"");
    let ended = venue.start(&mut venue.command(&wrapper, disk.path(), &[])).expect_err("it cannot serve");
    assert_eq!(ended.status.code(), Some(1), "{}", ended.log);
    let why = "bellwether: the data folder cannot be used: Read-only file system";
    assert!(ended.log.contains(why), "{}", ended.log);
}

#[test]
fn a_slow_disk_shows_in_the_time_of_commits() {
    let venue = Venue::new();
    let running = venue.serve(&[]);
    (0..3).for_each(|_| drop(running.place()));
    let (quick, all) = running.commits();
    assert!(quick > 0.0, "{quick} of {all} commits are quick without the fault");
    running.stop();

    let wrapper = slow_disk("200000");
    let words: Vec<&str> = wrapper.iter().map(String::as_str).collect();
    let running = venue.start(&mut venue.command(&words, &venue.data(), &[])).expect("it serves");
    let (quick_before, before) = running.commits();
    (0..5).for_each(|_| drop(running.place()));
    let (quick, all) = running.commits();
    assert!(all > before, "orders were written");
    assert_eq!(quick, quick_before, "no commit of {all} took less than 0.1 s");
    assert_eq!(running.ready(), (200, Vec::new()), "it serves, only slowly");
    running.stop();
}

#[test]
fn a_failed_sync_ends_the_process_with_exit_code_3_and_loses_no_answered_write() {
    let venue = Venue::new();
    let wrapper = failing_disk(GOOD_SYNCS);
    let words: Vec<&str> = wrapper.iter().map(String::as_str).collect();
    // A quick machine places more orders in a second than a user may.
    let options = ["--write-per-second=100000"];
    let running = venue.start(&mut venue.command(&words, &venue.data(), &options)).expect("it serves");
    let mut answered = Vec::new();
    let unknown = loop {
        let (status, placed) = running.try_place_at(0).expect("an answer");
        if status != 200 {
            break (status, placed);
        }
        answered.push(placed["order"]["id"].as_str().expect("an id").to_owned());
        assert!(answered.len() < GOOD_SYNCS as usize, "the journal thread syncs each of them");
    };
    assert_eq!((unknown.0, unknown.1["outcome"].as_str()), (503, Some("unknown")), "{}", unknown.1);
    assert!(!answered.is_empty(), "some syncs were good");
    // The process may have ended by now.
    if let Some((status, body)) = running.get("/ready") {
        assert_eq!((status, body["reasons"][0]["code"].as_str()), (503, Some("writer_failed")), "{body}");
    }
    let ended = running.wait();
    assert_eq!(ended.status.code(), Some(3), "{}", ended.log);
    for line in ["the journal failed; writes are refused until a restart", "Input/output error"] {
        assert!(ended.log.contains(line), "{line}: {}", ended.log);
    }

    let running = venue.serve(&[]);
    for order in answered {
        assert_eq!(running.order(&order), "open");
    }
    running.stop();
}
