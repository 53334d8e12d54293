//! `bench signals`: the processor time that metrics, the access log and traces add to a request.
//!
//! Three nodes in one process take turns with the same load. The first is measured without signals and with metrics and the
//! access log, in short slices by turns: two nodes, or one node at two times, differ by more than the signals cost. The
//! others have traces of one request in a hundred and of every request. Turns form pairs, and every second pair runs
//! backwards. The times of the load and of the collector do not count.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use server::signals::access_lines::{AccessLines, LineFormat};
use server::signals::traces::{self, TraceError, TraceExport, TraceSettings};
use tokio::runtime::{Builder, Runtime};
use tracing::level_filters::LevelFilter;

use crate::Problem;
use crate::generator::Generator;
use crate::processor::Spent;
use crate::requests::{Reads, Script, Singles};
use crate::rows::{Goal, Rows};
use crate::stage::{Served, Stage};
use crate::times::{median, micros};

use super::CONNECTIONS;

const PAIRS: u32 = 5;
const SECONDS: u32 = 80;
/// Signatures are valid for 300 seconds.
const SECONDS_MAX: u32 = 200;
const PAIRS_MAX: u32 = 50;
const COLLECTOR: &str = "collector";
/// How long the log's thread waits for a line before it looks whether to end.
const LOG_PATIENCE: Duration = Duration::from_millis(200);

pub(crate) const HELP: &str = "\
Measure the processor time that metrics, the access log and traces add to a request.

Usage: bench-http signals [--pairs N] [--seconds N]

  --pairs N     alternating pairs, default 5, at most 50
  --seconds N   approximate duration, default 80, at most 200
";

/// What a node does beside its work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Variant {
    /// No metrics and no lines.
    Silent,
    /// Metrics and a line for each request, as `bellwether serve` has them.
    Usual,
    /// Also traces of some requests.
    SomeTraced,
    AllTraced,
}

const VARIANTS: [Variant; 4] = [Variant::Silent, Variant::Usual, Variant::SomeTraced, Variant::AllTraced];
/// The part of the requests that each node traces, and its variants.
const NODES: [(Option<f64>, &[Variant]); 3] = [
    (None, &[Variant::Silent, Variant::Usual]),
    (Some(0.01), &[Variant::SomeTraced]),
    (Some(1.0), &[Variant::AllTraced]),
];
/// The busiest threads of each variant are shown.
const THREADS_SHOWN: usize = 8;
/// Slices that each variant of a node has in a turn.
const SLICES: u32 = 16;
/// A variant and what it is compared with.
const COMPARED: [(Variant, Variant, &str, Goal); 3] = [
    (Variant::Usual, Variant::Silent, "metrics and access log / without", Goal::AtMost(1.03)),
    (Variant::SomeTraced, Variant::Usual, "traces of 1 % / without", Goal::Unset),
    (Variant::AllTraced, Variant::Usual, "traces of all / without", Goal::Unset),
];

