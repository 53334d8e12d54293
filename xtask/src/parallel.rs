//! Tasks that run side by side, each as a process of its own: most wait for servers and clocks more than they compute. The
//! output of a task is collected, and handed over as a whole when the task ends.

use std::io::{self, Read};
use std::process::{Command, Stdio};
use std::sync::{Condvar, Mutex};
use std::time::{Duration, Instant};
use std::{env, thread};

use crate::process::show_elapsed;

/// A process to run, under the name that a summary gives it.
#[derive(Debug)]
pub(crate) struct Task {
    pub(crate) name: String,
    pub(crate) command: Command,
    /// How many places it takes of those that run at a time.
    pub(crate) places: usize,
}

/// How a task went.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) name: String,
    pub(crate) is_done: bool,
    pub(crate) elapsed: Duration,
    /// Everything that it printed, or why it could not be started.
    pub(crate) output: String,
}

impl Task {
    /// A task of this program, given as the words after `cargo xtask`.
    pub(crate) fn of_this_program(words: &[String]) -> Result<Task, String> {
        let this =
            env::current_exe().map_err(|error| format!("the path of this program is unknown: {error}"))?;
        let mut command = Command::new(this);
        command.args(words);
        Ok(Task { name: words.join(" "), command, places: 1 })
    }
}

/// Runs all tasks in their order, also after a failure: as many at a time as there are places for. Tells about each as it begins,
/// and one at a time as they end.
pub(crate) fn run(
    tasks: Vec<Task>,
    places: usize,
    begin: impl Fn(&str) + Sync,
    tell: impl FnMut(&Ended) + Send,
) -> Vec<Ended> {
    let waiting = Mutex::new(tasks.into_iter());
    let ended = Mutex::new((tell, Vec::new()));
    let free = (Mutex::new(places), Condvar::new());
    let take = || {
        let task = waiting.lock().expect("no thread panics with the lock").next()?;
        let taken = task.places.min(places);
        let here = free.0.lock().expect("no thread panics with the lock");
        *free.1.wait_while(here, |here| *here < taken).expect("no thread panics with the lock") -= taken;
        Some((task, taken))
    };
    thread::scope(|scope| {
        for _ in 0..places {
            scope.spawn(|| {
                while let Some((task, taken)) = take() {
                    begin(&task.name);
                    let outcome = run_to_its_end(task);
                    *free.0.lock().expect("no thread panics with the lock") += taken;
                    free.1.notify_all();
                    let mut ended = ended.lock().expect("no thread panics with the lock");
                    (ended.0)(&outcome);
                    ended.1.push(outcome);
                }
            });
        }
    });
    ended.into_inner().expect("no thread panicked").1
}

/// So that a person sees what is being waited for.
pub(crate) fn begin(name: &str) {
    println!("    {name}: begins");
}

/// A line for what went well, the whole output of what did not.
pub(crate) fn tell(ended: &Ended) {
    let verdict = if ended.is_done { "done in" } else { "failed after" };
    if !ended.is_done {
        print!("{}", ended.output);
    }
    println!("    {}: {verdict} {}", ended.name, show_elapsed(ended.elapsed));
}

fn run_to_its_end(mut task: Task) -> Ended {
    let start = Instant::now();
    let (is_done, output) = collect(&mut task.command).unwrap_or_else(|error| (false, format!("{error}\n")));
    Ended { name: task.name, is_done, elapsed: start.elapsed(), output }
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
    use std::sync::Mutex;

    use super::{Ended, Task, run};

    fn shell(name: &str, script: &str) -> Task {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        Task { name: name.to_owned(), command, places: 1 }
    }

    #[test]
    fn every_task_runs_and_each_is_told_with_its_output() {
        let tasks = vec![
            shell("one", "echo a; exit 1"),
            shell("two", "exit 0"),
            shell("three", "echo b >&2; exit 2"),
        ];
        let mut told = Vec::new();
        let begun = Mutex::new(Vec::new());
        let begin = |name: &str| begun.lock().expect("no thread panicked").push(name.to_owned());
        let ended = run(tasks, 1, begin, |ended: &Ended| told.push(ended.name.clone()));
        assert_eq!(told, ["one", "two", "three"]);
        assert_eq!(begun.into_inner().expect("no thread panicked"), told);
        let seen: Vec<(bool, &str)> =
            ended.iter().map(|ended| (ended.is_done, ended.output.as_str())).collect();
        assert_eq!(seen, [(false, "a\n"), (true, ""), (false, "b\n")]);
    }

    #[test]
    fn two_tasks_run_at_the_same_time() {
        // Each waits for the other: one after another they would not end.
        let pipe = std::env::temp_dir().join(format!("bellwether-parallel-{}", std::process::id()));
        let path = pipe.display();
        assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo runs").success());
        let tasks =
            vec![shell("reader", &format!("cat {path}")), shell("writer", &format!("echo a > {path}"))];
        assert!(run(tasks, 2, |_| (), |_| ()).iter().all(|ended| ended.is_done));
        fs::remove_file(pipe).expect("the pipe");
    }

    #[test]
    fn a_task_that_takes_all_places_runs_alone() {
        let mark = std::env::temp_dir().join(format!("bellwether-places-{}", std::process::id()));
        let path = mark.display();
        let beside = format!("mkdir {path} && sleep 0.1 && rmdir {path}");
        let mut tasks = vec![shell("one", &beside), shell("all", &beside), shell("two", &beside)];
        // More than there are is all of them.
        tasks[1].places = 9;
        tasks[2].places = 2;
        assert!(run(tasks, 2, |_| (), |_| ()).iter().all(|ended| ended.is_done));
    }

    #[test]
    fn a_task_that_cannot_be_started_has_failed() {
        let task = Task { name: "missing".to_owned(), command: Command::new("no-such-program"), places: 1 };
        let ended = run(vec![task], 2, |_| (), |_| ());
        assert!(!ended[0].is_done && !ended[0].output.is_empty(), "{ended:?}");
    }
}
