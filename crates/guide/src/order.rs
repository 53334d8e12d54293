//! The reading order: groups of documents, as the navigation shows them. A listed document may be missing; documents
//! that are not listed come last.

use crate::documents::Library;

/// Titles of groups with their documents. A path that ends with a slash stands for all other documents of that folder.
const GROUPS: &[(&str, &[&str])] = &[
    ("Start", &["README.md", "docs/README.md"]),
    (
        "For clients",
        &[
            "docs/bots/python.md",
            "docs/bots/",
            "docs/agents.md",
            "docs/api-guide.md",
            "docs/streams.md",
            "docs/sandbox.md",
            "docs/data.md",
            "docs/errors.md",
            "docs/proofs.md",
            "docs/conformance.md",
            "docs/api/",
        ],
    ),
    (
        "For operators",
        &[
            "docs/operating.md",
            "docs/operating/README.md",
            "docs/operating/first-venue.md",
            "docs/operating/one-machine.md",
            "docs/operating/cluster.md",
            "docs/operating/failover.md",
            "docs/operating/monitoring.md",
            "docs/operating/faults.md",
            "docs/operating/upgrades.md",
            "docs/operating/reference.md",
            "docs/operating/",
            "docs/security.md",
            "docs/web.md",
        ],
    ),
    (
        "The rules",
        &["docs/decisions.md", "docs/decisions/README.md", "docs/decisions/", "docs/arithmetic.md"],
    ),
    (
        "For developers",
        &[
            "ARCHITECTURE.md",
            "CONTRIBUTING.md",
            "docs/adding-an-endpoint.md",
            "docs/journal-format.md",
            "docs/history.md",
            "docs/performance.md",
            "docs/memory.md",
            "CHANGELOG.md",
        ],
    ),
];

const UNLISTED: &str = "More";

/// A group that has at least one document.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Group<'a> {
    pub(crate) title: &'static str,
    pub(crate) documents: Vec<&'a str>,
}

/// Every document exactly once.
pub(crate) fn ordered(library: &Library) -> Vec<Group<'_>> {
    let is_listed = |path: &str| GROUPS.iter().any(|(_, entries)| entries.contains(&path));
    let mut rest: Vec<&str> = library.paths().filter(|path| !is_listed(path)).collect();
    let mut groups = Vec::new();
    for (title, entries) in GROUPS {
        let mut documents = Vec::new();
        for entry in *entries {
            if entry.ends_with('/') {
                documents.extend(rest.extract_if(.., |path| path.starts_with(entry)));
            } else if library.text(entry).is_some() {
                documents.push(entry);
            }
        }
        groups.push(Group { title, documents });
    }
    groups.push(Group { title: UNLISTED, documents: rest });
    groups.retain(|group| !group.documents.is_empty());
    groups
}

#[cfg(test)]
mod tests {
    use super::{Group, ordered};
    use crate::documents::Library;

    #[test]
    fn unlisted_documents_follow_their_folder_or_come_last() {
        let paths = [
            "CHANGELOG.md",
            "README.md",
            "docs/operating/disks.md",
            "docs/operating/cluster.md",
            "docs/z.md",
        ];
        let library = Library::planted(&paths.map(|path| (path, "")), &[]);
        let expected = [
            Group { title: "Start", documents: vec!["README.md"] },
            Group {
                title: "For operators",
                documents: vec!["docs/operating/cluster.md", "docs/operating/disks.md"],
            },
            Group { title: "For developers", documents: vec!["CHANGELOG.md"] },
            Group { title: "More", documents: vec!["docs/z.md"] },
        ];
        assert_eq!(ordered(&library), expected);
    }
}