impl Variant {
    fn name(self) -> &'static str {
        match self {
            Variant::Silent => "without signals",
            Variant::Usual => "metrics and access log",
            Variant::SomeTraced => "and traces of 1 %",
            Variant::AllTraced => "and traces of all",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Options {
    pairs: u32,
    seconds: u32,
}

impl Options {
    fn read(arguments: &[String]) -> Option<Options> {
        let mut options = Options { pairs: PAIRS, seconds: SECONDS };
        for pair in arguments.chunks(2) {
            match pair {
                [name, value] if name == "--pairs" => options.pairs = value.parse().ok()?,
                [name, value] if name == "--seconds" => options.seconds = value.parse().ok()?,
                _ => return None,
            }
        }
        let is_bounded =
            (1..=PAIRS_MAX).contains(&options.pairs) && (1..=SECONDS_MAX).contains(&options.seconds);
        is_bounded.then_some(options)
    }
}

/// Runs the benchmark. `None` if the arguments are invalid.
pub(crate) fn run(arguments: &[String]) -> Option<Result<(), Problem>> {
    Options::read(arguments).map(measure)
}

fn measure(options: Options) -> Result<(), Problem> {
    let folder = tempfile::tempdir()?;
    let runtime = Builder::new_multi_thread().enable_all().thread_name("worker").build()?;
    let collector = collect()?;
    let mut nodes = Vec::new();
    for (index, (sample, variants)) in NODES.into_iter().enumerate() {
        let folder = folder.path().join(index.to_string());
        nodes.push(MeasuredNode::start(&runtime, &folder, sample, variants, collector)?);
    }
    let mut rows = Rows::default();
    for kind in [Kind::Orders, Kind::Reads] {
        // Two kinds, with a short warm-up of each.
        let turn =
            Duration::from_secs(options.seconds.into()) / (2 * VARIANTS.len() as u32 * (options.pairs + 1));
        let costs = run_pairs(&mut nodes, kind, options.pairs, turn)?;
        print(kind, &costs, &mut rows);
    }
    let mut stopping = Vec::new();
    for node in nodes {
        stopping.push(node.stop_serving(&runtime)?);
    }
    runtime.shutdown_timeout(Duration::from_secs(5));
    stopping.into_iter().try_for_each(StoppingNode::end)?;
    rows.print();
    Ok(())
}

/// The processor time of a variant.
#[derive(Debug, Default)]
struct Cost {
    /// In each pair, in microseconds per request.
    pairs: Vec<f64>,
    /// In all pairs, by thread.
    spent: Spent,
    answers: usize,
}

impl Cost {
    fn add(&mut self, turn: &VariantTurn) {
        self.pairs.push(micros(turn.spent.total()) / turn.answers as f64);
        self.spent.add(&turn.spent);
        self.answers += turn.answers;
    }
}

type Costs = [Cost; VARIANTS.len()];

/// What a variant did in one turn.
#[derive(Debug, Default)]
struct VariantTurn {
    spent: Spent,
    answers: usize,
}

fn run_pairs(nodes: &mut [MeasuredNode], kind: Kind, pairs: u32, turn: Duration) -> Result<Costs, Problem> {
    let mut costs = Costs::default();
    // The first pair is a warm-up.
    for pair in 0..=pairs {
        let mut order: Vec<usize> = (0..nodes.len()).collect();
        if pair % 2 == 1 {
            order.reverse();
        }
        for at in order {
            let found = nodes[at].turn(kind, if pair == 0 { turn / 2 } else { turn })?;
            for (variant, turn) in nodes[at].variants.iter().zip(&found) {
                if pair > 0 {
                    costs[*variant as usize].add(turn);
                }
            }
        }
    }
    Ok(costs)
}

fn print(kind: Kind, costs: &Costs, rows: &mut Rows) {
    println!("\n{}: processor time per request, without that of the load", kind.title());
    for (variant, cost) in VARIANTS.into_iter().zip(costs) {
        let shown: Vec<String> = cost.pairs.iter().map(|cost| format!("{cost:.2}")).collect();
        println!("  {:<24}{:>8.2} us   pairs {}", variant.name(), median(&cost.pairs), shown.join(" "));
        let threads = cost.spent.by_thread().into_iter().take(THREADS_SHOWN);
        let threads = threads.map(|(name, time)| format!("{name} {:.2}", micros(time) / cost.answers as f64));
        println!("{:>26}{}", "", threads.collect::<Vec<_>>().join(", "));
    }
    for (this, other, name, goal) in COMPARED {
        let pairs = costs[this as usize].pairs.iter().zip(&costs[other as usize].pairs);
        let ratios: Vec<f64> = pairs.map(|(this, other)| this / other).collect();
        println!("  {name}: median ratio {:.4}", median(&ratios));
        rows.add(&format!("{}: {name}", kind.title()), median(&ratios), "", goal);
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Orders,
    Reads,
}

impl Kind {
    fn title(self) -> &'static str {
        match self {
            Kind::Orders => "Single orders",
            Kind::Reads => "Hot reads",
        }
    }
}

struct MeasuredNode {
    variants: &'static [Variant],
    stage: Stage,
    served: Served,
    next_key: u64,
    log: Log,
    traces: Option<TraceExport>,
}

impl MeasuredNode {
    fn start(
        runtime: &Runtime,
        folder: &Path,
        sample: Option<f64>,
        variants: &'static [Variant],
        collector: SocketAddr,
    ) -> Result<MeasuredNode, Problem> {
        let stage = Stage::build(folder)?;
        let app = &stage.node.app;
        let lines = Arc::new(AccessLines::new(LineFormat::Text, LevelFilter::INFO, true));
        app.signals().log_accesses(lines.clone());
        let log = Log::start(lines, &folder.join("access.log"))?;
        let mut traces = None;
        if let Some(sample) = sample {
            let settings = TraceSettings::new(&format!("http://{collector}"), sample)?;
            match traces::start(&settings) {
                Ok((sampler, export)) => {
                    app.signals().export_traces(sampler);
                    traces = Some(export);
                }
                Err(TraceError::NotBuilt) => {
                    println!("This build exports no traces: their rows mean nothing.")
                }
                Err(error) => return Err(error.into()),
            }
        }
        let served = Served::start_node(runtime, app)?;
        Ok(MeasuredNode { variants, stage, served, next_key: 1 << 32, log, traces })
    }

    /// One turn of each variant.
    fn turn(&mut self, kind: Kind, time: Duration) -> Result<Vec<VariantTurn>, Problem> {
        self.next_key += 1 << 32;
        let (users, markets) = (&self.stage.users, &self.stage.markets);
        let mut script: Box<dyn Script> = match kind {
            Kind::Orders => Box::new(Singles::new(users, markets, CONNECTIONS, self.next_key)),
            Kind::Reads => {
                let paths = markets.iter().flat_map(|market| [&market.event, &market.hot[0], &market.hot[1]]);
                Box::new(Reads::new(paths.cloned()))
            }
        };
        let mut generator = Generator::connect(self.served.address, CONNECTIONS)?;
        let mut turns: Vec<VariantTurn> = self.variants.iter().map(|_| VariantTurn::default()).collect();
        for slice in 0..SLICES as usize * self.variants.len() {
            let at = variant_of(slice, self.variants.len());
            self.stage.node.app.switch_signals(self.variants[at] != Variant::Silent);
            let before = Spent::now();
            let load = generator.closed(&mut *script, time / SLICES)?;
            self.stage.settle()?;
            let spent = Spent::now().since(&before).without(&[main_thread()?.as_str(), COLLECTOR]);
            load.check()?;
            turns[at].spent.add(&spent);
            turns[at].answers += load.answers;
        }
        Ok(turns)
    }

    fn stop_serving(self, runtime: &Runtime) -> Result<StoppingNode, Problem> {
        let MeasuredNode { stage, served, log, traces, .. } = self;
        served.end(runtime)?;
        Ok(StoppingNode { stage, log, traces })
    }
}

/// The variant of a slice. Two variants follow the sequence of Thue and Morse: neither a drift nor anything periodic, such
/// as the merges of history, favours one of them.
fn variant_of(slice: usize, variants: usize) -> usize {
    slice.count_ones() as usize % variants
}

/// A node that no longer serves.
struct StoppingNode {
    stage: Stage,
    log: Log,
    traces: Option<TraceExport>,
}

impl StoppingNode {
    fn end(self) -> Result<(), Problem> {
        if let Some(traces) = self.stage.node.app.signals().traces() {
            println!("\nTraces: {:?}", traces.counters().outcomes());
        }
        self.log.end()?;
        self.stage.node.stop()?;
        if let Some(traces) = self.traces {
            traces.finish();
        }
        Ok(())
    }
}

/// The name of the main thread, which sends the load.
fn main_thread() -> io::Result<String> {
    Ok(fs::read_to_string("/proc/self/comm")?.trim().to_owned())
}

/// The thread that writes the access log to a file.
struct Log {
    lines: Arc<AccessLines>,
    stop: Arc<AtomicBool>,
    thread: JoinHandle<io::Result<u64>>,
}

impl Log {
    fn start(lines: Arc<AccessLines>, path: &Path) -> io::Result<Log> {
        let (mut file, stop) = (File::create(path)?, Arc::new(AtomicBool::new(false)));
        let (written, stopping) = (lines.clone(), stop.clone());
        let work = move || {
            let mut dropped = 0;
            while !stopping.load(Ordering::Acquire) {
                dropped += written.write_waiting(LOG_PATIENCE, &mut file)?;
            }
            Ok(dropped)
        };
        let thread = thread::Builder::new().name("log".to_owned()).spawn(work)?;
        Ok(Log { lines, stop, thread })
    }

    fn end(self) -> Result<(), Problem> {
        self.lines.flush(Duration::from_secs(5));
        self.stop.store(true, Ordering::Release);
        let dropped = self.thread.join().map_err(|_| "the log's thread ended in a panic")??;
        if dropped > 0 {
            println!("{dropped} lines of the access log were dropped");
        }
        Ok(())
    }
}

/// A collector that accepts everything. Its threads end with the process.
fn collect() -> io::Result<SocketAddr> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = listener.local_addr()?;
    let named = || thread::Builder::new().name(COLLECTOR.to_owned());
    named().spawn(move || {
        for stream in listener.incoming().flatten() {
            // A connection ends when its exporter does.
            let _ = named().spawn(move || answer(&stream));
        }
    })?;
    Ok(address)
}

fn answer(mut stream: &TcpStream) -> io::Result<()> {
    let mut reader = BufReader::new(stream);
    loop {
        let (mut length, mut line) = (0, String::new());
        while line != "\r\n" {
            line.clear();
            if reader.read_line(&mut line)? == 0 {
                return Ok(());
            }
            if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse().map_err(io::Error::other)?;
            }
        }
        io::copy(&mut reader.by_ref().take(length), &mut io::sink())?;
        stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n")?;
    }
}

#[cfg(test)]
mod tests {
    use super::{Options, variant_of};

    #[test]
    fn two_variants_of_a_node_alternate() {
        let slices: Vec<usize> = (0..8).map(|slice| variant_of(slice, 2)).collect();
        assert_eq!(slices, [0, 1, 1, 0, 1, 0, 0, 1]);
        assert_eq!(variant_of(5, 1), 0);
    }

    #[test]
    fn pairs_and_seconds_are_bounded() {
        let read = |line: &str| {
            let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
            Options::read(&words)
        };
        assert_eq!(read(""), Some(Options { pairs: 5, seconds: 80 }));
        assert_eq!(read("--pairs 1 --seconds 4"), Some(Options { pairs: 1, seconds: 4 }));
        for line in ["--pairs 0", "--pairs 51", "--seconds 0", "--seconds 201", "--pairs", "--only read"] {
            assert_eq!(read(line), None, "{line}");
        }
    }
}
