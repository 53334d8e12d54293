//! The index of the search, as JSON: for each document its title, URL and sections, each with its heading and words.

use serde_json::{Value, json};

use crate::links::url;
use crate::render::{Rendered, Section};

pub(crate) fn index(documents: &[Rendered]) -> String {
    let documents: Vec<Value> = documents.iter().map(of_document).collect();
    json!({ "documents": documents }).to_string()
}

fn of_document(document: &Rendered) -> Value {
    let sections: Vec<Value> = document.sections.iter().map(of_section).collect();
    json!({ "title": document.title, "url": url(&document.place, ""), "sections": sections })
}

fn of_section(section: &Section) -> Value {
    let text = section.text.split_whitespace().collect::<Vec<_>>().join(" ");
    json!({ "id": section.heading.id, "heading": section.heading.text, "text": text })
}
