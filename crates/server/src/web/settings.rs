//! What can be set about the pages, and about the way to them.

use std::sync::OnceLock;

use super::security_txt::SecurityContact;
use crate::http::address::AddressRange;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebSettings {
    /// The venue is behind TLS: cookies are for TLS only.
    pub secure_cookies: bool,
    /// Proxies before the venue, whose word counts on who asks.
    pub proxies: Vec<AddressRange>,
    /// Scripts on pages of other origins may read what programs may.
    pub cross_origin: bool,
    /// Where to report a hole in the venue's security.
    pub security_contact: Option<SecurityContact>,
}

impl Default for WebSettings {
    fn default() -> WebSettings {
        WebSettings { secure_cookies: false, proxies: Vec::new(), cross_origin: true, security_contact: None }
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

    pub fn proxies(&self) -> &[AddressRange] {
        self.settings.get().map_or(&[], |settings| &settings.proxies)
    }

    /// Whether scripts on pages of other origins may read answers of the public API.
    pub fn allows_cross_origin(&self) -> bool {
        self.settings.get().is_none_or(|settings| settings.cross_origin)
    }

    pub fn security_contact(&self) -> Option<&SecurityContact> {
        self.settings.get()?.security_contact.as_ref()
    }
}
