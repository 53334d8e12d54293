//! Where traces go, and how many.

use reqwest::Url;

/// The path of the protocol, below the endpoint.
const PATH: &str = "/v1/traces";

/// A collector that accepts OTLP over HTTP, and the part of the requests that it gets.
#[derive(Clone, Debug, PartialEq)]
pub struct TraceSettings {
    endpoint: Url,
    sample: f64,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TraceFault {
    #[error("otlp-endpoint is an address such as http://127.0.0.1:4318")]
    Endpoint,
    #[error(
        "otlp-endpoint must not contain a password or a query: put credentials into OTEL_EXPORTER_OTLP_HEADERS"
    )]
    Credentials,
    #[error("otlp-sample must be from 0 to 1")]
    Sample,
    #[error("otlp-sample means nothing without otlp-endpoint")]
    NoEndpoint,
    #[error("this build cannot export traces: otlp-endpoint needs a build with `--features otel`")]
    NotBuilt,
}

impl TraceSettings {
    /// `endpoint` is the address of the collector; `sample` is the part of all requests, from 0 to 1.
    pub fn new(endpoint: &str, sample: f64) -> Result<TraceSettings, TraceFault> {
        let mut endpoint = Url::parse(endpoint).map_err(|_| TraceFault::Endpoint)?;
        if !["http", "https"].contains(&endpoint.scheme()) || !endpoint.has_host() {
            return Err(TraceFault::Endpoint);
        }
        let has_user = !endpoint.username().is_empty() || endpoint.password().is_some();
        if has_user || endpoint.query().is_some() || endpoint.fragment().is_some() {
            return Err(TraceFault::Credentials);
        }
        if !(0.0..=1.0).contains(&sample) {
            return Err(TraceFault::Sample);
        }
        let path = format!("{}{PATH}", endpoint.path().trim_end_matches('/'));
        endpoint.set_path(&path);
        Ok(TraceSettings { endpoint, sample })
    }

    /// The address that spans are sent to.
    pub fn endpoint(&self) -> &Url {
        &self.endpoint
    }

    pub fn sample(&self) -> f64 {
        self.sample
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_path_of_the_protocol_follows_the_endpoint() {
        let shown =
            |endpoint: &str| TraceSettings::new(endpoint, 0.5).map(|made| made.endpoint().to_string());
        assert_eq!(shown("http://127.0.0.1:4318").as_deref(), Ok("http://127.0.0.1:4318/v1/traces"));
        assert_eq!(shown("https://o.example/otlp/").as_deref(), Ok("https://o.example/otlp/v1/traces"));
        for odd in ["", "127.0.0.1:4318", "collector", "ftp://o.example", "unix:/tmp/socket"] {
            assert_eq!(shown(odd), Err(TraceFault::Endpoint), "{odd}");
        }
        for secret in ["http://me:word@o.example", "http://me@o.example", "http://o.example/?key=1"] {
            assert_eq!(shown(secret), Err(TraceFault::Credentials), "{secret}");
        }
        for sample in [-0.1, 1.1, f64::NAN, f64::INFINITY] {
            assert_eq!(TraceSettings::new("http://o.example", sample), Err(TraceFault::Sample));
        }
    }
}
