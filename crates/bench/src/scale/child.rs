//! Runs the processes of one size and collects the figures that they print, one `name value` per line.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};

use super::sizes::Dimensions;
use crate::Problem;
use crate::allocations::counting_executable;

#[derive(Clone, Debug, Default)]
pub(crate) struct Figures(BTreeMap<String, f64>);

impl Figures {
    /// Everything about a size.
    pub(crate) fn measure(dimensions: Dimensions) -> Result<Figures, Problem> {
        eprintln!("Measuring {}…", dimensions.describe());
        let folder = tempfile::tempdir()?;
        let mut figures = Figures::default();
        let own = std::env::current_exe()?;
        let [people, events, orders, commands, steps] = &dimensions.words();
        figures.run(&own, &["make"], folder.path(), &[people, events, orders, commands, steps])?;
        figures.run(&own, &["state"], folder.path(), &[])?;
        if let Some(counting) = counting_executable()? {
            figures.run(&counting, &["scale", "state"], folder.path(), &[])?;
        }
        figures.run(&own, &["node"], folder.path(), &[])?;
        Ok(figures)
    }

    /// NaN for what was not measured.
    pub(crate) fn get(&self, name: &str) -> f64 {
        self.0.get(name).copied().unwrap_or(f64::NAN)
    }

    fn run(
        &mut self,
        executable: &Path,
        task: &[&str],
        folder: &Path,
        rest: &[&String],
    ) -> Result<(), Problem> {
        let mut command = Command::new(executable);
        command.args(task).arg(folder).args(rest).stderr(Stdio::inherit());
        let output = command.output()?;
        if !output.status.success() {
            return Err(format!("{} ended with {}", task.join(" "), output.status).into());
        }
        self.read(&String::from_utf8(output.stdout)?);
        Ok(())
    }

    fn read(&mut self, text: &str) {
        for line in text.lines() {
            if let Some((name, value)) = line.split_once(' ')
                && let Ok(value) = value.parse()
            {
                self.0.insert(name.to_owned(), value);
            }
        }
    }
}

/// Prints a figure for the parent process.
pub(crate) fn give(name: &str, value: f64) {
    println!("{name} {value}");
}

#[cfg(test)]
mod tests {
    use super::Figures;

    #[test]
    fn figures_are_read_line_by_line() {
        let mut figures = Figures::default();
        figures.read("a 1.5\nnot a figure\nb 2\n");
        assert_eq!((figures.get("a"), figures.get("b")), (1.5, 2.0));
        assert!(figures.get("not").is_nan());
    }
}
