//! Lines about the way from a browser to the exchange: TLS, proxies, and metrics, which are not for the public.

use std::net::IpAddr;
use std::time::Duration;

use super::Finding;
use crate::blocking_http::{NoResponse, client, send};
use crate::health::reachable;
use crate::settings::Settings;

const PATIENCE: Duration = Duration::from_secs(10);

/// Users reach the venue over TLS: its own, or that of a proxy.
pub(super) fn tls(settings: &Settings) -> Finding {
    let is_secure = |url: &&server::web::WebOrigin| url.as_str().starts_with("https://");
    if let Some(url) = settings.web.public_url.iter().find(|url| !is_secure(url)) {
        return Err(format!("public-url is {}: users must reach the venue over https", url.as_str()));
    }
    if !settings.web.secure_cookies {
        return Err(
            "browsers may send session cookies without TLS: serve TLS (--tls-cert, --tls-key, or a proxy) and set --secure-cookies"
                .to_owned(),
        );
    }
    Ok(match &settings.tls {
        Some(tls) => format!(
            "the exchange serves TLS with {}; cookies travel over TLS only",
            tls.certificate.display()
        ),
        None => "a proxy serves TLS; cookies travel over TLS only".to_owned(),
    })
}

/// The address of each client counts, and no client bypasses the proxy.
pub(super) fn proxies(settings: &Settings) -> Finding {
    let proxies = &settings.web.proxies;
    if let Some(wide) = proxies.iter().find(|range| range.is_too_wide()) {
        return Err(format!(
            "trusted-proxies has {wide}, a network of strangers, who can then claim any address: name the proxies"
        ));
    }
    if settings.tls.is_some() {
        return Ok("clients connect directly; no proxy is needed".to_owned());
    }
    if proxies.is_empty() {
        return Err(
            "all users share the limits of the proxy's address: name it with --trusted-proxies".to_owned()
        );
    }
    if is_reachable_by_strangers(settings.listen.ip()) {
        return Err(format!(
            "{} is open to everyone, past the proxy and its TLS: listen on the loopback interface or a private address",
            settings.listen
        ));
    }
    Ok(format!("{} trusted proxies or networks, in front of {}", proxies.len(), settings.listen))
}

/// Unspecified and public addresses; a firewall is not considered.
fn is_reachable_by_strangers(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => !(address.is_loopback() || address.is_private() || address.is_link_local()),
        IpAddr::V6(address) => {
            !(address.is_loopback() || address.is_unique_local() || address.is_unicast_link_local())
        }
    }
}

/// The address that users see, or else the listener.
pub(super) fn public_url(settings: &Settings) -> String {
    match &settings.web.public_url {
        Some(url) => url.as_str().to_owned(),
        None if settings.tls.is_some() => format!("https://{}", reachable(settings.listen)),
        None => format!("http://{}", reachable(settings.listen)),
    }
}

/// Volumes and the size of the venue are not for the public.
pub(super) fn metrics(url: &str) -> Finding {
    let unanswered = |cause: NoResponse| {
        format!("{url} does not answer ({cause}): start the exchange and its proxy first")
    };
    // A proxy of the environment could refuse the path in place of the venue.
    let client = client(url, PATIENCE).no_proxy().build().map_err(|error| unanswered(error.into()))?;
    let response = send(client.get(format!("{url}/metrics"))).map_err(unanswered)?;
    if response.status.is_success() {
        return Err(format!(
            "everyone can read {url}/metrics: refuse the path in the proxy, as deploy/nginx.conf does"
        ));
    }
    Ok(format!("{url}/metrics is refused with {}", response.status.as_u16()))
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::TcpListener;

    use super::*;
    use crate::settings::Given;
    use server::http::tls::TlsFiles;

    fn settings(change: impl FnOnce(&mut Given)) -> Settings {
        let mut given = Given::default();
        change(&mut given);
        given.settle().expect("settings")
    }

    #[test]
    fn cookies_without_tls_and_a_plain_public_address_are_red() {
        assert!(tls(&settings(|given| given.secure_cookies = Some(true))).is_ok());
        let wrong = tls(&settings(|_| ())).expect_err("no TLS");
        assert!(wrong.contains("--secure-cookies"), "{wrong}");
        let wrong = tls(&settings(|given| {
            given.secure_cookies = Some(true);
            given.public_url = "http://venue.example.org".parse().ok();
        }));
        assert!(wrong.expect_err("a plain address").contains("http://venue.example.org"));
    }

    #[test]
    fn a_missing_a_bypassed_and_a_public_proxy_are_red() {
        let trusted = |range: &str| Some(vec![range.parse().expect("a range")]);
        assert!(proxies(&settings(|given| given.trusted_proxies = trusted("127.0.0.1"))).is_ok());
        let wrong = proxies(&settings(|_| ())).expect_err("no proxy");
        assert!(wrong.contains("--trusted-proxies"), "{wrong}");
        let wrong = proxies(&settings(|given| {
            given.trusted_proxies = trusted("127.0.0.1");
            given.listen = "0.0.0.0:8080".parse().ok();
        }));
        assert!(wrong.expect_err("open to everyone").contains("0.0.0.0:8080"));
        for range in ["0.0.0.0/0", "::/0", "8.0.0.0/7"] {
            let wrong = proxies(&settings(|given| given.trusted_proxies = trusted(range)));
            assert!(wrong.expect_err(range).contains(range));
        }
        let mut direct = settings(|given| given.listen = "0.0.0.0:443".parse().ok());
        direct.tls = Some(TlsFiles { certificate: "cert.pem".into(), key: "key.pem".into() });
        assert!(proxies(&direct).is_ok(), "with its own TLS the exchange needs no proxy");
    }

    #[test]
    fn metrics_that_the_public_can_read_are_red() {
        let serving = |status: &'static str| {
            let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
            let url = format!("http://{}", listener.local_addr().expect("an address"));
            let served = std::thread::spawn(move || {
                let (mut socket, _) = listener.accept().expect("a connection");
                let _ = socket.read(&mut [0; 1024]).expect("a request");
                write!(socket, "HTTP/1.1 {status}\r\ncontent-length: 0\r\n\r\n").expect("sent");
            });
            let finding = metrics(&url);
            served.join().expect("a server");
            finding
        };
        assert!(serving("404 Not Found").is_ok());
        assert!(serving("200 OK").expect_err("public").contains("/metrics"));
    }
}
