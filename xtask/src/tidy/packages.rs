//! Rule: a printed command that installs a package names a folder of this repository, our package as its manifest calls
//! it, or a package of a lock or requirements file. An import in a document names our module.
//!
//! Any other name may belong to a stranger, whose program the reader would run. Commands are read in all texts, because
//! sources have messages. The imports of sources are tested by running them.

use std::collections::BTreeSet;

use super::Violation;
use super::manifest::Manifest;
use super::tree::Tree;

/// The names of our packages begin with this word, which alone is another project's package.
const PROJECT: &str = "bellwether";
const PYTHON_FOLDER: &str = "sdk/python";
const NPM_FOLDER: &str = "sdk/typescript";

/// Files that make a folder a package.
const PYTHON: &str = "pyproject.toml";
const NPM: &str = "package.json";
const RUST: &str = "Cargo.toml";

const COMMANDS: &[(&str, &str)] = &[
    ("pip install", PYTHON),
    ("npm install", NPM),
    ("npm i", NPM),
    ("cargo add", RUST),
    ("cargo install", RUST),
];

/// The path of this repository for a project beside it.
const BESIDE: &str = "../bellwether/";

pub(super) fn check(tree: &Tree) -> Vec<Violation> {
    let names = Names::read(tree);
    let mut violations = Vec::new();
    for (path, text) in tree.all_texts() {
        let is_document = path.ends_with(".md") || path.ends_with(".ipynb");
        for (index, line) in text.lines().enumerate() {
            let wrong_import = if is_document { names.import_fault(line) } else { None };
            let faults = names.command_faults(tree, line).into_iter().chain(wrong_import);
            violations.extend(faults.map(|what| Violation::new(path, index + 1, what)));
        }
    }
    for (path, text) in tree.documents() {
        let faults = toml_blocks(text).flat_map(|(above, block)| names.dependency_faults(tree, above, block));
        violations.extend(faults.map(|(line, what)| Violation::new(path, line, what)));
    }
    violations
}

/// The names that printed lines may use.
struct Names<'a> {
    /// Our packages and those of the lock and requirements files, each with the manifest of its kind.
    packages: BTreeSet<(&'static str, &'a str)>,
    distribution: &'a str,
    extras: BTreeSet<&'a str>,
    module: &'a str,
    npm: &'a str,
}

impl<'a> Names<'a> {
    fn read(tree: &'a Tree) -> Self {
        let manifest = |folder, file| tree.text(&format!("{folder}/{file}")).unwrap_or_default();
        let ours = |name: Option<&'a str>| name.filter(|name| *name != PROJECT).unwrap_or_default();
        let python = manifest(PYTHON_FOLDER, PYTHON);
        let value = |section, key| {
            let (_, value) = entries(python, section).find(|(name, _)| *name == key)?;
            value.split('"').nth(1)
        };
        let distribution = ours(value("[project]", "name"));
        let folder = value("[tool.hatch.build.targets.wheel]", "packages");
        let module = ours(folder.and_then(|folder| folder.strip_prefix("src/")));
        let extras = entries(python, "[project.optional-dependencies]").map(|(name, _)| name).collect();
        let name_of = |line: &'a str| line.trim_start().strip_prefix("\"name\": \"")?.split('"').next();
        let npm = ours(manifest(NPM_FOLDER, NPM).lines().find_map(name_of));
        let mut packages = BTreeSet::from([(PYTHON, distribution), (NPM, npm)]);
        for (path, text) in tree.all_texts() {
            packages.extend(listed(path.rsplit('/').next().unwrap_or(path), text));
        }
        Self { packages, distribution, extras, module, npm }
    }

    fn command_faults(&self, tree: &Tree, line: &str) -> Vec<String> {
        let mut faults = Vec::new();
        for (command, manifest) in COMMANDS {
            for rest in line.split(command).skip(1).filter(|rest| rest.starts_with(char::is_whitespace)) {
                let mut option = "";
                for word in words(rest) {
                    let is_folder = word.starts_with("./") || option == "--path";
                    option = if word.starts_with('-') { word } else { "" };
                    if option.is_empty() {
                        let fault = self.package_fault(tree, manifest, word, is_folder);
                        faults.extend(fault.map(|fault| format!("`{command} {word}`: {fault}")));
                    }
                }
            }
        }
        faults
    }

