//! Markdown to HTML: one pass over the parser's events, which gives every heading an id, resolves links, escapes raw
//! HTML, and collects the text of each section for the search.

use pulldown_cmark::{Alignment, CodeBlockKind, CowStr, Event, Options, Parser, Tag, TagEnd, html};

use crate::documents::{Library, place_of_document};
use crate::headings::{Heading, Ids};
use crate::html::escaped;
use crate::links::{Target, resolve};

const OPTIONS: Options = Options::ENABLE_TABLES.union(Options::ENABLE_STRIKETHROUGH);

/// A document of the site.
#[derive(Debug)]
pub(crate) struct Rendered {
    /// Its path in the repository.
    pub(crate) path: String,
    /// Its path in the site.
    pub(crate) place: String,
    /// Its first heading, or its path.
    pub(crate) title: String,
    pub(crate) html: String,
    pub(crate) sections: Vec<Section>,
}

/// A heading with the plain text up to the next heading.
#[derive(Debug)]
pub(crate) struct Section {
    pub(crate) heading: Heading,
    pub(crate) text: String,
}

pub(crate) fn render(path: &str, markdown: &str, library: &Library) -> Rendered {
    let events: Vec<Event<'_>> = Parser::new_ext(markdown, OPTIONS).collect();
    let mut pass = Pass::new(path, library);
    let mut written = Vec::with_capacity(events.len());
    for (index, event) in events.iter().enumerate() {
        pass.collect(event);
        pass.write(event, &events[index + 1..], &mut written);
    }
    let mut body = String::with_capacity(markdown.len() * 2);
    html::push_html(&mut body, written.into_iter());
    let title = pass.sections.first().map_or(path, |section| &section.heading.text).to_owned();
    Rendered {
        path: path.to_owned(),
        place: place_of_document(path),
        title,
        html: body,
        sections: pass.sections,
    }
}

struct Pass<'a> {
    path: &'a str,
    library: &'a Library,
    ids: Ids,
    sections: Vec<Section>,
    is_in_heading: bool,
    /// For each open link or picture, whether a `span` stands in its place.
    replaced: Vec<bool>,
}

impl<'a> Pass<'a> {
    fn new(path: &'a str, library: &'a Library) -> Pass<'a> {
        let (sections, replaced) = (Vec::new(), Vec::new());
        Pass { path, library, ids: Ids::default(), sections, is_in_heading: false, replaced }
    }

    /// Adds the event's text to the current section. A heading's own text is in its `Heading`.
    fn collect(&mut self, event: &Event<'_>) {
        let Some(section) = self.sections.last_mut() else { return };
        match event {
            Event::End(TagEnd::Heading(_)) => self.is_in_heading = false,
            _ if self.is_in_heading => {}
            Event::Text(text) | Event::Code(text) => section.text.push_str(text),
            Event::SoftBreak | Event::HardBreak => section.text.push(' '),
            Event::End(TagEnd::Paragraph | TagEnd::Item | TagEnd::TableCell | TagEnd::CodeBlock) => {
                section.text.push(' ')
            }
            _ => {}
        }
    }

    fn write<'e>(&mut self, event: &Event<'e>, rest: &[Event<'e>], written: &mut Vec<Event<'e>>) {
        match event {
            Event::Start(Tag::Heading { level, classes, attrs, .. }) => {
                let text = text_of_heading(rest);
                let id = self.ids.next(&text);
                let heading = Tag::Heading {
                    level: *level,
                    id: Some(CowStr::from(id.clone())),
                    classes: classes.clone(),
                    attrs: attrs.clone(),
                };
                written.push(Event::Start(heading));
                let heading = Heading { level: *level as u8, id, text };
                self.sections.push(Section { heading, text: String::new() });
                self.is_in_heading = true;
            }
            Event::Start(Tag::Link { .. } | Tag::Image { .. }) => written.push(self.open(event)),
            Event::End(TagEnd::Link | TagEnd::Image) => {
                let is_replaced = self.replaced.pop().unwrap_or(false);
                written.push(if is_replaced { Event::InlineHtml("</span>".into()) } else { event.clone() });
            }
            Event::Start(Tag::Table(columns)) => {
                written.push(Event::Html("<div class=\"table\">".into()));
                // The writer turns an alignment into inline style.
                written.push(Event::Start(Tag::Table(vec![Alignment::None; columns.len()])));
            }
            Event::End(TagEnd::Table) => {
                written.push(event.clone());
                written.push(Event::Html("</div>\n".into()));
            }
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(_))) => {
                // No style depends on the language.
                written.push(Event::Start(Tag::CodeBlock(CodeBlockKind::Indented)));
            }
            Event::Code(text) => written.push(Event::InlineHtml(code(text).into())),
            Event::Html(text) | Event::InlineHtml(text) => written.push(Event::Text(text.clone())),
            other => written.push(other.clone()),
        }
    }

    /// The start of a link or picture with its target resolved.
    fn open<'e>(&mut self, event: &Event<'e>) -> Event<'e> {
        let mut tag = match event {
            Event::Start(tag) => tag.clone(),
            other => return other.clone(),
        };
        let (Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) = &mut tag else {
            return event.clone();
        };
        let target = resolve(self.path, dest_url, self.library);
        self.replaced.push(!matches!(target, Target::Url(_)));
        match target {
            Target::Url(url) => {
                *dest_url = url.into();
                Event::Start(tag)
            }
            Target::Source(path) => {
                let title =
                    format!("<span class=\"source\" title=\"{} in the source code\">", escaped(&path));
                Event::InlineHtml(title.into())
            }
            Target::Refused => Event::InlineHtml("<span>".into()),
        }
    }
}

