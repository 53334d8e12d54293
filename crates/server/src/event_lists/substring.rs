//! The substring condition of a list. The index narrows it down to candidates; a substring longer than a trigram is then
//! compared with the text of each candidate.

use exchange::text::Text;
use memchr::memmem::Finder;

use super::filter::narrowed;
use super::postings::{EventSet, Postings};
use super::terms::{SearchedText, Term, grams_within, is_proved_by_grams};

/// A lower-case text that an event's title must contain, or its slug where that is searched too.
#[derive(Clone, Debug)]
pub struct Substring {
    pub text: String,
    pub in_slug: bool,
}

/// The texts of an event that a substring is compared with. Cloning shares them with the event.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchedTexts {
    pub member: u32,
    pub title: Text,
    pub slug: Text,
}

impl Substring {
    pub fn of_title(text: &str) -> Substring {
        Substring { text: text.to_lowercase(), in_slug: false }
    }

    pub fn of_title_or_slug(text: &str) -> Substring {
        Substring { text: text.to_lowercase(), in_slug: true }
    }

    /// Whether the candidates' texts must be compared: the index alone proves short substrings.
    pub fn needs_comparison(&self) -> bool {
        !is_proved_by_grams(&self.text)
    }

    /// The events of `within` whose texts may contain the substring. `None` stands for all events.
    pub fn candidates<P: Postings>(
        &self,
        index: &P,
        within: Option<EventSet>,
    ) -> Result<Option<EventSet>, P::Error> {
        if !self.in_slug {
            return self.candidates_by(index, SearchedText::Title, within);
        }
        let by_title = self.candidates_by(index, SearchedText::Title, within.clone())?;
        let by_slug = self.candidates_by(index, SearchedText::Slug, within)?;
        Ok(by_title.zip(by_slug).map(|(by_title, by_slug)| by_title | by_slug))
    }

    fn candidates_by<P: Postings>(
        &self,
        index: &P,
        text: SearchedText,
        mut events: Option<EventSet>,
    ) -> Result<Option<EventSet>, P::Error> {
        for gram in grams_within(&self.text) {
            if events.as_ref().is_some_and(EventSet::is_empty) {
                break;
            }
            let set = match gram.chars().count() {
                1 => index.set(&Term::letter(text, &gram))?,
                2 => index.continued(&Term::gram(text, &gram))?,
                _ => index.set(&Term::gram(text, &gram))?,
            };
            events = Some(narrowed(events, &set));
        }
        Ok(events)
    }

    /// Prepares the comparison with many texts.
    pub fn comparison(&self) -> Comparison<'_> {
        Comparison { finder: Finder::new(&self.text), in_slug: self.in_slug }
    }

    /// The events whose texts contain the substring.
    pub fn compare<'a>(&self, candidates: impl Iterator<Item = &'a SearchedTexts>) -> EventSet {
        let comparison = self.comparison();
        let containing = candidates
            .filter(|texts| comparison.finds_in(texts.title.to_lowercase(), texts.slug.to_lowercase()));
        containing.map(|texts| texts.member).collect()
    }
}

#[derive(Debug)]
pub struct Comparison<'a> {
    finder: Finder<'a>,
    in_slug: bool,
}

impl Comparison<'_> {
    /// Whether the lower-case texts contain the substring.
    pub fn finds_in(&self, title: impl AsRef<[u8]>, slug: impl AsRef<[u8]>) -> bool {
        let is_in = |text: &[u8]| self.finder.find(text).is_some();
        is_in(title.as_ref()) || self.in_slug && is_in(slug.as_ref())
    }
}
