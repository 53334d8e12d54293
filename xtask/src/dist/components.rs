//! The list of components (SBOM) in the CycloneDX format: every crate in the executable with its version, licence and
//! checksum, and which crate needs which. `cargo tree` resolves features and target; `Cargo.lock` has the checksums.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use super::release::{Release, failed, said};
use crate::json::{list as json_list, quoted};
use crate::process::{cargo, root};

const TARGET: &str = "x86_64-unknown-linux-gnu";
/// The package of the executable.
const PACKAGE: &str = "cli";

/// Name and version.
type Crate = (String, String);

#[derive(Debug, Default, PartialEq, Eq)]
struct Graph {
    licences: BTreeMap<Crate, String>,
    needs: BTreeMap<Crate, BTreeSet<Crate>>,
}

pub(super) fn list(release: &Release, features: &str) -> Result<String, String> {
    let mut tree = cargo(["tree", "--locked", "--package", PACKAGE, "--edges", "normal", "--target", TARGET]);
    tree.args(["--features", features, "--prefix", "depth", "--charset", "ascii", "--format", " {p}|{l}|"]);
    let graph = read_tree(&said(&mut tree)?)?;
    let lock = root().join("Cargo.lock");
    let checksums = read_checksums(&fs::read_to_string(&lock).map_err(failed(&lock))?);
    document(release, &graph, &checksums)
}

/// Reads lines such as `2 serde v1.0.228|MIT OR Apache-2.0|`; the number is the depth below the executable's package.
fn read_tree(text: &str) -> Result<Graph, String> {
    let mut graph = Graph::default();
    let mut above: Vec<Crate> = Vec::new();
    for line in text.lines().filter(|line| !line.is_empty()) {
        let unclear = || format!("`cargo tree` has a line of an unknown form: {line}");
        let (depth, rest) = line.split_once(' ').ok_or_else(unclear)?;
        let depth: usize = depth.parse().map_err(|_| unclear())?;
        let mut parts = rest.split('|');
        let mut words = parts.next().ok_or_else(unclear)?.split_whitespace();
        let name = words.next().ok_or_else(unclear)?.to_owned();
        let version = words.next().and_then(|word| word.strip_prefix('v')).ok_or_else(unclear)?.to_owned();
        let licence = parts.next().ok_or_else(unclear)?.replace('/', " OR ");
        let this = (name, version);
        above.truncate(depth);
        if let Some(parent) = above.last() {
            graph.needs.entry(parent.clone()).or_default().insert(this.clone());
        }
        graph.licences.insert(this.clone(), licence);
        above.push(this);
    }
    Ok(graph)
}

/// The SHA-256 of each downloaded crate.
fn read_checksums(lock: &str) -> BTreeMap<Crate, String> {
    let value = |package: &str, key: &str| {
        let start = format!("{key} = \"");
        package.lines().find_map(|line| Some(line.strip_prefix(&start)?.strip_suffix('"')?.to_owned()))
    };
    let packages = lock.split("[[package]]").skip(1);
    packages
        .filter_map(|package| {
            Some(((value(package, "name")?, value(package, "version")?), value(package, "checksum")?))
        })
        .collect()
}

fn reference((name, version): &Crate) -> String {
    format!("pkg:cargo/{name}@{version}")
}

fn document(release: &Release, graph: &Graph, checksums: &BTreeMap<Crate, String>) -> Result<String, String> {
    let main = (PACKAGE.to_owned(), release.version.clone());
    if !graph.licences.contains_key(&main) {
        return Err(format!("`cargo tree` does not show {PACKAGE} {}", release.version));
    }
    let components: Vec<String> = graph
        .licences
        .iter()
        .filter(|(name, _)| **name != main)
        .map(|(name, licence)| component(name, licence, checksums.get(name)))
        .collect();
    let none = BTreeSet::new();
    let dependencies: Vec<String> = graph
        .licences
        .keys()
        .map(|name| {
            let needs: Vec<String> = graph.needs.get(name).unwrap_or(&none).iter().map(reference).collect();
            let needs = json_list(needs.iter().map(String::as_str));
            format!("    {{\"ref\": {}, \"dependsOn\": {needs}}}", quoted(&reference(name)))
        })
        .collect();
    Ok(format!(
        r#"{{
  "bomFormat": "CycloneDX",
  "specVersion": "1.5",
  "version": 1,
  "metadata": {{
    "timestamp": {time},
    "component": {{"type": "application", "bom-ref": {main}, "name": "bellwether", "version": {version},
      "licenses": [{{"expression": "MIT OR Apache-2.0"}}], "properties": [{{"name": "commit", "value": {commit}}}]}}
  }},
  "components": [
{components}
  ],
  "dependencies": [
{dependencies}
  ]
}}
"#,
        time = quoted(&release.time()?),
        main = quoted(&reference(&main)),
        version = quoted(&release.version),
        commit = quoted(&release.commit),
        components = components.join(",\n"),
        dependencies = dependencies.join(",\n"),
    ))
}

