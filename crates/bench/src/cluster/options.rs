//! The command line options.

/// The selected benchmark and its options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Benchmark {
    Race(RaceOptions),
    Start(StartOptions),
    /// Hidden: `start` runs this executable in this mode for each node.
    Node {
        url: String,
        folder: String,
    },
    Help,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RaceOptions {
    pub(crate) seconds: u32,
    pub(crate) rounds: u32,
    pub(crate) connections: usize,
    pub(crate) only: Option<String>,
    pub(crate) standby: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StartOptions {
    pub(crate) commands: u64,
    /// How many of them are after the stored snapshot.
    pub(crate) tail: u64,
    pub(crate) rounds: u32,
    pub(crate) without_snapshot: bool,
}

const SECONDS_MAX: u32 = 3_600;
/// Half of the stage's users: each connection needs its own.
const CONNECTIONS_MAX: usize = 128;
pub(crate) const PARTS: [&str; 3] = ["writes", "waiting", "reads"];

pub(crate) const HELP: &str = "\
Compare nodes on one log in PostgreSQL with a node that has a file journal. Starts a PostgreSQL server in a temporary
folder (see TMPDIR) and stops it at the end.

Usage: bench-cluster [--seconds N] [--rounds N] [--connections N] [--only PART] [--standby]
       bench-cluster start [--commands N] [--tail N] [--rounds N] [--without-snapshot]

  --seconds N          approximate duration of the measurement, default 150
  --rounds N           turns of each contestant in each part, default 6
  --connections N      total connections of writers and readers, default 64, at most 128
  --only PART          writes, waiting or reads
  --standby            commits also wait for a standby on this machine

  start                measure how long a node with an empty folder takes to serve a long log
  --commands N         the length of the log, default 5000000
  --tail N             commands after the stored snapshot, default 100000
  --rounds N           measured starts, default 3
  --without-snapshot   measure once more without the snapshot, which takes minutes

Build with --profile dist. Load, nodes and PostgreSQL share the processors of this machine.
";

/// `None` if the arguments are invalid.
pub(crate) fn read(arguments: &[String]) -> Option<Benchmark> {
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        words if words.iter().any(|word| ["--help", "-h"].contains(word)) => Some(Benchmark::Help),
        ["node", url, folder] => {
            Some(Benchmark::Node { url: (*url).to_owned(), folder: (*folder).to_owned() })
        }
        ["start", rest @ ..] => read_start(rest).map(Benchmark::Start),
        rest => read_race(rest).map(Benchmark::Race),
    }
}

fn read_race(words: &[&str]) -> Option<RaceOptions> {
    let mut options = RaceOptions { seconds: 150, rounds: 6, connections: 64, only: None, standby: false };
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match *word {
            "--seconds" => options.seconds = words.next()?.parse().ok()?,
            "--rounds" => options.rounds = words.next()?.parse().ok()?,
            "--connections" => options.connections = words.next()?.parse().ok()?,
            "--only" => options.only = Some((*words.next()?).to_owned()),
            "--standby" => options.standby = true,
            _ => return None,
        }
    }
    let is_bounded = (1..=SECONDS_MAX).contains(&options.seconds)
        && (1..=100).contains(&options.rounds)
        && (1..=CONNECTIONS_MAX).contains(&options.connections);
    let is_part = options.only.as_ref().is_none_or(|part| PARTS.contains(&part.as_str()));
    (is_bounded && is_part).then_some(options)
}

fn read_start(words: &[&str]) -> Option<StartOptions> {
    let mut options = StartOptions { commands: 5_000_000, tail: 100_000, rounds: 3, without_snapshot: false };
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match *word {
            "--commands" => options.commands = words.next()?.parse().ok()?,
            "--tail" => options.tail = words.next()?.parse().ok()?,
            "--rounds" => options.rounds = words.next()?.parse().ok()?,
            "--without-snapshot" => options.without_snapshot = true,
            _ => return None,
        }
    }
    // The venue's setup takes some thousand commands.
    let is_bounded = (10_000..=100_000_000).contains(&options.commands)
        && options.tail < options.commands
        && (1..=100).contains(&options.rounds);
    is_bounded.then_some(options)
}

impl RaceOptions {
    pub(crate) fn wants(&self, part: &str) -> bool {
        self.only.as_deref().is_none_or(|only| only == part)
    }
}

#[cfg(test)]
mod tests {
    use super::{Benchmark, read};

    fn asked(line: &str) -> Option<Benchmark> {
        read(&line.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn each_benchmark_has_its_own_options() {
        let Some(Benchmark::Race(race)) = asked("--seconds 9 --only reads --standby") else {
            panic!("a race")
        };
        assert_eq!((race.seconds, race.standby, race.wants("reads")), (9, true, true));
        assert!(!race.wants("writes"));
        let Some(Benchmark::Start(start)) = asked("start --commands 20000 --tail 7") else {
            panic!("a start")
        };
        assert_eq!((start.commands, start.tail, start.rounds), (20_000, 7, 3));
        assert_eq!(asked("start --help"), Some(Benchmark::Help));
    }

    #[test]
    fn unknown_or_unbounded_options_are_refused() {
        for line in [
            "--seconds",
            "--seconds 0",
            "--only writs",
            "--connections 129",
            "start --standby",
            "start --commands 10",
            "start --commands 10000 --tail 10000",
            "strat",
        ] {
            assert_eq!(asked(line), None, "{line}");
        }
    }
}
