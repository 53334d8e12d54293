//! `cargo xtask soak …`: runs tests for as long as requested.
//!
//! `soak [rules] [--minutes N] [--seed S] …` sends random commands to the exchange, `soak operators` those of a malicious
//! operator. Both are in `crates/sim`, which also parses the options and prints the seed that reproduces a broken rule. The
//! others are tests of
//! `crates/cli/tests`, extended by environment variables: `soak crashes` kills the executable under load, `soak nodes`
//! does so with three on one log, `soak cuts` cuts the connections of three to their log, `soak failover` loses
//! primaries of a database under Patroni, `soak linearizability` checks what clients of three nodes have seen,
//! `soak people` kills it between the journal and the people store, and `soak hostile` attacks it while honest traders
//! cancel.

use std::process::Command;

use crate::install;
use crate::process::{cargo, run as execute};
use crate::test::SELECTION;

/// Environment variables of all drills.
const COUNT: &str = "BELLWETHER_SOAK_COUNT";
const MINUTES: &str = "BELLWETHER_SOAK_MINUTES";
const SEED: &str = "BELLWETHER_SOAK_SEED";

const FAILOVER: &str = "failover";

/// A test whose length is set by the environment.
struct Drill {
    /// The word after `soak`.
    name: &'static str,
    executable: &'static str,
    test: &'static str,
    /// The option for the count.
    counted: &'static str,
    /// The default count: without a limit a drill would never end.
    usual: &'static str,
}

const DRILLS: [Drill; 7] = [
    Drill {
        name: "crashes",
        executable: "demo",
        test: "crash::answered_writes_exist_exactly_once_after_each_of_many_kills",
        counted: "--kills",
        usual: "300",
    },
    Drill {
        name: "nodes",
        executable: "cluster",
        test: "drill::answered_writes_are_in_the_log_once_after_nodes_are_killed",
        counted: "--kills",
        usual: "300",
    },
    Drill {
        name: "cuts",
        executable: "cluster",
        test: "drill::answered_writes_are_in_the_log_once_after_connections_are_cut",
        counted: "--cuts",
        usual: "1000",
    },
    Drill {
        name: FAILOVER,
        executable: "cluster",
        test: "patroni::answered_writes_survive_every_way_to_lose_a_primary_under_patroni",
        counted: "--times",
        usual: "50",
    },
    Drill {
        name: "linearizability",
        executable: "cluster",
        test: "linearizability::one_order_of_all_writes_explains_what_clients_saw_through_three_nodes",
        counted: "--histories",
        usual: "1000",
    },
    Drill {
        name: "people",
        executable: "demo",
        test: "people::kills_between_the_two_stores_leave_no_person_without_a_row_and_no_row_without_a_person",
        counted: "--kills",
        usual: "200",
    },
    Drill {
        name: "hostile",
        executable: "demo",
        test: "hostile::no_cancel_of_an_honest_trader_is_refused_while_strangers_attack",
        counted: "--cancels",
        usual: "1000",
    },
];

/// So many failovers under Patroni.
pub(crate) fn failovers(times: &str) -> Result<(), String> {
    run(&[FAILOVER, "--times", times].map(str::to_owned))
}

pub(crate) fn run(extra: &[String]) -> Result<(), String> {
    let Some((kind, rest)) = extra.split_first() else {
        return execute(&mut cargo(simulate(RULES, extra)));
    };
    match DRILLS.iter().find(|drill| drill.name == kind) {
        Some(drill) => {
            let mut command = drill.command(rest)?;
            install::run()?;
            execute(&mut command)
        }
        None if kind == "rules" => execute(&mut cargo(simulate(RULES, rest))),
        None if kind == OPERATORS => execute(&mut cargo(simulate(OPERATORS, rest))),
        None => execute(&mut cargo(simulate(RULES, extra))),
    }
}

/// What the simulator calls random commands, and a malicious operator.
const RULES: &str = "soak";
const OPERATORS: &str = "operators";

fn simulate<'a>(what: &'a str, extra: &'a [String]) -> Vec<&'a str> {
    let mut arguments = vec!["run", "--release", "--locked", "-p", "sim", "--", what];
    arguments.extend(extra.iter().map(String::as_str));
    arguments
}

impl Drill {
    fn command(&self, options: &[String]) -> Result<Command, String> {
        let (executable, test) = (self.executable, self.test);
        let chosen = ["--test", executable, "--", "--exact", test, "--nocapture"];
        let mut command = cargo(["test", "--locked"].into_iter().chain(SELECTION).chain(chosen));
        for (name, value) in self.settings(options)? {
            command.env(name, value);
        }
        Ok(command)
    }