fn component(name: &Crate, licence: &str, checksum: Option<&String>) -> String {
    let url = quoted(&reference(name));
    let mut fields = vec![
        "\"type\": \"library\"".to_owned(),
        format!("\"bom-ref\": {url}"),
        format!("\"name\": {}", quoted(&name.0)),
        format!("\"version\": {}", quoted(&name.1)),
    ];
    if !licence.is_empty() {
        fields.push(format!("\"licenses\": [{{\"expression\": {}}}]", quoted(licence)));
    }
    // Crates of this repository have no checksum and are in no registry.
    if let Some(checksum) = checksum {
        fields.push(format!("\"purl\": {url}"));
        fields.push(format!("\"hashes\": [{{\"alg\": \"SHA-256\", \"content\": {}}}]", quoted(checksum)));
    }
    format!("    {{{}}}", fields.join(", "))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{document, list, read_checksums, read_tree};
    use crate::dist::FEATURES;
    use crate::dist::release::tests::release;

    const TREE: &str = "0 cli v1.2.3 (/source/crates/cli)|MIT OR Apache-2.0|\n1 serde v1.0.1|MIT/Apache-2.0|\n\
                        2 serde_core v1.0.1|MIT| (*)\n1 serde_core v1.0.1|MIT|\n";

    #[test]
    fn the_tree_becomes_components_and_their_dependencies() {
        let graph = read_tree(TREE).unwrap();
        let lock = "version = 4\n\n[[package]]\nname = \"serde\"\nversion = \"1.0.1\"\nchecksum = \"ab12\"\n";
        let release = release("sbom");
        let text = document(&release, &graph, &read_checksums(lock)).unwrap();
        fs::remove_dir_all(release.file("")).unwrap();
        assert!(text.contains(r#""name": "serde", "version": "1.0.1", "licenses": [{"expression": "MIT OR Apache-2.0"}], "purl": "pkg:cargo/serde@1.0.1", "hashes": [{"alg": "SHA-256", "content": "ab12"}]"#), "{text}");
        assert!(
            text.contains(r#"{"ref": "pkg:cargo/serde@1.0.1", "dependsOn": ["pkg:cargo/serde_core@1.0.1"]}"#),
            "{text}"
        );
        assert!(text.contains(r#"{"ref": "pkg:cargo/cli@1.2.3", "dependsOn": ["pkg:cargo/serde@1.0.1", "pkg:cargo/serde_core@1.0.1"]}"#), "{text}");
        assert_eq!(text.matches(r#""bom-ref": "pkg:cargo/cli"#).count(), 1, "{text}");
        assert!(!text.contains("/source"), "no path of the build machine");
    }

    #[test]
    fn a_line_of_another_form_is_refused() {
        assert!(read_tree("serde v1.0.1\n").unwrap_err().contains("serde v1.0.1"));
    }

    #[test]
    fn the_list_of_this_workspace_has_every_downloaded_crate_with_its_checksum() {
        let mut release = release("sbom-own");
        release.version = env!("CARGO_PKG_VERSION").to_owned();
        let text = list(&release, FEATURES).unwrap();
        assert_eq!(text, list(&release, FEATURES).unwrap());
        fs::remove_dir_all(release.file("")).unwrap();
        let downloaded = text.matches("\"purl\"").count();
        assert!(downloaded > 150, "{downloaded}");
        assert_eq!(text.matches("\"SHA-256\"").count(), downloaded);
        for name in ["\"rustls\"", "\"clap_mangen\"", "\"resvg\""] {
            assert!(text.contains(name), "{name}");
        }
    }
}
