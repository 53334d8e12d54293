//! `bellwether watch`: a market's book, trades and your own orders, live, by the streams of a running exchange.
//!
//! `target` finds what is meant, `feed` keeps the connections, `view` holds what is known, `screen` draws it and `plain` says
//! it line by line. Nothing is asked for again and again: what is shown is what was sent.

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

use crate::client::choose_cryptography;

/// A screen that changes more often than this cannot be read.
const DRAW_EVERY: Duration = Duration::from_millis(100);
/// Messages that wait to be shown. Behind that the exchange's own bounds hold.
const NOTES_WAITING_MAX: usize = 1_024;

#[derive(Debug, Args)]
pub struct Options {
    /// A market's id, or the id or slug of an event with one market
    market: String,
    /// The public API
    #[arg(long, env = "BELLWETHER_URL", default_value = "http://127.0.0.1:8080")]
    url: String,
    /// Take the address and the first person's key from the demo in this folder
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,
    /// Show the open orders of this key's owner too
    #[arg(long, env = "BELLWETHER_PUBLIC_KEY", value_name = "KEY")]
    public_key: Option<String>,
    /// Whose prices
    #[arg(long, value_enum, default_value = "yes", ignore_case = true)]
    outcome: Outcome,
    /// USD or NGN
    #[arg(long, default_value = "USD")]
    currency: String,
    /// Levels of each side
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=99))]
    depth: u16,
    /// Print lines instead of a screen, as is done when the output is not a terminal
    #[arg(long)]
    plain: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Outcome {
    Yes,
    No,
}

pub fn run(options: &Options) -> Result<ExitCode, Box<dyn Error>> {
    let target = Target::find(options)?;
    choose_cryptography();
    let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
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
                asked = asked_to_stop() => asked,
            }
        })
        .or_else(|error| match error.kind() {
            // Whoever read has seen enough.
            io::ErrorKind::BrokenPipe => Ok(()),
            _ => Err(error),
        })?;
    Ok(ExitCode::SUCCESS)
}

async fn asked_to_stop() -> io::Result<()> {
    let mut terminate = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate())?;
    tokio::select! {
        stopped = tokio::signal::ctrl_c() => stopped,
        _ = terminate.recv() => Ok(()),
    }
}

/// Line by line.
async fn tell(view: &mut View, heard: &mut mpsc::Receiver<Note>) -> io::Result<()> {
    let mut output = io::stdout();
    for line in plain::heading(view) {
        writeln!(output, "{line}")?;
    }
    output.flush()?;
    while let Some(note) = heard.recv().await {
        let happened = view.learn(note);
        for line in happened.iter().flat_map(|what| plain::lines(view, what)) {
            writeln!(output, "{line}")?;
        }
        output.flush()?;
    }
    Ok(())
}

/// On a screen, which is given back at the end however that comes.
async fn draw(view: &mut View, heard: &mut mpsc::Receiver<Note>) -> io::Result<()> {
    let mut screen = Screen::open()?;
    let mut due = Instant::now();
    let mut is_new = true;
    loop {
        tokio::select! {
            note = heard.recv() => match note {
                Some(note) => is_new |= !view.learn(note).is_empty(),
                None => return Ok(()),
            },
            () = sleep_until(due), if is_new => {
                screen.show(view)?;
                (is_new, due) = (false, Instant::now() + DRAW_EVERY);
            }
        }
    }
}
