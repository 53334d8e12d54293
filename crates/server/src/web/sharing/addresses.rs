//! Absolute addresses of what is shared, all below the public address.

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

use crate::app::App;
use crate::web::WebOrigin;

#[derive(Clone, Copy, Debug)]
pub(super) struct Addresses<'a> {
    origin: &'a WebOrigin,
}

impl<'a> Addresses<'a> {
    /// `None` if the venue has no public address.
    pub(super) fn of(app: &'a App) -> Option<Addresses<'a>> {
        app.web().public_url().map(|origin| Addresses { origin })
    }

    /// The address with a path, which begins with a slash.
    pub(super) fn at(self, path: &str) -> String {
        format!("{}{path}", self.origin)
    }

    /// A slug has only lowercase letters, digits and hyphens, so it needs no encoding.
    pub(super) fn event(self, slug: &str) -> String {
        format!("{}/events/{slug}", self.origin)
    }

    pub(super) fn embed(self, slug: &str) -> String {
        format!("{}/embed/{slug}", self.origin)
    }

    pub(super) fn oembed(self, slug: &str) -> String {
        let event = self.event(slug);
        format!("{}/oembed?url={}&format=json", self.origin, utf8_percent_encode(&event, NON_ALPHANUMERIC))
    }

    /// None if this build draws no cards.
    pub(super) fn card(self, slug: &str) -> Option<String> {
        cfg!(feature = "cards").then(|| format!("{}/cards/{slug}.png", self.origin))
    }

    /// The event that an address of this venue names.
    pub(super) fn event_named_by(self, address: &str) -> Option<&str> {
        let path = address.strip_prefix(self.origin.as_str())?;
        let end = path.find(['?', '#']).unwrap_or(path.len());
        super::event_name(&path[..end])
    }
}
