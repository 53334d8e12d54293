//! The indexed fields of an event.

use std::collections::BTreeSet;

use api::query::words_of;
use exchange::Exchange;
use exchange::catalogue::{Engine, Event, EventKind, EventLink, Market, RetiredEvent, Status};
use exchange::id::{EventId, GameId, SeriesId};
use exchange::index::EventIndex;
use exchange::numbers::Currency;
use exchange::text::Text;

use super::postings::member;
use super::substring::SearchedTexts;
use super::terms::{SearchedText, Term, grams_of, short_prefixes};

/// An event in the index. Texts are shared with the event.
#[derive(Clone, Debug, PartialEq)]
pub struct Document {
    pub id: EventId,
    pub serial: u64,
    pub status: Status,
    never_opened: bool,
    title: Text,
    slug: Text,
    kind: EventKind,
    engine: Engine,
    currencies: Vec<Currency>,
    category: Text,
    subcategory: Text,
    link: EventLink,
    /// The description, the hashtags, and the titles and outcome labels of the markets.
    texts: Vec<Text>,
}

impl Document {
    pub fn of(exchange: &Exchange, index: EventIndex) -> Document {
        let catalogue = exchange.catalogue();
        let event = catalogue.event(index);
        Document::new(event, event.markets.iter().map(|market| catalogue.market(*market)))
    }

    pub fn of_retired(retired: &RetiredEvent) -> Document {
        Document::new(&retired.event, retired.markets.iter().map(|market| &market.market))
    }

    fn new<'a>(event: &Event, markets: impl Iterator<Item = &'a Market>) -> Document {
        let details = &event.details;
        let mut texts = vec![details.description.clone()];
        texts.extend(details.hashtags.iter().cloned());
        for market in markets {
            let details = &market.details;
            texts.extend([&details.title, &details.yes_label, &details.no_label].map(Text::clone));
        }
        Document {
            id: event.id,
            serial: event.serial,
            status: event.status,
            never_opened: event.never_opened,
            title: details.title.clone(),
            slug: event.slug.clone(),
            kind: event.kind,
            engine: event.engine,
            currencies: event.currencies.clone(),
            category: details.category.clone(),
            subcategory: details.subcategory.clone(),
            link: event.link,
            texts,
        }
    }

    /// The text for substring searches, in lower case.
    pub fn searched(&self, text: SearchedText) -> String {
        match text {
            SearchedText::Title => self.title.to_lowercase(),
            SearchedText::Slug => self.slug.to_lowercase(),
        }
    }

    /// The texts that a substring is compared with.
    pub fn searched_texts(&self) -> SearchedTexts {
        SearchedTexts { member: member(self.serial), title: self.title.clone(), slug: self.slug.clone() }
    }

    pub fn words(&self) -> BTreeSet<String> {
        let all = self.texts.iter().chain([&self.title]);
        all.flat_map(|text| words_of(text)).collect()
    }

    /// Every index term of the event, without duplicates.
    pub fn terms(&self) -> BTreeSet<Term> {
        let mut terms = BTreeSet::from([
            Term::status(self.status),
            Term::kind(self.kind),
            Term::engine(self.engine),
            Term::category(&self.category.to_lowercase()),
            Term::subcategory(&self.subcategory.to_lowercase()),
        ]);
        terms.extend(self.currencies.iter().map(|currency| Term::currency(*currency)));
        terms.extend(self.never_opened.then(Term::never_opened));
        let (series, game) = self.links();
        terms.extend(series.map(Term::series));
        terms.extend(game.map(Term::game));
        for text in [SearchedText::Title, SearchedText::Slug] {
            let searched = self.searched(text);
            terms.extend(grams_of(&searched).iter().map(|gram| Term::gram(text, gram)));
            terms.extend(searched.chars().map(|letter| Term::letter(text, letter.encode_utf8(&mut [0; 4]))));
        }
        terms.extend(words_of(&self.title).map(|word| Term::title_word(&word)));
        for word in self.words() {
            terms.insert(Term::word(&word));
            terms.extend(short_prefixes(&word).map(Term::prefix));
        }
        terms
    }

    fn links(&self) -> (Option<SeriesId>, Option<GameId>) {
        match self.link {
            EventLink::None => (None, None),
            EventLink::Series { series, .. } => (Some(series), None),
            EventLink::Game { game, .. } => (None, Some(game)),
        }
    }
}
