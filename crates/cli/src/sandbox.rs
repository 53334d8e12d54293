//! `bellwether sandbox`: a venue to rehearse on. Its clock stands, its secrets follow from a seed, and its faults are
//! planted on request. docs/sandbox.md describes it; `crates/sandbox` is all of it.

use std::error::Error;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::process::ExitCode;

use api::Timestamp;
use clap::Args;
use sandbox::{Addresses, Sandbox};
use server::limits::{Rate, Rates};

use crate::logging::{self, LogFilter};
use crate::output::mention;
use crate::service::make_guide;
use crate::settings::LogFormat;
use crate::time::read_time;

const LOCALHOST: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

#[derive(Debug, Args)]
pub struct Options {
    /// The folder of the sandbox; created if it is missing
    #[arg(long, value_name = "DIR", default_value = "./sandbox-data")]
    data: PathBuf,
    /// Ids, secrets and salts follow from this number [default: 1, or that of the folder]
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// When the venue of a new folder begins [default: 2026-01-05T12:00:00Z]
    #[arg(long, value_name = "TIME", value_parser = read_time)]
    start: Option<Timestamp>,
    /// Address of the public API [default: 127.0.0.1:8080]
    #[arg(long, value_name = "ADDR", default_value_t = SocketAddr::new(LOCALHOST, 8080), hide_default_value = true)]
    listen: SocketAddr,
    /// Address of the operators' API [default: 127.0.0.1:8081]
    #[arg(long, value_name = "ADDR", default_value_t = SocketAddr::new(LOCALHOST, 8081), hide_default_value = true)]
    admin_listen: SocketAddr,
    /// Address of the sandbox's own API: clock, faults, virtual traders
    #[arg(long, value_name = "ADDR", default_value_t = SocketAddr::new(LOCALHOST, 8082))]
    sandbox_listen: SocketAddr,
    /// Relive the journal of this data folder, which is only read, instead of beginning with sample events
    #[arg(long, value_name = "DIR", conflicts_with = "start")]
    journal: Option<PathBuf>,
    /// Where the clock stands first in a relived journal [default: at its beginning]
    #[arg(long, value_name = "TIME", value_parser = read_time, requires = "journal")]
    from: Option<Timestamp>,
    /// Let the clock run from the start, such as 60x: 60 seconds of the venue in a second of the machine
    #[arg(long, value_name = "SPEED", value_parser = sandbox::read_speed)]
    speed: Option<u32>,
    /// Lift the limits on requests per second, for scripts that send faster than an exchange allows
    #[arg(long)]
    no_limits: bool,
    /// Log filter, such as `info` or `server=debug,warn`
    #[arg(long, value_name = "FILTER", default_value = "warn")]
    log: LogFilter,
}

pub fn run(options: Options) -> Result<ExitCode, Box<dyn Error>> {
    let _log = logging::start(LogFormat::Text, options.log)?;
    let rates = match options.no_limits {
        true => {
            let unlimited = Rate::per_second(1_000_000);
            Rates { read: unlimited, write: unlimited, public: unlimited }
        }
        false => Rates::default(),
    };
    let sandbox = Sandbox::start(sandbox::Options {
        folder: options.data,
        listen: options.listen,
        admin_listen: options.admin_listen,
        sandbox_listen: options.sandbox_listen,
        seed: options.seed,
        start: options.start.map(Timestamp::micros),
        rates,
        guide: make_guide,
        journal: options.journal,
        from: options.from.map(Timestamp::micros),
        speed: options.speed,
    })?;
    let Addresses { public, operators, sandbox: control } = sandbox.addresses();
    let now = Timestamp::from_micros(sandbox.now());
    let does = if options.speed.is_some() { "runs from" } else { "stands at" };
    mention!("Sandbox with seed {}; its clock {does} {now}", sandbox.seed());
    mention!("Page and public API        http://{public}");
    mention!("Operators' page and API    http://{operators}");
    if let Some(token_file) = sandbox.token_file() {
        mention!("Operator's token           {}", token_file.display());
    }
    mention!("Clock, faults and traders  http://{control}/sandbox/v1");
    sandbox.run()?;
    Ok(ExitCode::SUCCESS)
}