/// A long name may break after an underscore, a path after a slash.
fn code(text: &str) -> String {
    format!("<code>{}</code>", escaped(text).replace('_', "_<wbr>").replace('/', "/<wbr>"))
}

/// The plain text up to the end of the heading.
fn text_of_heading(rest: &[Event<'_>]) -> String {
    let inside = rest.iter().take_while(|event| !matches!(event, Event::End(TagEnd::Heading(_))));
    inside
        .filter_map(|event| match event {
            Event::Text(text) | Event::Code(text) => Some(text.as_ref()),
            Event::SoftBreak | Event::HardBreak => Some(" "),
            _ => None,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{Rendered, render};
    use crate::documents::{Library, library};
    use pulldown_cmark::{Event, Parser};

    fn rendered(markdown: &str) -> Rendered {
        let library = Library::planted(&[("docs/a.md", ""), ("docs/b.md", "")], &["docs/p.png"]);
        render("docs/a.md", markdown, &library)
    }

    #[test]
    fn raw_html_is_shown_as_text() {
        let html =
            rendered("a <b onclick=\"x\">b</b>\n\n<script>alert(1)</script>\n\n`<i>`\n\n    <u>\n").html;
        for shown in
            ["&lt;b onclick=", "&lt;script&gt;alert(1)&lt;/script&gt;", "<code>&lt;i&gt;</code>", "&lt;u&gt;"]
        {
            assert!(html.contains(shown), "{shown}: {html}");
        }
        assert!(!html.contains("<b") && !html.contains("<script") && !html.contains("<i>"), "{html}");
    }

    #[test]
    fn links_and_pictures_are_resolved() {
        let html = rendered("[b](b.md#c) ![p](p.png) [s](../x.sh) [e](javascript:x) ![g](gone.png)\n").html;
        for written in [
            "<a href=\"/docs/guide/b#c\">b</a>",
            "<img src=\"/docs/guide/p.png\" alt=\"p\" />",
            "<span class=\"source\" title=\"x.sh in the source code\">s</span>",
            "<span>e</span>",
            "<span class=\"source\" title=\"docs/gone.png in the source code\">g</span>",
        ] {
            assert!(html.contains(written), "{written}: {html}");
        }
    }

    #[test]
    fn headings_have_ids_and_sections_their_text() {
        let document =
            rendered("# One `two`\n\nthree\nfour\n\n## <x> Five\n\n| a | b |\n|--:|---|\n| c | d |\n");
        assert_eq!(document.title, "One two");
        assert!(document.html.contains("<h1 id=\"one-two\">One <code>two</code></h1>"), "{}", document.html);
        assert!(document.html.contains("<div class=\"table\">") && !document.html.contains("style="));
        let texts: Vec<&str> = document.sections.iter().map(|section| section.text.trim()).collect();
        assert_eq!(texts, ["three four", "a b c d"]);
    }

    #[test]
    fn no_document_contains_raw_html() {
        let library = library();
        for path in library.paths() {
            for event in Parser::new_ext(library.text(path).unwrap_or_default(), super::OPTIONS) {
                let is_raw = matches!(event, Event::Html(_) | Event::InlineHtml(_));
                assert!(!is_raw, "{path}: a page would show {event:?} as text");
            }
        }
    }
}
