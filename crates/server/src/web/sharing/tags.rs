//! The tags in the head of the traders' page: feeds on every page; canonical address, Open Graph, Twitter card and oEmbed
//! on the page of an event.

use std::fmt::Write;

use super::addresses::Addresses;
use super::markup::{Escaped, shortened};
use super::{SITE, calendar, rss};
use crate::view::shared_event::SharedEvent;

/// The size of a card image in pixels.
pub(super) const CARD_SIZE: (u32, u32) = (1_200, 630);
/// Sites cut descriptions at about this length.
const DESCRIPTION_CHARACTERS_MAX: usize = 200;

pub(super) fn tags(addresses: Addresses<'_>, event: Option<&SharedEvent>) -> String {
    let mut tags = Tags::default();
    tags.alternate(rss::CONTENT, &addresses.at(rss::PATH), rss::TITLE);
    tags.alternate(calendar::CONTENT, &addresses.at(calendar::PATH), calendar::TITLE);
    if let Some(event) = event {
        tags.add_event(addresses, event);
    }
    tags.text
}

/// Written tags. Every value is escaped here and nowhere else.
#[derive(Default)]
struct Tags {
    text: String,
}

impl Tags {
    fn add_event(&mut self, addresses: Addresses<'_>, event: &SharedEvent) {
        let address = addresses.event(&event.slug);
        self.line(format_args!("<link rel=\"canonical\" href=\"{}\" />", Escaped(&address)));
        self.alternate("application/json+oembed", &addresses.oembed(&event.slug), &event.title);
        self.property("og:site_name", SITE);
        self.property("og:type", "website");
        self.property("og:url", &address);
        self.property("og:title", &event.title);
        self.property("og:description", &description(event));
        let Some(card) = addresses.card(&event.slug) else {
            self.name("twitter:card", "summary");
            return;
        };
        let (width, height) = CARD_SIZE;
        self.property("og:image", &card);
        self.property("og:image:type", "image/png");
        self.property("og:image:width", &width.to_string());
        self.property("og:image:height", &height.to_string());
        self.property("og:image:alt", &format!("{}: {}", event.title, event.chances()));
        self.name("twitter:card", "summary_large_image");
    }

    fn alternate(&mut self, content: &str, address: &str, title: &str) {
        // Parameters of a content type are not part of the link's type.
        let content = content.split(';').next().unwrap_or(content);
        self.line(format_args!(
            "<link rel=\"alternate\" type=\"{content}\" href=\"{}\" title=\"{}\" />",
            Escaped(address),
            Escaped(title)
        ));
    }

    fn property(&mut self, name: &str, value: &str) {
        self.line(format_args!("<meta property=\"{name}\" content=\"{}\" />", Escaped(value)));
    }

    fn name(&mut self, name: &str, value: &str) {
        self.line(format_args!("<meta name=\"{name}\" content=\"{}\" />", Escaped(value)));
    }

    fn line(&mut self, line: std::fmt::Arguments<'_>) {
        let indent = if self.text.is_empty() { "" } else { "\n    " };
        // Writing to a string cannot fail.
        let _ = write!(self.text, "{indent}{line}");
    }
}

/// The chances, the status if the event does not trade, and the beginning of its description.
pub(super) fn description(event: &SharedEvent) -> String {
    let parts = [event.ended().map(str::to_owned), Some(event.chances()), Some(event.description.clone())];
    let parts: Vec<String> = parts.into_iter().flatten().filter(|part| !part.trim().is_empty()).collect();
    shortened(&parts.join(". "), DESCRIPTION_CHARACTERS_MAX)
}
