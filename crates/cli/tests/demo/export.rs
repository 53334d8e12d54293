//! `export` by the real executable: the numbers that the API shows, parts that a second run continues, refusals, and
//! books that are rebuilt from the files.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use exchange::catalogue::EventLink;
use exchange::change::Change;
use exchange::numbers::Currency;
use exchange::order::{Outcome, Side};
use serde_json::{Value, json};
use server::applied::{Applied, Observer};
use server::audit::journal_copy::JournalPlace;
use server::audit::observing::JournalReplay;
use stage::demo::{Demo, market};

const PAST: &[&str] = &["--no-bots", "--past-days", "1"];
const BOOK: &str = "rain-in-lagos-on-new-years-day";
const SERIES: &str = "crypto-btc-15min";
const TABLES: [&str; 9] = [
    "events",
    "markets",
    "rules",
    "verdicts",
    "resolutions",
    "trades",
    "candles",
    "book_changes",
    "book_snapshots",
];

fn command(data: &Path, out: &Path, flags: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bellwether"));
    command.arg("export").arg(out).arg("--data").arg(data).args(flags);
    command
}

fn export(data: &Path, out: &Path, flags: &[&str]) -> Output {
    command(data, out, flags).output().expect("the executable runs")
}

fn exported(data: &Path, out: &Path, flags: &[&str]) -> Value {
    let done = export(data, out, flags);
    assert_eq!(done.status.code(), Some(0), "{done:?}");
    manifest(out)
}

fn manifest(out: &Path) -> Value {
    serde_json::from_slice(&fs::read(out.join("manifest.json")).expect("a manifest")).expect("JSON")
}

fn files(manifest: &Value) -> impl Iterator<Item = &Value> {
    let parts = manifest["parts"].as_array().expect("parts").iter();
    parts.flat_map(|part| part["files"].as_array().expect("files"))
}

/// Rows of each table.
fn rows(manifest: &Value) -> BTreeMap<String, u64> {
    let mut rows = BTreeMap::new();
    for file in files(manifest) {
        let table = file["table"].as_str().expect("a name").to_owned();
        *rows.entry(table).or_default() += file["rows"].as_u64().expect("a count");
    }
    rows
}

/// The rows of a table without quoted fields, in order.
fn read(out: &Path, manifest: &Value, table: &str) -> Vec<BTreeMap<String, String>> {
    let mut rows = Vec::new();
    for file in files(manifest).filter(|file| file["table"] == table) {
        let path = out.join(file["path"].as_str().expect("a path"));
        let text = fs::read_to_string(path).expect("a file");
        let mut lines = text.lines();
        let names: Vec<String> = lines.next().expect("a header").split(',').map(str::to_owned).collect();
        let before = rows.len();
        rows.extend(
            lines.map(|line| names.iter().cloned().zip(line.split(',').map(str::to_owned)).collect()),
        );
        assert_eq!((rows.len() - before) as u64, file["rows"].as_u64().expect("a count"), "{table}");
    }
    rows
}

/// The lines of a table in all parts, without headers.
fn lines(out: &Path, manifest: &Value, table: &str) -> String {
    let mut lines = String::new();
    for file in files(manifest).filter(|file| file["table"] == table) {
        let text = fs::read_to_string(out.join(file["path"].as_str().expect("a path"))).expect("a file");
        lines.push_str(text.split_once('\n').expect("a header").1);
    }
    lines
}

/// An export that must fail.
fn refused(data: &Path, out: &Path, flags: &[&str], why: &str) {
    let done = export(data, out, flags);
    assert_eq!(done.status.code(), Some(1), "{done:?}");
    assert!(String::from_utf8_lossy(&done.stderr).contains(why), "{done:?}");
}

/// All files of an export by path.
fn contents(out: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![out.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let inside = path.strip_prefix(out).expect("a path inside").to_owned();
                found.insert(inside, fs::read(path).expect("a file"));
            }
        }
    }
    found
}

/// A venue with a day of trades, stopped.
fn venue(data: &Path) {
    let demo = Demo::start_with(data, PAST);
    assert_eq!(demo.terminate().code(), Some(0));
}

