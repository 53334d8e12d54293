//! Settings of the web pages and of proxies in front of the venue.

use std::collections::HashMap;
use std::sync::OnceLock;

use super::origin::WebOrigin;
use super::security_txt::SecurityContact;
#[cfg(feature = "cards")]
use super::sharing::Cards;
use crate::http::address::AddressRange;
use crate::http::unchanging::Unchanging;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebSettings {
    /// The venue is behind TLS: browsers send cookies over TLS only.
    pub secure_cookies: bool,
    /// Trusted proxies, whose `X-Forwarded-For` is used.
    pub proxies: Vec<AddressRange>,
    /// Whether scripts on other origins may read the public API.
    pub cross_origin: bool,
    /// Where to report a vulnerability.
    pub security_contact: Option<SecurityContact>,
    /// The address under which the venue is reached. Without it nothing that needs absolute addresses is served: link
    /// previews, cards, oEmbed and feeds. It never comes from a request.
    pub public_url: Option<WebOrigin>,
    /// Sites that may embed an event; all if there are none.
    pub embed_origins: Vec<WebOrigin>,
    /// Whether the public listener serves metrics too.
    pub public_metrics: bool,
}

impl Default for WebSettings {
    fn default() -> WebSettings {
        WebSettings {
            secure_cookies: false,
            proxies: Vec::new(),
            cross_origin: true,
            security_contact: None,
            public_url: None,
            embed_origins: Vec::new(),
            public_metrics: false,
        }
    }
}

impl WebSettings {
    /// How a service of others reaches the venue: the contact for vulnerabilities, or the public address if it is https.
    pub fn contact(&self) -> Option<String> {
        let public =
            self.public_url.as_ref().map(WebOrigin::as_str).filter(|url| url.starts_with("https://"));
        self.security_contact.as_ref().map(ToString::to_string).or_else(|| public.map(str::to_owned))
    }
}

/// A file of the guide.
#[derive(Clone, Copy, Debug)]
pub struct GuideFile {
    /// Below `/docs/guide`.
    pub path: &'static str,
    pub content_type: &'static str,
    pub bytes: &'static [u8],
}

/// Makes the files of the guide, for the first request that wants one.
pub type MakeGuide = fn() -> Vec<GuideFile>;

/// Set once, before the server accepts requests.
#[derive(Debug, Default)]
pub struct Web {
    settings: OnceLock<WebSettings>,
    make_guide: OnceLock<MakeGuide>,
    guide: OnceLock<HashMap<&'static str, Unchanging>>,
    #[cfg(feature = "cards")]
    cards: Cards,
}

impl Web {
    /// Returns false, and changes nothing, if the settings were set before.
    pub fn configure(&self, settings: WebSettings) -> bool {
        self.settings.set(settings).is_ok()
    }

    /// Adds the guide, which the executable embeds: an edited document does not recompile the server. Returns false, and
    /// changes nothing, if it was added before.
    pub fn add_guide(&self, make: MakeGuide) -> bool {
        self.make_guide.set(make).is_ok()
    }

    pub(super) fn find_guide_file(&self, path: &str) -> Option<&Unchanging> {
        let make = self.make_guide.get()?;
        let guide = self.guide.get_or_init(|| {
            let file = |file: GuideFile| (file.path, Unchanging::new(file.content_type, file.bytes));
            make().into_iter().map(file).collect()
        });
        guide.get(path)
    }

    /// Whether cookies are sent over TLS only.
    pub fn is_secure(&self) -> bool {
        self.settings.get_or_init(WebSettings::default).secure_cookies
    }

    pub fn proxies(&self) -> &[AddressRange] {
        self.settings.get().map_or(&[], |settings| &settings.proxies)
    }

    /// Whether scripts on other origins may read responses of the public API.
    pub fn allows_cross_origin(&self) -> bool {
        self.settings.get().is_none_or(|settings| settings.cross_origin)
    }

    pub fn security_contact(&self) -> Option<&SecurityContact> {
        self.settings.get()?.security_contact.as_ref()
    }

    /// The venue's public address.
    pub fn public_url(&self) -> Option<&WebOrigin> {
        self.settings.get()?.public_url.as_ref()
    }

    /// Whether the public listener serves metrics.
    pub fn has_public_metrics(&self) -> bool {
        self.settings.get().is_some_and(|settings| settings.public_metrics)
    }

    /// Sites that may embed an event; empty for all.
    pub(super) fn embed_origins(&self) -> &[WebOrigin] {
        self.settings.get().map_or(&[], |settings| &settings.embed_origins)
    }

    #[cfg(feature = "cards")]
    pub(super) fn cards(&self) -> &Cards {
        &self.cards
    }
}
