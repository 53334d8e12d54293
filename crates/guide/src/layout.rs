//! The frame of a page: head, search box, navigation, table of contents, links to the neighbours in reading order.
//!
//! Ids begin with `guide-`, because headings have ids of their own. The search box is hidden until the script shows it;
//! everything else works without a script.

use std::fmt::Write;

use crate::html::escaped;
use crate::links::url;
use crate::order::Group;
use crate::render::Rendered;

/// Headings of these levels are in the table of contents.
const CONTENTS: std::ops::RangeInclusive<u8> = 2..=3;

/// The page of `documents[index]`.
pub(crate) fn page(documents: &[Rendered], index: usize, groups: &[Group<'_>]) -> String {
    let document = &documents[index];
    let (home, style, script) = (url("", ""), url("style.css", ""), url("search.js", ""));
    let (title, body) = (escaped(&document.title), &document.html);
    let suffix = if document.place.is_empty() { "" } else { " · Bellwether" };
    let (search, contents) = (search(), contents(document));
    let (navigation, neighbours) = (navigation(documents, document, groups), neighbours(documents, index));
    format!(
        r##"<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}{suffix}</title>
<link rel="icon" href="/favicon.svg">
<link rel="stylesheet" href="{style}">
<script src="{script}" defer></script>
</head>
<body>
<a class="skip" href="#guide-text">Skip to the text</a>
<header>
<a class="home" href="{home}">Bellwether <span>guide</span></a>
<a class="to-documents" href="#guide-documents">Documents</a>
<a href="/docs">API</a>
{search}</header>
<div class="columns">
{contents}<main id="guide-text" tabindex="-1">
<article>
{body}</article>
{neighbours}</main>
{navigation}</div>
</body>
</html>
"##
    )
}

fn search() -> String {
    let index = url("search.json", "");
    format!(
        r#"<form role="search" data-index="{index}" hidden>
<label for="guide-query">Search</label>
<input id="guide-query" type="search" autocomplete="off" spellcheck="false" placeholder="Headings and words"
 aria-controls="guide-results" aria-keyshortcuts="/">
<div id="guide-results" class="results" hidden>
<p role="status"></p>
<ol></ol>
</div>
</form>
"#
    )
}

/// Nothing for a document with fewer than two headings below its title.
fn contents(document: &Rendered) -> String {
    let headings = document.sections.iter().map(|section| &section.heading);
    let headings: Vec<_> = headings.filter(|heading| CONTENTS.contains(&heading.level)).collect();
    if headings.len() < 2 {
        return String::new();
    }
    let mut items = String::new();
    for heading in headings {
        let (level, id, text) = (heading.level, escaped(&heading.id), escaped(&heading.text));
        // Writing to a string cannot fail.
        let _ = writeln!(items, "<li class=\"level-{level}\"><a href=\"#{id}\">{text}</a></li>");
    }
    format!(
        "<nav class=\"contents\" aria-label=\"On this page\">\n<details>\n<summary>On this page</summary>\n\
         <ul>\n{items}</ul>\n</details>\n</nav>\n"
    )
}

fn navigation(documents: &[Rendered], current: &Rendered, groups: &[Group<'_>]) -> String {
    let mut html = "<nav id=\"guide-documents\" class=\"documents\" aria-label=\"Documents\">\n".to_owned();
    let mut rest = documents.iter();
    for group in groups {
        let _ = writeln!(html, "<h2>{}</h2>\n<ul>", escaped(group.title));
        for document in rest.by_ref().take(group.documents.len()) {
            let mark = if document.path == current.path { " aria-current=\"page\"" } else { "" };
            let (url, title) = (url(&document.place, ""), escaped(&document.title));
            let _ = writeln!(html, "<li><a href=\"{url}\"{mark}>{title}</a></li>");
        }
        html.push_str("</ul>\n");
    }
    html.push_str("</nav>\n");
    html
}

fn neighbours(documents: &[Rendered], index: usize) -> String {
    let link = |document: Option<&Rendered>, relation: &str, label: &str| {
        let Some(document) = document else { return String::new() };
        let (url, title) = (url(&document.place, ""), escaped(&document.title));
        format!("<a rel=\"{relation}\" href=\"{url}\"><span>{label}</span> {title}</a>\n")
    };
    let previous = link(index.checked_sub(1).and_then(|index| documents.get(index)), "prev", "Previous");
    let next = link(documents.get(index + 1), "next", "Next");
    format!("<nav class=\"neighbours\" aria-label=\"Reading order\">\n{previous}{next}</nav>\n")
}