#[test]
fn an_export_has_the_trades_and_candles_that_the_api_shows_and_names_no_user() {
    let folder = tempfile::tempdir().expect("a folder");
    let (data, out) = (folder.path().join("data"), folder.path().join("out"));
    let demo = Demo::start_with(&data, PAST);
    let (path, yes) = market(&demo, BOOK);
    for side in ["BUY", "BUY", "SELL"] {
        let order = json!({"side": side, "outcomeId": yes, "type": "MARKET", "amount": 5});
        assert_eq!(demo.post_signed(&path, &order).0, 200);
    }
    let exported = exported(&data, &out, &[]);
    let (rows, trades) = (rows(&exported), read(&out, &exported, "trades"));
    for table in TABLES.iter().filter(|table| **table != "verdicts") {
        assert!(rows.get(*table).is_some_and(|rows| *rows > 0), "{table} has rows: {rows:?}");
    }

    let (_, shown) = demo.get("/v1/pm/trades?engine=ALL&size=100");
    assert_eq!(shown["pagination"]["totalCount"].as_u64(), rows.get("trades").copied());
    let by_id: BTreeMap<&str, &BTreeMap<String, String>> =
        trades.iter().map(|trade| (&*trade["trade_id"], trade)).collect();
    let mut people = BTreeSet::new();
    for trade in shown["data"].as_array().expect("trades") {
        let row = by_id[trade["id"].as_str().expect("an id")];
        for (shown, column) in [("price", "price"), ("size", "quantity"), ("takerFee", "taker_fee")] {
            assert_eq!(trade[shown].to_string(), row[column], "{shown} of {trade}");
        }
        for (shown, column) in [("outcome", "outcome"), ("takerSide", "side"), ("createdAt", "at")] {
            assert_eq!(trade[shown].as_str(), Some(&*row[column]), "{shown} of {trade}");
        }
        for name in ["takerUserId", "makerUserId", "takerOrderId"] {
            people.insert(trade[name].as_str().expect("an id").to_owned());
        }
    }
    for (path, bytes) in contents(&out) {
        let text = String::from_utf8(bytes).expect("a text");
        let found = people.iter().find(|id| text.contains(*id));
        assert_eq!(found, None, "{} names a user or an order", path.display());
    }
    check_candles(&demo, &out, &exported, path.split('/').nth(6).expect("a market"));
    assert_eq!(demo.terminate().code(), Some(0));
}

/// Compares the complete hours of a market.
fn check_candles(demo: &Demo, out: &Path, manifest: &Value, market: &str) {
    let (status, shown) = demo.get(&format!("/v1/pm/markets/{market}/candles?interval=1h"));
    assert_eq!(status, 200, "{shown}");
    let is_compared = |row: &&BTreeMap<String, String>| {
        row["market_id"] == market && row["interval"] == "1h" && row["currency"] == "USD"
    };
    let all = read(out, manifest, "candles");
    let written: Vec<_> = all.iter().filter(is_compared).collect();
    let shown = shown["candles"].as_array().expect("candles");
    assert!(!written.is_empty() && written.len() <= shown.len() && written.len() + 1 >= shown.len());
    for (row, candle) in written.iter().zip(shown) {
        assert_eq!(candle["start"].as_str(), Some(&*row["start"]));
        for name in ["open", "high", "low", "close", "volume", "count"] {
            assert_eq!(candle[name].to_string(), row[name], "{name} of {candle}");
        }
    }
}

#[test]
fn an_export_that_was_killed_continues_with_the_files_of_one_that_was_not() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("data");
    venue(&data);
    let flags = ["--part-sequences", "40", "--snapshot-seconds", "600"];
    let whole = exported(&data, &folder.path().join("whole"), &flags);
    let parts = whole["parts"].as_array().expect("parts").len();
    assert!(parts > 5, "{parts} parts");

    // The kill may come after the last part; then another export is killed.
    for attempt in 0..100 {
        let out = folder.path().join(format!("killed-{attempt}"));
        let quiet = (Stdio::null(), Stdio::null());
        let mut process =
            command(&data, &out, &flags).stdout(quiet.0).stderr(quiet.1).spawn().expect("a process");
        let has_parts = || {
            let text = fs::read(out.join("manifest.json")).unwrap_or_default();
            let found: Value = serde_json::from_slice(&text).unwrap_or_default();
            found["parts"].as_array().is_some_and(|parts| parts.len() > attempt % 3)
        };
        patience::until("no part was finished", || {
            has_parts() || process.try_wait().expect("a child").is_some()
        });
        process.kill().expect("a kill -9");
        process.wait().expect("an end");
        if manifest(&out)["parts"].as_array().expect("parts").len() < parts {
            assert_eq!(exported(&data, &out, &flags), whole);
            assert_eq!(
                contents(&out),
                contents(&folder.path().join("whole")),
                "no file is left over or differs"
            );
            return;
        }
    }
    panic!("every export ended before its kill");
}