    /// The fault of one package of a command.
    fn package_fault(
        &self,
        tree: &Tree,
        manifest: &'static str,
        word: &str,
        is_folder: bool,
    ) -> Option<String> {
        let (name, extras) = parts(word.trim_start_matches("./"));
        if is_folder && !tree.exists(&format!("{name}/{manifest}")) {
            return Some(format!("the folder has no {manifest}"));
        }
        if !is_folder && !self.packages.contains(&(manifest, name)) {
            return Some("neither our package nor one of a lock or requirements file".to_owned());
        }
        let is_ours = [PYTHON_FOLDER, self.distribution].contains(&name);
        let unknown = extras.split(',').find(|extra| !extra.is_empty() && !self.extras.contains(extra));
        unknown.filter(|_| is_ours).map(|extra| format!("the package has no extra `{extra}`"))
    }

    /// The fault of a line that imports our package under another name, in Python or JavaScript.
    fn import_fault(&self, line: &str) -> Option<String> {
        let is_wrong = |name: &&str, ours: &str| name.starts_with(PROJECT) && *name != ours;
        // A line of a notebook is quoted.
        let statement = line.trim_start().trim_start_matches('"');
        let python = statement.strip_prefix("from ").or(statement.strip_prefix("import "));
        let module = python.and_then(|rest| rest.split(|c: char| !c.is_alphanumeric() && c != '_').next());
        if let Some(module) = module.filter(|module| is_wrong(module, self.module)) {
            return Some(format!("`{module}`: not the module of {PYTHON_FOLDER}/{PYTHON}"));
        }
        let paths = ["from '", "import('"].into_iter().flat_map(|before| line.split(before).skip(1));
        let mut packages = paths.filter_map(|rest| rest.split(['/', '\'']).next());
        let package = packages.find(|package| is_wrong(package, self.npm))?;
        Some(format!("`{package}`: not the package of {NPM_FOLDER}/{NPM}"))
    }

    /// The faults of a document's TOML block below `above` lines.
    fn dependency_faults(&self, tree: &Tree, above: usize, block: &str) -> Vec<(usize, String)> {
        let mut faults = Vec::new();
        for dependency in Manifest::parse(block).dependencies {
            let package = dependency.package.as_str();
            let line = block.lines().nth(dependency.line - 1).unwrap_or_default();
            let folder = line.split_once("path = \"").and_then(|(_, rest)| rest.split('"').next());
            let is_there = match folder {
                Some(folder) => {
                    let ours = format!("{}/{RUST}", folder.trim_start_matches(BESIDE));
                    tree.text(&ours).is_some_and(|text| Manifest::parse(text).package == package)
                }
                None => self.packages.contains(&(RUST, package)),
            };
            if !is_there {
                let what = format!("`{package}`: neither a crate at its path nor one of Cargo.lock");
                faults.push((above + dependency.line, what));
            }
        }
        faults
    }
}

/// The packages that a file lists, if it is a lock or requirements file.
fn listed<'a>(file: &str, text: &'a str) -> Vec<(&'static str, &'a str)> {
    match file {
        "package-lock.json" => {
            let keys = text.lines().filter_map(|line| line.trim_start().strip_suffix("\": {"));
            keys.filter_map(|key| Some((NPM, key.rsplit_once("node_modules/")?.1))).collect()
        }
        "Cargo.lock" => {
            // Only packages of a registry have a source; `client` there is not ours.
            let crates = text.split("\n\n").filter(|entry| entry.contains("\nsource = "));
            let names = crates.filter_map(|entry| entry.split_once("name = \"")?.1.split('"').next());
            names.map(|name| (RUST, name)).collect()
        }
        _ if file.starts_with("requirements") && file.ends_with(".txt") => {
            text.lines().filter_map(|line| Some((PYTHON, line.split_once("==")?.0))).collect()
        }
        _ => Vec::new(),
    }
}

