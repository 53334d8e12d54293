//! What can be set about the pages.

use std::sync::OnceLock;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WebSettings {
    /// The venue is behind TLS: cookies are for TLS only.
    pub secure_cookies: bool,
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
}