#[test]
fn a_second_run_adds_only_new_requests_and_refuses_changed_parts_other_options_and_other_journals() {
    let folder = tempfile::tempdir().expect("a folder");
    let (data, out) = (folder.path().join("data"), folder.path().join("out"));
    let demo = Demo::start_with(&data, PAST);
    let first = exported(&data, &out, &[]);
    let (path, yes) = market(&demo, BOOK);
    let order = json!({"side": "BUY", "outcomeId": yes, "type": "MARKET", "amount": 5});
    assert_eq!(demo.post_signed(&path, &order).0, 200);
    assert_eq!(demo.terminate().code(), Some(0));
    let second = exported(&data, &out, &[]);
    let (old, new) = (first["parts"].as_array().expect("parts"), second["parts"].as_array().expect("parts"));
    assert_eq!((old.len() + 1, &new[..old.len()]), (new.len(), &old[..]));
    let next = old[old.len() - 1]["lastSequence"].as_u64().map(|last| last + 1);
    assert_eq!(new[old.len()]["firstSequence"].as_u64(), next);

    let refused = |data: &Path, flags: &[&str], why: &str| refused(data, &out, flags, why);
    refused(&data, &["--part-sequences", "7"], "--part-sequences");
    refused(&data, &["--series", SERIES], "selection");
    refused(&data, &["--format", "parquet"], "format");
    let other = folder.path().join("other");
    venue(&other);
    refused(&other, &[], "another journal");

    let trades = out.join(
        files(&second).find(|file| file["table"] == "trades").expect("trades")["path"]
            .as_str()
            .expect("a path"),
    );
    let whole = fs::read(&trades).expect("a file");
    let mut changed = whole.clone();
    let last = changed.len() - 2;
    changed[last] ^= 1;
    fs::write(&trades, &changed).expect("a write");
    refused(&data, &[], "its hash");
    fs::write(&trades, &whole[..last]).expect("a write");
    refused(&data, &[], "its size");
    fs::remove_file(&trades).expect("a removal");
    refused(&data, &[], "it is missing");
    fs::write(&trades, &whole).expect("a write");
    assert_eq!(exported(&data, &out, &[]), second, "nothing is left to add");
}

#[test]
fn private_data_needs_an_operator_of_the_venue_and_leaves_the_public_files_as_they_are() {
    let folder = tempfile::tempdir().expect("a folder");
    let (data, out) = (folder.path().join("data"), folder.path().join("out"));
    venue(&data);
    let (wrong, missing) = (folder.path().join("wrong.token"), folder.path().join("missing.token"));
    fs::write(&wrong, "op_not-a-token-of-this-venue\n").expect("a file");
    for (flags, code, why) in [
        (vec!["--private"], 2, "--token-file"),
        (vec!["--private", "--token-file", missing.to_str().expect("a path")], 1, "there is no token"),
        (vec!["--private", "--token-file", wrong.to_str().expect("a path")], 1, "operator of this venue"),
    ] {
        let refused = export(&data, &out, &flags);
        assert_eq!(refused.status.code(), Some(code), "{refused:?}");
        assert!(String::from_utf8_lossy(&refused.stderr).contains(why), "{refused:?}");
        assert!(!out.exists(), "nothing was written");
    }
    let token = data.join("operator.token");
    let private = exported(&data, &out, &["--private", "--token-file", token.to_str().expect("a path")]);
    let public_folder = folder.path().join("public");
    let public = exported(&data, &public_folder, &[]);
    let of_private: BTreeSet<_> = rows(&private).into_keys().collect();
    let of_public: BTreeSet<_> = rows(&public).into_keys().collect();
    assert_eq!(of_private.difference(&of_public).collect::<Vec<_>>(), ["orders", "trade_parties"]);
    assert_eq!(rows(&private).get("trade_parties"), rows(&public).get("trades"));
    let mode = |path: &Path| fs::metadata(path).expect("an entry").permissions().mode() & 0o777;
    assert_eq!((mode(&out), mode(&out.join("orders"))), (0o700, 0o700));
    let (private, public) = (contents(&out), contents(&public_folder));
    for path in private.keys() {
        assert_eq!(mode(&out.join(path)), 0o600, "{}", path.display());
    }
    for (path, bytes) in public.iter().filter(|(path, _)| path.as_path() != Path::new("manifest.json")) {
        assert_eq!(private.get(path), Some(bytes), "{}", path.display());
    }
}

