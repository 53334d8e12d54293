//! What can be set about the pages, and about the way to them.

use std::sync::OnceLock;

use crate::http::address::AddressRange;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebSettings {
    /// The venue is behind TLS: cookies are for TLS only.
    pub secure_cookies: bool,
    /// Proxies before the venue, whose word counts on who asks.
    pub proxies: Vec<AddressRange>,
    /// Pages of other origins may use what is public, without cookies.
    pub cross_origin: bool,
}

impl Default for WebSettings {
    fn default() -> WebSettings {
        WebSettings { secure_cookies: false, proxies: Vec::new(), cross_origin: true }
    }
}

/// Said once, before anything is served.
#[derive(Debug, Default)]
pub struct Web {
    settings: OnceLock<WebSettings>,
}

impl Web {
    /// False: it was said before, and that stands.
    pub fn configure(&self, settings: WebSettings) -> bool {
        self.settings.set(settings).is_ok()
    }

    /// Whether cookies are for TLS only.
    pub fn is_secure(&self) -> bool {
        self.settings.get_or_init(WebSettings::default).secure_cookies
    }

    /// Whether pages of other origins may use what is public.
    pub fn allows_cross_origin(&self) -> bool {
        self.settings.get_or_init(WebSettings::default).cross_origin
    }

    pub fn proxies(&self) -> &[AddressRange] {
        self.settings.get().map_or(&[], |settings| &settings.proxies)
    }
}