    /// The environment of the test.
    fn settings<'a>(&self, options: &'a [String]) -> Result<Vec<(&'static str, &'a str)>, String> {
        let mut settings = Vec::new();
        for pair in options.chunks(2) {
            let name = match pair[0].as_str() {
                "--minutes" => MINUTES,
                "--seed" => SEED,
                counted if counted == self.counted => COUNT,
                unknown => {
                    let Drill { name, counted, .. } = self;
                    return Err(format!("{name} takes --minutes, {counted} and --seed, not `{unknown}`"));
                }
            };
            match pair.get(1) {
                Some(value) if value.parse::<u64>().is_ok() => settings.push((name, value.as_str())),
                _ => return Err(format!("`{}` needs a whole number", pair[0])),
            }
        }
        if !settings.iter().any(|(name, _)| [MINUTES, COUNT].contains(name)) {
            settings.push((COUNT, self.usual));
        }
        Ok(settings)
    }
}

#[cfg(test)]
mod tests {
    use super::{COUNT, DRILLS, Drill, MINUTES, OPERATORS, RULES, SEED, simulate};

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    fn drill(name: &str) -> &'static Drill {
        DRILLS.iter().find(|drill| drill.name == name).expect("a drill of this name")
    }

    #[test]
    fn options_go_to_the_simulator() {
        let expected = ["run", "--release", "--locked", "-p", "sim", "--", "soak", "--seed", "7"];
        assert_eq!(simulate(RULES, &words("--seed 7")), expected);
        let expected = ["run", "--release", "--locked", "-p", "sim", "--", "operators", "--commands", "9"];
        assert_eq!(simulate(OPERATORS, &words("--commands 9")), expected);
    }

    #[test]
    fn options_reach_a_drill_by_its_environment() {
        let crashes = drill("crashes");
        assert_eq!(crashes.settings(&words("--kills 9 --seed 7")), Ok(vec![(COUNT, "9"), (SEED, "7")]));
        assert_eq!(crashes.settings(&words("--minutes 2")), Ok(vec![(MINUTES, "2")]));
        assert_eq!(crashes.settings(&words("--seed 7")), Ok(vec![(SEED, "7"), (COUNT, "300")]));
        assert_eq!(drill("nodes").settings(&words("--kills 40")), Ok(vec![(COUNT, "40")]));
        assert_eq!(drill("cuts").settings(&words("--cuts 40")), Ok(vec![(COUNT, "40")]));
        assert_eq!(drill("cuts").settings(&[]), Ok(vec![(COUNT, "1000")]));
        assert_eq!(drill("failover").settings(&words("--times 5")), Ok(vec![(COUNT, "5")]));
        assert_eq!(drill("linearizability").settings(&words("--histories 5")), Ok(vec![(COUNT, "5")]));
        let command = drill("cuts").command(&words("--cuts 9")).expect("a command");
        assert!(
            command.get_envs().any(|(name, value)| name == COUNT && value.is_some_and(|value| value == "9"))
        );
        assert!(command.get_args().any(|argument| argument == "cluster"));
    }

    #[test]
    fn an_unused_option_is_refused() {
        let crashes = drill("crashes");
        assert!(crashes.settings(&words("--hours 2")).unwrap_err().contains("`--hours`"));
        assert!(crashes.settings(&words("--kills many")).unwrap_err().contains("`--kills`"));
        assert!(crashes.settings(&words("--kills")).unwrap_err().contains("`--kills`"));
        assert!(drill("cuts").settings(&words("--kills 9")).unwrap_err().contains("--cuts"));
    }

    #[test]
    fn the_drills_are_called_what_they_are_called_here_and_read_what_is_set_here() {
        let crash = include_str!("../../crates/cli/tests/demo/crash/mod.rs");
        let hostile = include_str!("../../crates/cli/tests/demo/hostile/mod.rs");
        let people = include_str!("../../crates/cli/tests/demo/people.rs");
        let demo = format!("{crash}{hostile}{people}");
        let nodes = include_str!("../../crates/cli/tests/cluster/drill.rs");
        let patroni = include_str!("../../crates/cli/tests/cluster/patroni.rs");
        let linearizability = include_str!("../../crates/cli/tests/cluster/linearizability/mod.rs");
        let cluster = format!("{nodes}{patroni}{linearizability}");
        for drill in &DRILLS {
            let source = if drill.executable == "demo" { &demo } else { &cluster };
            let name = drill.test.rsplit("::").next().expect("a name");
            assert!(source.contains(&format!("fn {name}()")), "{}", drill.name);
        }
        let plan = include_str!("../../crates/stage/src/drill/plan.rs");
        for name in [COUNT, MINUTES, SEED] {
            assert!(plan.contains(name), "{name}");
        }
    }
}