#[test]
fn parquet_has_the_rows_of_csv_and_a_selection_has_only_its_market() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("data");
    let demo = Demo::start_with(&data, PAST);
    let (path, _) = market(&demo, BOOK);
    let chosen = path.split('/').nth(6).expect("a market").to_owned();
    assert_eq!(demo.terminate().code(), Some(0));
    let csv = exported(&data, &folder.path().join("csv"), &[]);
    let parquet = exported(&data, &folder.path().join("parquet"), &["--format", "parquet"]);
    assert_eq!(rows(&csv), rows(&parquet));
    for file in files(&parquet) {
        let bytes = fs::read(folder.path().join("parquet").join(file["path"].as_str().expect("a path")));
        let bytes = bytes.expect("a file");
        assert!(bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1"), "{file}");
    }
    let all = read(&folder.path().join("csv"), &csv, "trades");
    let of_market: Vec<_> = all.into_iter().filter(|trade| trade["market_id"] == chosen).collect();
    let narrow = exported(&data, &folder.path().join("narrow"), &["--market", &chosen]);
    assert!(!of_market.is_empty());
    assert_eq!(read(&folder.path().join("narrow"), &narrow, "trades"), of_market);
    assert_eq!(rows(&narrow).get("rules"), Some(&1));
    // From the middle on: the later trades, and the catalogue as it was then.
    let middle = &of_market[of_market.len() / 2]["at"];
    let late = exported(&data, &folder.path().join("late"), &["--market", &chosen, "--from", middle]);
    let first = of_market.iter().position(|trade| trade["at"] == *middle).expect("the middle one");
    let expected = &of_market[first..];
    assert_eq!(read(&folder.path().join("late"), &late, "trades"), expected);
    assert_eq!(rows(&late).get("markets"), Some(&1));
    // Up to the middle, which is included.
    let early = exported(&data, &folder.path().join("early"), &["--market", &chosen, "--to", middle]);
    let last = of_market.iter().rposition(|trade| trade["at"] == *middle).expect("the middle one");
    assert_eq!(read(&folder.path().join("early"), &early, "trades"), &of_market[..=last]);
    assert!(last + 1 < of_market.len(), "some are later");
}

/// The markets of a series, and the markets that have left memory.
struct SeriesMarkets {
    slug: &'static str,
    markets: BTreeSet<String>,
    retired: BTreeSet<String>,
}

impl SeriesMarkets {
    /// Replays the journal of a venue.
    fn of(data: &Path, slug: &'static str) -> SeriesMarkets {
        let mut found = SeriesMarkets { slug, markets: BTreeSet::new(), retired: BTreeSet::new() };
        let mut replay =
            JournalReplay::open(&JournalPlace::Folder(data.to_owned()), None).expect("a journal");
        while let Some(frame) = replay.read().expect("a frame") {
            replay.apply(&frame, &mut found).expect("a replay");
        }
        found
    }
}

impl Observer for SeriesMarkets {
    fn applied(&mut self, applied: &Applied<'_>) {
        let catalogue = applied.exchange.catalogue();
        for change in applied.changes {
            match change {
                Change::EventCreated { event } => {
                    let event = catalogue.event(catalogue.find_event(*event).expect("a new event"));
                    let EventLink::Series { series, .. } = event.link else { continue };
                    if *catalogue.find_series(series).expect("its series").terms.slug == *self.slug {
                        let ids = event.markets.iter().map(|market| catalogue.market(*market).id.to_string());
                        self.markets.extend(ids);
                    }
                }
                Change::EventRetired(retired) => {
                    self.retired.extend(retired.markets.iter().map(|market| market.market.id.to_string()));
                }
                _ => {}
            }
        }
    }
}

#[test]
fn a_series_is_selected_with_the_rows_of_all_its_markets_and_unknown_names_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("data");
    venue(&data);
    let (all_folder, out) = (folder.path().join("all"), folder.path().join("out"));
    let all = exported(&data, &all_folder, &[]);
    let selected = SeriesMarkets::of(&data, SERIES).markets;
    let unknown = "00000000-0000-4000-8000-000000000001";
    refused(&data, &out, &["--series", SERIES, "--market", unknown], unknown);
    refused(&data, &out, &["--series", "no-such-series"], "no-such-series");
    // No part was finished, so the folder may have another selection.
    let series = exported(&data, &out, &["--series", SERIES]);
    for table in ["resolutions", "trades", "candles", "book_changes", "book_snapshots"] {
        let mut expected = read(&all_folder, &all, table);
        expected.retain(|row| selected.contains(&row["market_id"]));
        assert_eq!(read(&out, &series, table), expected, "{table}");
        assert!(table != "resolutions" || expected.len() > 10, "the series has settled markets");
    }
    let times = ["--from", "2026-01-02T00:00:00Z", "--to", "2026-01-01T00:00:00Z"];
    let never = folder.path().join("never");
    refused(&data, &never, &times, "--from is after --to");
    assert!(!never.exists(), "nothing was written");
}

