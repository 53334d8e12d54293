//! Tasks of this crate that run two at a time, each as a process of its own: they wait for servers and clocks more than
//! they compute. The output of a task is printed as a whole when it ends.

use std::io::{self, Read};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::Instant;
use std::{env, thread};

use crate::process::show_elapsed;

const AT_A_TIME: usize = 2;

/// Runs tasks, given as the words after `cargo xtask`. All of them run, also after a failure; the error names every task
/// that failed.
pub(crate) fn run(tasks: &[Vec<String>]) -> Result<(), String> {
    let this = env::current_exe().map_err(|error| format!("the path of this program is unknown: {error}"))?;
    let commands = tasks.iter().map(|words| {
        let mut command = Command::new(&this);
        command.args(words);
        (words.join(" "), command)
    });
    run_commands(commands.collect())
}

fn run_commands(commands: Vec<(String, Command)>) -> Result<(), String> {
    let waiting = Mutex::new(commands.into_iter());
    let failed = Mutex::new(Vec::new());
    let take = || waiting.lock().expect("no thread panics with the lock").next();
    thread::scope(|scope| {
        for _ in 0..AT_A_TIME {
            scope.spawn(|| {
                while let Some((name, mut command)) = take() {
                    let start = Instant::now();
                    let (is_done, output) =
                        collect(&mut command).unwrap_or_else(|error| (false, format!("    {error}\n")));
                    let verdict = if is_done { "done in" } else { "failed after" };
                    // Two tasks that end together do not mix their output.
                    let mut failed = failed.lock().expect("no thread panics with the lock");
                    println!("{output}    {name}: {verdict} {}", show_elapsed(start.elapsed()));
                    if !is_done {
                        failed.push(format!("`{name}`"));
                    }
                }
            });
        }
    });
    let failed = failed.into_inner().expect("no thread panicked");
    if failed.is_empty() { Ok(()) } else { Err(format!("{} failed", failed.join(" and "))) }
}

/// Whether a command succeeded, and everything that it printed.
fn collect(command: &mut Command) -> io::Result<(bool, String)> {
    let (mut reader, writer) = io::pipe()?;
    let mut child = command.stdin(Stdio::null()).stdout(writer.try_clone()?).stderr(writer).spawn()?;
    // The end of the output is seen when the last writer is closed: this process has two.
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut output = Vec::new();
    reader.read_to_end(&mut output)?;
    Ok((child.wait()?.success(), String::from_utf8_lossy(&output).into_owned()))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::process::Command;

    use super::run_commands;

    fn shell(name: &str, script: &str) -> (String, Command) {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        (name.to_owned(), command)
    }

    #[test]
    fn every_task_runs_and_the_failed_ones_are_named() {
        let made = std::env::temp_dir().join(format!("bellwether-task-{}", std::process::id()));
        let last = format!("touch {}; exit 2", made.display());
        let commands = vec![shell("one", "exit 1"), shell("two", "exit 0"), shell("three", &last)];
        let error = run_commands(commands).expect_err("two failures");
        assert!(error.contains("`one`") && error.contains("`three`") && !error.contains("`two`"), "{error}");
        fs::remove_file(made).expect("the task after a failure has run");
    }

    #[test]
    fn two_tasks_run_at_the_same_time() {
        // Each waits for the other: one after another they would not end.
        let pipe = std::env::temp_dir().join(format!("bellwether-parallel-{}", std::process::id()));
        let path = pipe.display();
        assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo runs").success());
        let commands =
            vec![shell("reader", &format!("cat {path}")), shell("writer", &format!("echo a > {path}"))];
        assert_eq!(run_commands(commands), Ok(()));
        fs::remove_file(pipe).expect("the pipe");
    }

    #[test]
    fn a_task_that_cannot_be_started_has_failed() {
        let command = Command::new("no-such-program");
        assert!(run_commands(vec![("missing".to_owned(), command)]).is_err());
    }
}
