//! `bellwether verify-proof`: checks that an account is in the root that its proof names. Needs no exchange and no network.

use std::error::Error;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{fs, str};

use crate::output::say;
use api::proof::{Hash, InclusionProof};
use clap::Args;

#[derive(Debug, Args)]
pub struct Options {
    /// The response of GET /v1/pm/solvency/me; `-` is standard input
    file: PathBuf,
    /// The published root
    #[arg(long, value_name = "HASH", value_parser = hash)]
    root: Option<Hash>,
}

fn hash(text: &str) -> Result<Hash, &'static str> {
    Hash::parse(text).ok_or("must have 64 digits from 0 to f")
}

pub fn run(options: &Options) -> Result<ExitCode, Box<dyn Error>> {
    let text = read(&options.file)?;
    let proof: InclusionProof = match serde_json::from_str(&text) {
        Ok(proof) => proof,
        Err(error) => return Ok(fails(&format!("it is not a proof: {error}"))),
    };
    if let Err(fault) = proof.check() {
        return Ok(fails(&fault.to_string()));
    }
    if options.root.is_some_and(|root| root != proof.root) {
        return Ok(fails(&format!("it is for the root {}, not for the published one", proof.root)));
    }
    let balances = &proof.leaf.balances;
    say!("account       {}", proof.leaf.user_id);
    for (currency, balance) in [("USD", &balances.usd), ("NGN", &balances.ngn)] {
        say!("{currency}           {} free, {} held", balance.free, balance.held);
    }
    for position in &proof.leaf.positions {
        say!(
            "position      {} {}: YES {} free, {} held; NO {} free, {} held",
            position.market_id,
            position.currency,
            position.yes_free,
            position.yes_held,
            position.no_free,
            position.no_held
        );
    }
    say!("state         sequence {}, digest {}", proof.sequence, proof.state_digest);
    say!("root          {} over {} accounts", proof.root, proof.leaves);
    match options.root {
        Some(_) => say!("The proof holds, and its root is the published one."),
        None => {
            say!("The proof holds for this root. Compare the root with the published one, or give --root.")
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn fails(why: &str) -> ExitCode {
    say!("The proof does NOT hold: {why}.");
    ExitCode::FAILURE
}

fn read(file: &Path) -> Result<String, Box<dyn Error>> {
    let mut bytes = Vec::new();
    if file.as_os_str() == "-" {
        io::stdin().read_to_end(&mut bytes)?;
    } else {
        bytes = fs::read(file).map_err(|error| format!("{}: {error}", file.display()))?;
    }
    Ok(str::from_utf8(&bytes)?.to_owned())
}