/// Ends events in every way: a withdrawn and a finalised proposal, a cancelled and a resolved market. Returns the event
/// of the proposals and the two markets. `between` is called while a proposal is pending.
fn end_events(demo: &Demo, between: impl FnOnce()) -> (String, String, String) {
    let token = demo.text("/operatorToken").to_owned();
    let operate = |path: &str, body: &Value, status: u16| {
        let (found, answer) = demo.operate(&token, &format!("/admin/v1/{path}"), body);
        assert_eq!(found, status, "{path}: {answer}");
        answer
    };
    let event_of = |slug: &str| demo.get(&format!("/v1/pm/events/slug/{slug}")).1;
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let proposal = json!({"yesPrice": 0.5, "evidence": {"text": "Postponed"}});
    let propose = || {
        let proposed = operate("events/housing-bill-this-session/propose", &proposal, 201);
        format!("proposals/{}", text(&proposed["proposalId"]))
    };
    let first = propose();
    operate(&format!("{first}/withdraw"), &json!({"reason": "too early"}), 200);
    let second = propose();
    between();
    operate(&format!("{second}/finalise"), &Value::Null, 200);
    let cancelled = text(&event_of(BOOK)["markets"][0]["id"]);
    operate(&format!("markets/{cancelled}/cancel"), &json!({"yesPrice": 0.25}), 200);
    let resolved = text(&event_of("marathon-record-this-season")["markets"][0]["id"]);
    operate(&format!("markets/{resolved}/close"), &Value::Null, 200);
    operate(&format!("markets/{resolved}/resolve"), &json!({"outcome": "NO"}), 200);
    // Settled events of the past are older than this limit: the next request retires them.
    assert_eq!(demo.put(&token, "/admin/v1/policy", &json!({"retireAfterSeconds": 60})).0, 200);
    assert_eq!(demo.put(&token, "/admin/v1/policy", &json!({"resolutionDelaySeconds": 1})).0, 200);
    (text(&event_of("housing-bill-this-session")["id"]), cancelled, resolved)
}

#[test]
fn ended_and_retired_events_have_equal_rows_after_one_run_and_after_two() {
    let folder = tempfile::tempdir().expect("a folder");
    let (data, twice) = (folder.path().join("data"), folder.path().join("twice"));
    let demo = Demo::start_with(&data, PAST);
    let (event, cancelled, resolved) = end_events(&demo, || drop(exported(&data, &twice, &[])));
    assert_eq!(demo.terminate().code(), Some(0));
    let second = exported(&data, &twice, &[]);
    let once = folder.path().join("once");
    let whole = exported(&data, &once, &[]);
    assert_eq!(second["parts"].as_array().map(Vec::len), Some(2));
    // Every part begins with a snapshot of the books.
    for table in TABLES.into_iter().filter(|table| *table != "book_snapshots") {
        assert!(lines(&twice, &second, table) == lines(&once, &whole, table), "{table} differs");
    }

    let verdicts = read(&once, &whole, "verdicts");
    let of_event: Vec<_> = verdicts.iter().filter(|row| row["event_id"] == event).collect();
    let stages: Vec<&str> = of_event.iter().map(|row| &*row["stage"]).collect();
    assert_eq!(stages, ["proposed", "withdrawn", "proposed", "finalised"]);
    assert_eq!((&*of_event[1]["reason"], &*of_event[3]["yes_price"]), ("too early", "0.5"));
    let resolutions = read(&once, &whole, "resolutions");
    for (market, expected) in [(&cancelled, ["cancelled", "", "0.25"]), (&resolved, ["resolved", "NO", "0"])]
    {
        let ends: Vec<_> = resolutions.iter().filter(|row| row["market_id"] == *market).collect();
        let columns = ["status", "resolved_outcome", "yes_payout"];
        assert_eq!(ends.len(), 1, "{market}");
        assert_eq!(columns.map(|column| &*ends[0][column]), expected, "{market}");
    }
    // A selected market that is no longer in memory is found.
    let retired = SeriesMarkets::of(&data, SERIES).retired;
    let chosen = retired.first().expect("a retired market");
    let narrow = exported(&data, &folder.path().join("narrow"), &["--market", chosen]);
    assert_eq!(rows(&narrow).get("resolutions"), Some(&1));
}

