//! What a run of the tests tells at its end: what took long, what was run, what only `--long` runs, and what failed.

use std::time::{Duration, Instant};

use super::executables::Executable;
use crate::parallel::Ended;
use crate::process::{show_elapsed, step};

const SHOWN: usize = 10;

/// The time that a run on a fresh clone on two cores may take. A change that adds more than it gives back moves tests to `--long`.
const BUDGET: Duration = Duration::from_secs(22 * 60);

/// What happened so far.
pub(super) struct Report {
    began: Instant,
    /// Steps, and tasks that ran side by side within one.
    steps: Vec<(String, Duration)>,
    tests: Vec<Test>,
    executables: usize,
    /// One text for each test, or for each task without named tests.
    failures: Vec<String>,
}

/// A test that was run, as its program printed it.
#[derive(Debug, PartialEq)]
struct Test {
    name: String,
    is_passed: bool,
    seconds: f64,
}

impl Report {
    pub(super) fn new() -> Report {
        Report {
            began: Instant::now(),
            steps: Vec::new(),
            tests: Vec::new(),
            executables: 0,
            failures: Vec::new(),
        }
    }

    pub(super) fn step<T>(
        &mut self,
        title: &str,
        work: impl FnOnce() -> Result<T, String>,
    ) -> Result<T, String> {
        let start = Instant::now();
        let result = step(title, work);
        self.steps.push((title.to_owned(), start.elapsed()));
        result
    }

    /// Takes in how a test executable went that was run with these variables.
    pub(super) fn take_executable(&mut self, executable: &Executable, variables: &str, ended: &Ended) {
        let tests: Vec<Test> = ended.output.lines().filter_map(test_of_rust).collect();
        let failed: Vec<String> =
            tests.iter().filter(|test| !test.is_passed).map(|test| test.name.clone()).collect();
        for test in &failed {
            let command = executable.alone(test);
            self.failures.push(format!("{test}, in {}\n      {variables}{command}", ended.name));
        }
        // It ended before it printed a result, or could not be started.
        if !ended.is_done && failed.is_empty() {
            self.failures.push(format!("{}\n      {variables}{}", ended.name, executable.path.display()));
        }
        self.executables += 1;
        self.take(ended, tests);
    }

    /// Takes in how another task of this program went.
    pub(super) fn take_task(&mut self, ended: &Ended) {
        let failed: Vec<String> = ended.output.lines().filter_map(failed_of_browser).collect();
        // It has no named tests, or ended before it told which failed.
        if !ended.is_done && failed.is_empty() {
            self.failures.push(format!("{0}\n      cargo xtask {0}", ended.name));
        }
        self.failures.extend(failed);
        self.take(ended, ended.output.lines().filter_map(test_of_browser).collect());
    }

    fn take(&mut self, ended: &Ended, tests: Vec<Test>) {
        self.steps.push((ended.name.clone(), ended.elapsed));
        self.tests.extend(
            tests.into_iter().map(|test| Test { name: format!("{} {}", ended.name, test.name), ..test }),
        );
    }

    /// Prints the summary. What failed is the error, so that it is printed last. `others`: what else a run of all tests was; none
    /// for a selection, which has no budget.
    pub(super) fn end(mut self, others: Option<&str>, only_long: &str) -> Result<(), String> {
        println!("==> the longest steps");
        self.steps.sort_by_key(|(_, elapsed)| std::cmp::Reverse(*elapsed));
        self.steps
            .iter()
            .take(SHOWN)
            .for_each(|(name, elapsed)| println!("{:>12}  {name}", show_elapsed(*elapsed)));
        println!("==> the longest tests");
        self.tests.sort_by(|left, right| right.seconds.total_cmp(&left.seconds));
        self.tests.iter().take(SHOWN).for_each(|test| println!("{:>10.1} s  {}", test.seconds, test.name));
        let (tests, executables, elapsed) = (self.tests.len(), self.executables, self.began.elapsed());
        println!(
            "==> {tests} tests, of {executables} executables{}: {}",
            others.unwrap_or_default(),
            show_elapsed(elapsed)
        );
        if others.is_some() {
            println!("    {}", of_budget(elapsed));
        }
        println!("    only `--long` runs {only_long}");
        match self.failures.len() {
            0 => Ok(()),
            count => Err(format!("{count} failed\n  {}", self.failures.join("\n  "))),
        }
    }
}

