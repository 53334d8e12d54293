//! `bellwether status`: whether a node is ready and why not, and its last hour in rows of ten minutes.

use std::error::Error;
use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use api::decimal::{self, Money};
use clap::Args;
use serde::Deserialize;

use super::client::{Client, Method};
use crate::output::say;

/// Samples in a row. The node takes one a minute.
const ROW_SAMPLES: usize = 10;

#[derive(Debug, Args)]
pub struct StatusOptions {
    /// Address of the operators' listener
    #[arg(long, env = "BELLWETHER_ADMIN_URL", default_value = "http://127.0.0.1:8081")]
    url: String,
    /// The file with the operator's token
    #[arg(long, env = "BELLWETHER_OPERATOR_TOKEN_FILE", default_value = "data/operator.token")]
    token_file: PathBuf,
    /// Print the response as received
    #[arg(long)]
    json: bool,
}

/// The parts of the response that are printed.
#[derive(Debug, Deserialize)]
struct Signals {
    ready: bool,
    reasons: Vec<Reason>,
    sequence: u64,
    samples: Vec<Sample>,
}

#[derive(Debug, Deserialize)]
struct Reason {
    code: String,
    message: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Sample {
    at: String,
    seconds: u64,
    requests: u64,
    errors: u64,
    commands: u64,
    p50_micros: Option<u64>,
    p99_micros: Option<u64>,
    currencies: Vec<CurrencySample>,
}

#[derive(Debug, Deserialize)]
struct CurrencySample {
    currency: String,
    volume: Money,
    fees: Money,
    traders: u64,
}

/// Prints the status. The exit code is 0 only for a node that is ready.
pub fn run(options: &StatusOptions) -> Result<ExitCode, Box<dyn Error>> {
    let client = Client::new(&options.url, &options.token_file)?;
    let answer = client.send(Method::Get, "/admin/v1/signals", "")?;
    if !answer.is_success {
        return Err(answer.body.into());
    }
    let signals: Signals = serde_json::from_str(&answer.body)?;
    if options.json {
        say!("{}", answer.body);
    } else {
        say!("{}", shown(&signals).trim_end());
    }
    Ok(if signals.ready { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn shown(signals: &Signals) -> String {
    let mut text = String::new();
    let state = if signals.ready { "ready" } else { "not ready" };
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{state}, sequence {}", signals.sequence);
    for Reason { code, message } in &signals.reasons {
        let _ = writeln!(text, "  {code}: {message}");
    }
    if signals.samples.is_empty() {
        let _ = writeln!(text, "no sample yet: the node takes the first one a minute after its start");
        return text;
    }
    let _ = writeln!(
        text,
        "\n{:>20} {:>10} {:>7} {:>10} {:>10} {:>10}  volume, fees, traders",
        "until", "requests/s", "errors", "commands/s", "p50", "p99"
    );
    // The last row is complete, the first one may be short.
    let first = signals.samples.len() % ROW_SAMPLES;
    let (short, whole) = signals.samples.split_at(first);
    for row in std::iter::once(short).filter(|row| !row.is_empty()).chain(whole.chunks(ROW_SAMPLES)) {
        let _ = writeln!(text, "{}", shown_row(row));
    }
    text
}

/// Rates are averages, response times those of the worst minute, traders the most in a minute.
fn shown_row(row: &[Sample]) -> String {
    let seconds = row.iter().map(|sample| sample.seconds).sum::<u64>().max(1);
    let sum = |value: fn(&Sample) -> u64| row.iter().map(value).sum::<u64>();
    let rate = |count: u64| format!("{}.{}", count / seconds, count * 10 / seconds % 10);
    let worst = |value: fn(&Sample) -> Option<u64>| {
        row.iter().filter_map(value).max().map_or_else(|| "-".to_owned(), shown_micros)
    };
    let at = row.last().map_or("", |sample| sample.at.as_str());
    let mut line = format!(
        "{at:>20} {:>10} {:>7} {:>10} {:>10} {:>10} ",
        rate(sum(|sample| sample.requests)),
        sum(|sample| sample.errors),
        rate(sum(|sample| sample.commands)),
        worst(|sample| sample.p50_micros),
        worst(|sample| sample.p99_micros),
    );
    let currencies = row.first().map_or(0, |sample| sample.currencies.len());
    for index in 0..currencies {
        let of = row.iter().filter_map(|sample| sample.currencies.get(index));
        let (mut volume, mut fees, mut traders, mut name) = (0i64, 0i64, 0, "");
        for sample in of {
            volume = volume.saturating_add(sample.volume.units());
            fees = fees.saturating_add(sample.fees.units());
            traders = traders.max(sample.traders);
            name = &sample.currency;
        }
        let (volume, fees) = (shown_money(volume), shown_money(fees));
        let _ = write!(line, " {name} {volume}, {fees}, {traders}");
    }
    line
}

fn shown_money(units: i64) -> String {
    decimal::print(units, 6)
}

fn shown_micros(micros: u64) -> String {
    match micros {
        0..1_000 => format!("{micros} µs"),
        1_000..1_000_000 => format!("{}.{} ms", micros / 1_000, micros % 1_000 / 100),
        _ => format!("{}.{} s", micros / 1_000_000, micros % 1_000_000 / 100_000),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn sample(minute: u64) -> serde_json::Value {
        json!({
            "at": format!("2030-01-01T00:{minute:02}:00Z"), "seconds": 60, "requests": 90, "errors": minute,
            "commands": 30, "p50Micros": 80, "p99Micros": minute * 1_000,
            "currencies": [{"currency": "USD", "volume": 10.5, "fees": 0.1, "trades": 3, "traders": minute}],
        })
    }

    #[test]
    fn an_hour_is_shown_in_rows_of_ten_minutes() {
        let samples: Vec<_> = (1..=13).map(sample).collect();
        let signals =
            json!({"ready": true, "reasons": [], "sequence": 7, "sampleSeconds": 60, "samples": samples});
        let text = shown(&serde_json::from_str(&signals.to_string()).expect("signals"));
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "ready, sequence 7");
        assert_eq!(lines.len(), 5, "{text}");
        let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>().join(" ");
        assert_eq!(words(lines[3]), "2030-01-01T00:03:00Z 1.5 6 0.5 80 µs 3.0 ms USD 31.5, 0.3, 3");
        assert_eq!(words(lines[4]), "2030-01-01T00:13:00Z 1.5 85 0.5 80 µs 13.0 ms USD 105, 1, 13");
    }

    #[test]
    fn a_node_that_is_not_ready_has_its_reasons() {
        let reasons = json!([{"code": "draining", "message": "The node is stopping"}]);
        let signals = json!({"ready": false, "reasons": reasons, "sequence": 7, "samples": []});
        let text = shown(&serde_json::from_str(&signals.to_string()).expect("signals"));
        assert!(text.starts_with("not ready, sequence 7\n  draining: The node is stopping\n"), "{text}");
        assert!(text.contains("no sample yet"), "{text}");
    }
}