/// A level of a book: market, currency, side and price.
type LevelKey = (String, String, String, String);
/// The quantities of levels.
type Books = BTreeMap<LevelKey, String>;

/// The books of the exchange's own state at chosen sequences.
struct Looks {
    wanted: BTreeSet<u64>,
    seen: BTreeMap<u64, Books>,
}

impl Observer for Looks {
    fn applied(&mut self, applied: &Applied<'_>) {
        if !self.wanted.contains(&applied.seq) {
            return;
        }
        let mut books = Books::new();
        let catalogue = applied.exchange.catalogue();
        for (index, listing) in catalogue.listings() {
            let Some(book) = listing.book() else { continue };
            let market = catalogue.market(index.market()).id.to_string();
            let currency = if index.currency() == Currency::Usd { "USD" } else { "NGN" };
            for (side, name) in [(Side::Buy, "bid"), (Side::Sell, "ask")] {
                for (price, quantity) in book.levels(side.on_book(Outcome::Yes)) {
                    let key =
                        (market.clone(), currency.to_owned(), name.to_owned(), price.cents().to_string());
                    books.insert(key, quantity.units().to_string());
                }
            }
        }
        self.seen.insert(applied.seq, books);
    }
}

/// An exact decimal as a whole number of units.
fn units(text: &str, places: usize) -> String {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let number: u64 = format!("{whole}{fraction:0<places$}").parse().expect("a decimal");
    number.to_string()
}

/// Sequences and levels of a table of books, in order.
fn levels(out: &Path, manifest: &Value, table: &str) -> Vec<(u64, LevelKey, String)> {
    let level = |row: BTreeMap<String, String>| {
        let name = |column: &str| row[column].clone();
        let key = (name("market_id"), name("currency"), name("side"), units(&row["price"], 2));
        (row["sequence"].parse().expect("a sequence"), key, units(&row["quantity"], 4))
    };
    read(out, manifest, table).into_iter().map(level).collect()
}

#[test]
fn a_book_rebuilt_from_the_files_is_the_exchange_s_at_1000_random_sequences() {
    let folder = tempfile::tempdir().expect("a folder");
    let (data, out) = (folder.path().join("data"), folder.path().join("out"));
    venue(&data);
    let manifest = exported(&data, &out, &["--part-sequences", "500", "--snapshot-seconds", "7200"]);
    let (snapshots, changes) =
        (levels(&out, &manifest, "book_snapshots"), levels(&out, &manifest, "book_changes"));
    let last = manifest["parts"].as_array().and_then(|parts| parts.last()).expect("a part");
    let last = last["lastSequence"].as_u64().expect("a sequence");
    let mut random = fastrand::Rng::with_seed(20_261_117);
    let mut looks = Looks { wanted: BTreeSet::new(), seen: BTreeMap::new() };
    while looks.wanted.len() < 1_000_usize.min(usize::try_from(last).expect("few")) {
        looks.wanted.insert(random.u64(1..=last));
    }
    let mut replay = JournalReplay::open(&JournalPlace::Folder(data), None).expect("a journal");
    while let Some(frame) = replay.read().expect("a frame") {
        replay.apply(&frame, &mut looks).expect("a replay");
    }
    assert_eq!(looks.seen.len(), looks.wanted.len());
    let mut is_large = false;
    for (sequence, expected) in &looks.seen {
        let until = snapshots.partition_point(|(at, ..)| at <= sequence);
        let base = until.checked_sub(1).map_or(0, |last| snapshots[last].0);
        let mut books = Books::new();
        for (at, key, quantity) in &snapshots[..until] {
            if *at == base {
                books.insert(key.clone(), quantity.clone());
            }
        }
        let (from, to) = (
            changes.partition_point(|(at, ..)| *at <= base),
            changes.partition_point(|(at, ..)| at <= sequence),
        );
        for (_, key, quantity) in &changes[from..to] {
            match &**quantity {
                "0" => drop(books.remove(key)),
                _ => drop(books.insert(key.clone(), quantity.clone())),
            }
        }
        assert_eq!(&books, expected, "at sequence {sequence}");
        is_large |= books.len() > 20;
    }
    assert!(is_large, "some of the books have levels");
}