/// The pairs `key = value` of one section of a TOML file.
fn entries<'a>(text: &'a str, section: &str) -> impl Iterator<Item = (&'a str, &'a str)> {
    let lines = text.lines().skip_while(move |line| *line != section).skip(1);
    lines.take_while(|line| !line.starts_with('[')).filter_map(|line| line.split_once(" = "))
}

/// The words of a command, until the code or the text around it ends.
fn words(rest: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for word in rest.split_whitespace() {
        // A quote may be escaped in a string.
        let bare = word.trim_start_matches(['\\', '\'', '"']);
        let (bare, after) =
            bare.split_at(bare.find(['\'', '"', '`', '\\', ';', '&', '|', '#', ')']).unwrap_or(bare.len()));
        found.extend(Some(bare).filter(|bare| !bare.is_empty()));
        let is_closed = bare.len() + after.len() < word.len() && ["'", "\"", "\\\""].contains(&after);
        if !after.is_empty() && !is_closed {
            break;
        }
    }
    found
}

/// Name and extras of a package, without its version.
fn parts(word: &str) -> (&str, &str) {
    let (name, rest) = word.split_once('[').unwrap_or((word, ""));
    let extras = rest.split(']').next().unwrap_or_default();
    // An npm scope begins with the sign that stands before a version.
    let scope = usize::from(name.starts_with('@'));
    let end = name[scope..].find(['=', '<', '>', '~', '!', '@']).map_or(name.len(), |end| scope + end);
    (&name[..end], extras)
}

