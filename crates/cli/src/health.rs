//! `bellwether health`: readiness of an exchange, as an exit code. For health checks in images without an HTTP client.

use std::error::Error;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;

use crate::blocking_http::{NoResponse, client, send};
use crate::output::say;

/// Shorter than the default timeout of container engines.
const PATIENCE: Duration = Duration::from_secs(5);

#[derive(Debug, Args)]
pub struct Options {
    /// Address of the exchange, as http://host:port or https://host [default: this machine, on the port of --listen]
    url: Option<String>,
    /// The --listen address of an exchange on this machine
    #[arg(long, env = "BELLWETHER_LISTEN", value_name = "ADDR", default_value = "127.0.0.1:8080")]
    listen: SocketAddr,
}

/// Prints the response of `/ready`. The exit code is 0 only for status 200.
pub fn run(options: Options) -> Result<ExitCode, Box<dyn Error>> {
    let url = options.url.unwrap_or_else(|| format!("http://{}", reachable(options.listen)));
    // No proxy from the environment: the exchange is on this machine or nearby.
    let client = client(&url, PATIENCE).no_proxy().build().map_err(NoResponse::from)?;
    let response = send(client.get(format!("{}/ready", url.trim_end_matches('/'))))?;
    say!("{}", response.body);
    Ok(if response.status == 200 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// A listener on the unspecified address is reachable on the loopback.
pub(crate) fn reachable(listen: SocketAddr) -> SocketAddr {
    let host = match listen.ip() {
        IpAddr::V4(Ipv4Addr::UNSPECIFIED) => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(Ipv6Addr::UNSPECIFIED) => Ipv6Addr::LOCALHOST.into(),
        host => host,
    };
    SocketAddr::new(host, listen.port())
}

#[cfg(test)]
mod tests {
    use super::reachable;

    #[test]
    fn an_address_that_means_everywhere_is_asked_on_the_loopback() {
        let table = [
            ("0.0.0.0:8080", "127.0.0.1:8080"),
            ("[::]:9000", "[::1]:9000"),
            ("192.0.2.7:80", "192.0.2.7:80"),
        ];
        for (listen, asked) in table {
            assert_eq!(reachable(listen.parse().expect("an address")).to_string(), asked);
        }
    }
}
