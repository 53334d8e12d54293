//! A minimal parser of `Cargo.toml`: the package's name and its dependencies.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Normal,
    Build,
    Dev,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Dependency {
    /// The package's original name, not its rename.
    pub(crate) package: String,
    pub(crate) kind: Kind,
    pub(crate) line: usize,
}

#[derive(Debug, Default)]
pub(crate) struct Manifest {
    pub(crate) package: String,
    pub(crate) dependencies: Vec<Dependency>,
}

enum Section {
    Package,
    Dependencies(Kind),
    /// `[dependencies.name]`: the lines describe the last dependency found.
    Dependency,
    Other,
}

impl Manifest {
    pub(crate) fn parse(text: &str) -> Self {
        let mut manifest = Self::default();
        let mut section = Section::Other;
        let mut depth = 0_usize;
        for (index, line) in text.lines().enumerate() {
            let line_number = index + 1;
            let inside_value = depth > 0;
            let line = line.trim();
            if !inside_value && line.starts_with('[') {
                section = manifest.open_section(line, line_number);
                continue;
            }
            depth = depth_after(depth, line);
            if inside_value || line.is_empty() || line.starts_with('#') {
                continue;
            }
            manifest.read_line(&section, line, line_number);
        }
        manifest
    }

    fn open_section(&mut self, line: &str, line_number: usize) -> Section {
        let parts = header_parts(line);
        let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
        match parts[..] {
            ["package"] => Section::Package,
            ["workspace", ..] => Section::Other,
            [.., last] if kind_of(last).is_some() => {
                kind_of(last).map_or(Section::Other, Section::Dependencies)
            }
            [.., before, last] => match kind_of(before) {
                Some(kind) => {
                    self.dependencies.push(Dependency { package: last.to_owned(), kind, line: line_number });
                    Section::Dependency
                }
                None => Section::Other,
            },
            _ => Section::Other,
        }
    }

    fn read_line(&mut self, section: &Section, line: &str, line_number: usize) {
        let key = line.split(['=', '.']).next().unwrap_or(line).trim().trim_matches(['"', '\'']);
        match section {
            Section::Package if key == "name" => self.package = quoted(line).unwrap_or_default().to_owned(),
            Section::Dependencies(kind) => {
                let package = renamed(line).unwrap_or(key).to_owned();
                self.dependencies.push(Dependency { package, kind: *kind, line: line_number });
            }
            Section::Dependency if key == "package" => {
                if let (Some(name), Some(dependency)) = (quoted(line), self.dependencies.last_mut()) {
                    name.clone_into(&mut dependency.package);
                }
            }
            _ => {}
        }
    }
}

fn kind_of(section: &str) -> Option<Kind> {
    match section {
        "dependencies" => Some(Kind::Normal),
        "build-dependencies" => Some(Kind::Build),
        "dev-dependencies" => Some(Kind::Dev),
        _ => None,
    }
}

/// The parts of `[target.'cfg(a.b)'.dependencies]`; dots inside quotes do not separate.
fn header_parts(line: &str) -> Vec<String> {
    let end = line.rfind(']').unwrap_or(line.len());
    let mut parts = vec![String::new()];
    let mut quote = None;
    for character in line[..end].trim_start_matches('[').chars() {
        match character {
            '"' | '\'' if quote.is_none() => quote = Some(character),
            _ if quote == Some(character) => quote = None,
            '.' if quote.is_none() => parts.push(String::new()),
            _ => parts.last_mut().expect("begun with one part").push(character),
        }
    }
    parts.iter().map(|part| part.trim().to_owned()).collect()
}

/// The value of `package =` in an inline table.
fn renamed(line: &str) -> Option<&str> {
    let (_, after) = line.split_once('{')?;
    let mut entries = after.split(',');
    entries.find(|entry| entry.trim_start().starts_with("package")).and_then(quoted)
}

/// The first quoted text.
fn quoted(line: &str) -> Option<&str> {
    line.split(['"', '\'']).nth(1)
}

/// The number of open brackets after this line, ignoring strings and comments.
fn depth_after(depth: usize, line: &str) -> usize {
    let mut depth = depth;
    let mut quote = None;
    for character in line.chars() {
        match character {
            '#' if quote.is_none() => break,
            '"' | '\'' if quote.is_none() => quote = Some(character),
            _ if quote == Some(character) => quote = None,
            '[' | '{' if quote.is_none() => depth += 1,
            ']' | '}' if quote.is_none() => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    depth
}

#[cfg(test)]
mod tests {
    use super::{Kind, Manifest};

    fn dependencies(text: &str) -> Vec<(String, Kind, usize)> {
        let found = Manifest::parse(text).dependencies.into_iter();
        found.map(|dependency| (dependency.package, dependency.kind, dependency.line)).collect()
    }

    #[test]
    fn the_three_kinds_are_distinguished() {
        let text = "[package]\nname = \"a\"\n[dependencies]\nb.workspace = true\n[dev-dependencies]\nc = \"1\"\n\
                    [build-dependencies]\n\"d\" = { path = \"../d\" }\n[lints]\nworkspace = true\n";
        assert_eq!(Manifest::parse(text).package, "a");
        let expected = [
            ("b".to_owned(), Kind::Normal, 4),
            ("c".to_owned(), Kind::Dev, 6),
            ("d".to_owned(), Kind::Build, 8),
        ];
        assert_eq!(dependencies(text), expected);
    }

    #[test]
    fn a_renamed_dependency_is_known_by_its_own_name() {
        assert_eq!(dependencies("[dependencies]\na = { version = \"1\", package = \"b\" }\n")[0].0, "b");
        assert_eq!(dependencies("[dependencies.a]\nversion = \"1\"\npackage = \"b\"\n")[0].0, "b");
    }

    #[test]
    fn sections_may_have_a_target_or_a_name() {
        assert_eq!(dependencies("[target.'cfg(a.b)'.dependencies]\nc = \"1\"\n")[0].0, "c");
        assert_eq!(dependencies("[dev-dependencies.c]\nversion = \"1\"\n"), [("c".to_owned(), Kind::Dev, 1)]);
    }

    #[test]
    fn a_value_over_several_lines_is_one_dependency() {
        let text = "[dependencies]\na = { version = \"1\", features = [\n    \"x\", # ]\n    \"y\",\n] }\nb = \"1\"\n";
        let names: Vec<_> = dependencies(text).into_iter().map(|(name, ..)| name).collect();
        assert_eq!(names, ["a", "b"]);
    }

    #[test]
    fn an_entry_of_the_workspace_is_no_dependency() {
        assert!(dependencies("[workspace.dependencies]\na = \"1\"\n# [dependencies]\n").is_empty());
    }
}
