//! `bellwether watch`: a market's book, trades and your own orders, live, from the streams of a running exchange.
//!
//! `target` finds the market, `feed` maintains the connections, `view` holds the state, `screen` draws it and `plain`
//! prints it line by line. There is no polling: everything shown comes from stream messages.

mod feed;
mod plain;
mod screen;
mod target;
mod view;

use std::error::Error;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Args, ValueEnum};
use tokio::runtime::Builder;
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep_until};

use feed::Note;
use screen::Screen;
use target::Target;
use view::View;

/// Faster updates would be unreadable.
const DRAW_EVERY: Duration = Duration::from_millis(100);
/// Messages queued for display. When the queue is full, the exchange's own limits on slow readers apply.
const NOTES_WAITING_MAX: usize = 1_024;

#[derive(Debug, Args)]
pub struct Options {
    /// A market's id, or the id or slug of an event with one market
    market: String,
    /// Address of the public API
    #[arg(long, env = "BELLWETHER_URL", default_value = "http://127.0.0.1:8080")]
    url: String,
    /// Take the address and the first person's key from the demo in this folder
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,
    /// Show the open orders of this key's owner too
    #[arg(long, env = "BELLWETHER_PUBLIC_KEY", value_name = "KEY")]
    public_key: Option<String>,
    /// The outcome whose prices are shown
    #[arg(long, value_enum, default_value = "yes", ignore_case = true)]
    outcome: Outcome,
    /// USD or NGN
    #[arg(long, default_value = "USD")]
    currency: String,
    /// Levels per side
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=99))]
    depth: u16,
    /// Print lines instead of a screen; the default if the output is not a terminal
    #[arg(long)]
    plain: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Outcome {
    Yes,
    No,
}

pub fn run(options: &Options) -> Result<ExitCode, Box<dyn Error>> {
    let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    let target = runtime.block_on(Target::find(options))?;
    let is_plain = options.plain || !io::stdout().is_terminal();
    let mut view = View::new(target.clone(), usize::from(options.depth));
    runtime
        .block_on(async {
            let (notes, mut heard) = mpsc::channel(NOTES_WAITING_MAX);
            feed::start(&target, &notes);
            drop(notes);
            let showing = async {
                if is_plain { tell(&mut view, &mut heard).await } else { draw(&mut view, &mut heard).await }
            };
            tokio::select! {
                shown = showing => shown,
                asked = stop_signal() => asked,
            }
        })
        .or_else(|error| match error.kind() {
            // The reader closed the pipe.
            io::ErrorKind::BrokenPipe => Ok(()),
            _ => Err(error),
        })?;
    Ok(ExitCode::SUCCESS)
}

async fn stop_signal() -> io::Result<()> {
    let mut terminate = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate())?;
    tokio::select! {
        stopped = tokio::signal::ctrl_c() => stopped,
        _ = terminate.recv() => Ok(()),
    }
}

/// Prints line by line.
async fn tell(view: &mut View, heard: &mut mpsc::Receiver<Note>) -> io::Result<()> {
    let mut output = io::stdout();
    for line in plain::heading(view) {
        writeln!(output, "{line}")?;
    }
    output.flush()?;
    while let Some(note) = heard.recv().await {
        let happened = view.apply(note);
        for line in happened.iter().flat_map(|what| plain::lines(view, what)) {
            writeln!(output, "{line}")?;
        }
        output.flush()?;
    }
    Ok(())
}

/// Draws on a screen, which is restored at the end in any case.
async fn draw(view: &mut View, heard: &mut mpsc::Receiver<Note>) -> io::Result<()> {
    let mut screen = Screen::open()?;
    let mut due = Instant::now();
    let mut is_new = true;
    loop {
        tokio::select! {
            note = heard.recv() => match note {
                Some(note) => is_new |= !view.apply(note).is_empty(),
                None => return Ok(()),
            },
            () = sleep_until(due), if is_new => {
                screen.show(view)?;
                (is_new, due) = (false, Instant::now() + DRAW_EVERY);
            }
        }
    }
}
