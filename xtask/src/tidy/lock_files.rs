//! Rule: an npm lock file names no registry. The machine's configuration decides where packages come from; their hashes
//! guarantee the contents.

use super::Violation;
use super::tree::Tree;

const NAME: &str = "package-lock.json";

pub(super) fn check(tree: &Tree) -> Vec<Violation> {
    let mut violations = Vec::new();
    let is_lock_file = |path: &&str| path.rsplit('/').next() == Some(NAME);
    for path in tree.paths().filter(is_lock_file) {
        let lines = tree.text(path).unwrap_or_default().lines().enumerate();
        violations.extend(lines.filter(|(_, line)| line.contains("\"resolved\": \"http")).map(|(at, _)| {
            let what = "names a registry: set omit-lockfile-registry-resolved in .npmrc and install again";
            Violation::new(path, at + 1, what)
        }));
    }
    violations
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::tidy::tree::Tree;

    #[test]
    fn a_registry_is_found_on_its_line_and_a_folder_is_none() {
        let text = "{\n  \"a\": {\n    \"resolved\": \"https://packages.example/a.tgz\"\n  },\n  \"b\": {\n    \"resolved\": \"../b\"\n  }\n}\n";
        let tree = Tree::planted(&[("web/package-lock.json", text), ("web/package.json", text)]);
        let found: Vec<_> = check(&tree).iter().map(|violation| violation.line).collect();
        assert_eq!(found, [3]);
    }
}