/// Each TOML block of a document, after the number of lines above it.
fn toml_blocks(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.match_indices("```toml\n").map(|(at, fence)| {
        let start = at + fence.len();
        let block = text[start..].split("```").next().unwrap_or_default();
        (text[..start].matches('\n').count(), block)
    })
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::tidy::tree::Tree;

    const PYPROJECT: &str = r#"[project]
# Why.
name = "bellwether-exchange"

[project.optional-dependencies]
pandas = ["pandas>=2"]
polars = ["polars>=1"]

[tool.hatch.build.targets.wheel]
packages = ["src/bellwether_exchange"]
"#;
    const LOCK: &str = r#"version = 4

[[package]]
name = "client"
version = "0.1.0"

[[package]]
name = "tokio"
version = "1.0.0"
source = "registry"
"#;
    /// Apart from its words: the rule reads this file too.
    const PIP: &str = "pip install";
    const FILES: [(&str, &str); 6] = [
        ("sdk/python/pyproject.toml", PYPROJECT),
        ("sdk/python/requirements-test.txt", "# All.\npytest==9.2.0\n"),
        ("sdk/typescript/package.json", "{\n  \"name\": \"bellwether-exchange\",\n"),
        ("sdk/package-lock.json", "{\n  \"packages\": {\n    \"node_modules/@types/node\": {\n"),
        ("crates/client/Cargo.toml", "[package]\nname = \"client\"\n"),
        ("Cargo.lock", LOCK),
    ];

    fn found_in(path: &str, text: &str) -> Vec<String> {
        let files: Vec<_> = FILES.into_iter().chain([(path, text)]).collect();
        check(&Tree::planted(&files)).iter().map(ToString::to_string).collect()
    }

    fn found(text: &str) -> Vec<String> {
        found_in("docs/a.md", text)
    }

    #[test]
    fn another_projects_name_is_found_in_any_text() {
        for (before, words, after) in [
            ("", "bellwether", ""),
            ("Parquet needs polars (`", "'bellwether[polars]'", "`), CSV needs nothing."),
            ("    raise ImportError(\"needs pandas: ", "'bellwether[pandas]'", "\") from error"),
            ("    \"", "'bellwether[pandas]'", "\\n\","),
            ("", "--upgrade \"bellwether[pandas]\"", "  # newer"),
            ("", "-q 'pytest' bellwether==0.4.0", " && pytest"),
        ] {
            let line = format!("{before}{PIP} {words}{after}\n");
            for path in ["docs/a.md", "crates/a/src/lib.rs", "sdk/python/src/a.py", "a.ipynb"] {
                let violations = found_in(path, &line);
                assert_eq!(violations.len(), 1, "{path} {line}");
                assert!(violations[0].starts_with(&format!("{path}:1: `{PIP} bellwether")), "{line}");
            }
        }
    }

    #[test]
    fn our_package_its_folder_and_listed_packages_pass() {
        for (command, words) in [
            ("pip install", " ./sdk/python pytest   # from the root"),
            ("pip install", " './sdk/python[pandas,polars]' && pytest more"),
            ("pip install", " \"bellwether-exchange[pandas]\" 'pytest>=9'"),
            ("npm install", " --no-save ./sdk/typescript"),
            ("npm i", " bellwether-exchange @types/node@20"),
            ("cargo install", " --locked --path crates/client` installs it"),
            ("cargo install", "`, and then"),
            ("cargo add", " tokio@1"),
        ] {
            assert_eq!(found(&format!("{command}{words}")), [""; 0]);
        }
    }

    #[test]
    fn names_folders_extras_and_crates_that_are_not_ours_are_found() {
        let stranger = "neither our package nor one of a lock or requirements file";
        for (command, word, fault) in [
            ("pip install", "./sdk/typescript", "the folder has no pyproject.toml"),
            ("cargo install", "--path crates/cli", "the folder has no Cargo.toml"),
            ("pip install", "./sdk/python[excel]", "the package has no extra `excel`"),
            ("pip install", "bellwether-exchange[pandas,excel]", "the package has no extra `excel`"),
            ("pip install", "Bellwether_Exchange", stranger),
            ("npm install", "pytest", stranger),
            ("npm i", "bellwether", stranger),
            // The crate of a stranger, and one that is not published.
            ("cargo add", "client", stranger),
            ("cargo install", "bellwether-exchange", stranger),
        ] {
            let shown = word.trim_start_matches("--path ");
            let expected = format!("docs/a.md:1: `{command} {shown}`: {fault}");
            assert_eq!(found(&format!("{command} {word}")), [expected]);
        }
    }

    #[test]
    fn the_other_projects_name_is_not_ours_even_if_our_manifest_says_so() {
        let manifest = PYPROJECT.replace("bellwether-exchange", "bellwether");
        let command = format!("{PIP} bellwether\n");
        let tree = Tree::planted(&[("sdk/python/pyproject.toml", &manifest), ("docs/a.md", &command)]);
        assert_eq!(check(&tree).len(), 1);
    }

    #[test]
    fn an_import_of_another_name_is_found() {
        for line in [
            "from bellwether import Client",
            "    import bellwether",
            "    \"from bellwether.testing import Sandbox\\n\",",
        ] {
            assert_eq!(
                found(line),
                ["docs/a.md:1: `bellwether`: not the module of sdk/python/pyproject.toml"]
            );
        }
        for line in
            ["} from 'bellwether'", "export * from 'bellwether/testing'", "type A = import('bellwether').A"]
        {
            assert_eq!(
                found(line),
                ["docs/a.md:1: `bellwether`: not the package of sdk/typescript/package.json"]
            );
        }
        let right = "from bellwether_exchange.ccxt import bellwether\nimport { A } from 'bellwether-exchange/testing'\n\
                     important bellwether\nfrom pytest import mark\n";
        assert_eq!(found(right), [""; 0]);
    }

    #[test]
    fn a_dependency_of_a_toml_block_is_ours_by_its_path_or_in_the_lock_file() {
        let page = |lines: &str| format!("# A\n\n```toml\n[dependencies]\n{lines}\n```\n");
        let right = "client = { path = \"../bellwether/crates/client\" }\ntokio = \"1\"";
        assert_eq!(found(&page(right)), [""; 0]);
        for line in ["client = \"1\"", "client = { path = \"../bellwether/crates/cli\" }", "serde = \"1\""] {
            let package = line.split(' ').next().unwrap();
            let what = "neither a crate at its path nor one of Cargo.lock";
            assert_eq!(found(&page(line)), [format!("docs/a.md:5: `{package}`: {what}")]);
        }
    }
}