fn of_budget(elapsed: Duration) -> String {
    let budget = show_elapsed(BUDGET);
    match elapsed.checked_sub(BUDGET) {
        Some(above) if !above.is_zero() => {
            format!("{} above the budget of {budget} for a fresh clone on two cores", show_elapsed(above))
        }
        _ => format!(
            "{} below the budget of {budget} for a fresh clone on two cores",
            show_elapsed(BUDGET - elapsed)
        ),
    }
}

/// A line of a Rust test executable, such as `test a::b ... ok <0.012s>`.
fn test_of_rust(line: &str) -> Option<Test> {
    let (name, told) = line.strip_prefix("test ")?.split_once(" ... ")?;
    let (verdict, time) = told.split_once(" <")?;
    let is_passed = match verdict {
        "ok" => true,
        "FAILED" => false,
        _ => return None,
    };
    let name = name.trim_end_matches(" - should panic").to_owned();
    Some(Test { name, is_passed, seconds: time.strip_suffix("s>")?.parse().ok()? })
}

/// A line of the browser tests, such as `ok     portfolio and profit (4.0 s)`.
fn test_of_browser(line: &str) -> Option<Test> {
    let (name, time) = line.strip_prefix("ok     ")?.rsplit_once(" (")?;
    Some(Test { name: name.to_owned(), is_passed: true, seconds: time.strip_suffix(" s)")?.parse().ok()? })
}

/// A line of the browser tests, such as `failed: portfolio and profit; alone: web browse portfolio`.
fn failed_of_browser(line: &str) -> Option<String> {
    let (name, words) = line.strip_prefix("failed: ")?.split_once("; alone: ")?;
    Some(format!("{name}, in the browser\n      cargo xtask {words}"))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{BUDGET, Report, Test, of_budget, test_of_browser, test_of_rust};
    use crate::parallel::Ended;
    use crate::test::executables::tests::of_http;

    #[test]
    fn a_test_is_read_with_its_result_and_its_time() {
        let test = |name: &str, is_passed, seconds| Some(Test { name: name.to_owned(), is_passed, seconds });
        assert_eq!(test_of_rust("test a::b ... ok <1.500s>"), test("a::b", true, 1.5));
        assert_eq!(test_of_rust("test a - should panic ... ok <0.010s>"), test("a", true, 0.01));
        assert_eq!(test_of_rust("test a::c ... FAILED <0.250s>"), test("a::c", false, 0.25));
        assert_eq!(test_of_rust("test result: ok. 2 passed; 0 failed; finished in 0.01s"), None);
        assert_eq!(test_of_browser("ok     a (held) key (5.0 s)"), test("a (held) key", true, 5.0));
        assert_eq!(test_of_browser("FAILED a key"), None);
    }

    #[test]
    fn a_failed_task_is_the_error_with_the_command_that_runs_it_alone() {
        let mut report = Report::new();
        let ended = |name: &str, is_done| Ended {
            name: name.to_owned(),
            is_done,
            elapsed: Duration::from_secs(1),
            output: String::new(),
        };
        report.take_task(&ended("agents", true));
        report.take_task(&ended("conformance", false));
        let output = "ok     sets (1.0 s)\nfailed: two tabs; alone: web browse twoTabs\n".to_owned();
        report.take_task(&Ended { output, ..ended("web browse", false) });
        let error = report.end(Some(""), "nothing").expect_err("a failure");
        assert_eq!(
            error,
            "2 failed\n  conformance\n      cargo xtask conformance\n  two tabs, in the browser\n      \
             cargo xtask web browse twoTabs"
        );
    }

    #[test]
    fn the_command_of_a_failed_test_has_the_variables_of_its_run() {
        let mut report = Report::new();
        let output = "test access::a ... FAILED <0.250s>\n".to_owned();
        let ended = Ended { name: "http".to_owned(), is_done: false, elapsed: Duration::ZERO, output };
        report.take_executable(&of_http(), "BELLWETHER_TEST_LANES=1 ", &ended);
        let error = report.end(Some(""), "nothing").expect_err("a failure");
        let command = "cargo xtask test --test http -- --include-ignored --exact access::a";
        assert!(error.ends_with(&format!("\n      BELLWETHER_TEST_LANES=1 {command}")), "{error}");
    }

    #[test]
    fn a_run_says_how_far_it_is_from_the_budget() {
        assert!(
            of_budget(BUDGET + Duration::from_secs(61))
                .starts_with("1 min 1 s above the budget of 22 min 0 s")
        );
        assert!(of_budget(BUDGET - Duration::from_secs(5)).starts_with("5.0 s below"));
    }
}
