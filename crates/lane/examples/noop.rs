//! A server that does nothing, over lanes: the floor of the transport. It answers every POST with a fixed body, at once or,
//! with `--writer`, through a thread that answers all requests of a turn together, as the exchange does.
//!
//! `cargo run --release -p lane --example noop -- [--port N] [--lanes N] [--writer]`, then any load generator; compare
//! the processor time of this process with that of another server under the same load.

use std::env;
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Instant;

use lane::{
    Begin, Body, Config, HandedOver, Head, Lanes, Mailbox, Outcome, Request, Response, Service, Ticket,
};

const FIELDS: &str = "content-type: application/json\r\n";

struct Noop {
    body: Vec<u8>,
    /// The writer's queue.
    writer: Option<Sender<Bundle>>,
}

/// The requests of a turn, and where their replies go.
struct Bundle {
    mailbox: Arc<Mailbox<Noop>>,
    tickets: Vec<Ticket>,
}

struct Local {
    mailbox: Arc<Mailbox<Noop>>,
    submitted: Vec<Ticket>,
}

impl Service for Noop {
    type Connection = ();
    type Reply = ();
    type Lane = Local;

    fn start_lane(&self, mailbox: &Arc<Mailbox<Noop>>) -> Local {
        Local { mailbox: mailbox.clone(), submitted: Vec::new() }
    }

    fn begin(&self, _: &mut Local, (): &mut (), head: &Head<'_>, _: Instant) -> Begin {
        if head.method == "POST" { Begin::Serve } else { Begin::HandOver }
    }

    fn call(
        &self,
        lane: &mut Local,
        (): &mut (),
        request: &Request<'_>,
        ticket: Ticket,
        response: Response<'_>,
    ) -> Outcome {
        let Body::Whole(_) = request.body else { return response.status(408).send(b"") };
        if self.writer.is_some() {
            lane.submitted.push(ticket);
            return Outcome::waiting();
        }
        response.status(200).lines(FIELDS).send(&self.body)
    }

    fn complete(&self, _: &mut Local, (): &mut (), (): (), _: Ticket, response: Response<'_>) -> Outcome {
        response.status(200).lines(FIELDS).send(&self.body)
    }

    fn end_turn(&self, lane: &mut Local) {
        if let Some(writer) = &self.writer
            && !lane.submitted.is_empty()
        {
            let tickets = std::mem::take(&mut lane.submitted);
            // The writer runs as long as the process.
            let _ = writer.send(Bundle { mailbox: lane.mailbox.clone(), tickets });
        }
    }

    /// Nothing else is served.
    fn hand_over(&self, handed: HandedOver<()>) {
        drop(handed);
    }
}

fn write(bundles: &Receiver<Bundle>) {
    for Bundle { mailbox, tickets } in bundles {
        mailbox.deliver(&mut tickets.into_iter().map(|ticket| (ticket, ())).collect());
    }
}

fn main() -> std::io::Result<()> {
    let arguments: Vec<String> = env::args().collect();
    let number = |name: &str| {
        let at = arguments.iter().position(|argument| argument == name)?;
        arguments.get(at + 1)?.parse::<usize>().ok()
    };
    let writer = arguments.iter().any(|argument| argument == "--writer").then(|| {
        let (sender, bundles) = channel();
        thread::spawn(move || write(&bundles));
        sender
    });
    let service = Noop { body: vec![b' '; 488], writer };
    let mut config = Config::default();
    config.lanes = number("--lanes").unwrap_or(config.lanes);
    let lanes = Lanes::start(&config, Arc::new(service))?;
    let listener = TcpListener::bind(("127.0.0.1", number("--port").unwrap_or(0) as u16))?;
    println!("http://{} with {} lanes", listener.local_addr()?, config.lanes);
    for stream in listener.incoming() {
        lanes.add(stream?, ());
    }
    Ok(())
}
