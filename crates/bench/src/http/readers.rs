//! The effect of wide history reads on trading: response times at a quarter of the maximum load, alone and with fifty
//! connections that request whole lists continuously.

use std::thread;
use std::time::Duration;

use load::Problem;
use load::generator::Generator;
use load::requests::Reads;
use load::times::Times;

use super::race::Race;
use super::waiting::paced;

const READERS: usize = 50;
const TURNS: u32 = 4;
const GOAL: f64 = 2.0;

pub(crate) fn measure(race: &mut Race<'_>, time: Duration, per_second: f64) -> Result<(), Problem> {
    let turn = time / (2 * TURNS);
    let (mut quiet, mut beside, mut reads) = (Vec::new(), Vec::new(), 0);
    for _ in 0..TURNS {
        quiet.extend(paced(race, per_second, turn)?);
        let address = race.ours.address;
        let mut script = Reads::new(race.stage.markets.iter().map(|market| market.wide.clone()));
        let reading = thread::spawn(move || -> Result<usize, std::io::Error> {
            Ok(Generator::connect(address, READERS)?.closed(&mut script, turn)?.answers)
        });
        beside.extend(paced(race, per_second, turn)?);
        reads += reading.join().map_err(|_| "the readers ended in a panic")??;
    }
    let (quiet, beside) = (Times::of(quiet), Times::of(beside));
    println!(
        "\nOrders beside {READERS} readers of whole lists: {per_second:.0} orders/s, {reads} pages read"
    );
    quiet.print("quiet");
    beside.print("beside");
    let ratio = beside.p99 / quiet.p99;
    let verdict = if ratio <= GOAL { "reached" } else { "missed" };
    println!("  p99 {ratio:.2} x the quiet one, goal {GOAL}: {verdict}");
    Ok(())
}
