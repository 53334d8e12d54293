//! The checker: random days, each from one seed. Followers rebuild books and accounts from the messages, with lost
//! positions, old, current and absurd ones, small memories and restarts, and must equal the other reads at each
//! sequence.
//!
//! `CHANGES_SEED` runs one seed, `CHANGES_RUNS` sets the number of runs of each kind.

use fastrand::Rng;
use journal::testing::FaultyDisk;
use server::streams::StreamSettings;
use stage::node::Stage;
use stage::replica::Fault;

use super::follower::{Follower, Subject, Tally};
use super::traffic::{World, pass_time};

/// Days on one stage.
const DAYS: u64 = 25;
const STEPS: usize = 110;

/// How a stage is set up.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// Deltas that a room keeps.
    pub kept_max: usize,
    pub restarts: bool,
}

fn configure(stage: &Stage, setting: Setting) {
    let settings = StreamSettings { changes_kept_max: setting.kept_max, ..StreamSettings::default() };
    assert!(stage.app().streams().configure(settings), "configured before the first use");
}

pub async fn open(seed: u64, setting: Setting) -> Stage {
    let stage = Stage::open_on(&FaultyDisk::new(seed)).await;
    configure(&stage, setting);
    stage
}

/// One day. The seed determines every choice.
pub async fn day(stage: &mut Stage, seed: u64, setting: Setting) -> Result<Tally, Fault> {
    let mut rng = Rng::with_seed(seed);
    let mut world = World::build(stage, &seed.to_string()).await;
    let mut followers: Vec<Follower> = Subject::all(&world).into_iter().map(Follower::new).collect();
    for _ in 0..STEPS {
        pass_time(stage, &mut rng);
        match rng.u8(..22) {
            0..12 => {
                let count = rng.usize(1..4);
                trade(stage, &mut world, &mut rng, count).await;
            }
            12..17 => chosen(&mut followers, &mut rng).poll(stage, &mut rng).await.map(drop)?,
            17..20 => {
                let kind = rng.u8(..5);
                chosen(&mut followers, &mut rng).look(stage, kind).await;
            }
            20 => chosen(&mut followers, &mut rng).forget(&mut rng),
            _ => mishap(stage, &mut followers, &mut rng, setting).await?,
        }
    }
    let mut tally = Tally::default();
    for mut follower in followers {
        for kind in 0..5 {
            pass_time(stage, &mut rng);
            follower.look(stage, kind).await;
        }
        while !follower.poll(stage, &mut rng).await? {
            pass_time(stage, &mut rng);
        }
        follower.poll(stage, &mut rng).await?;
        tally += follower.finish()?;
    }
    Ok(tally)
}

fn chosen<'a>(followers: &'a mut [Follower], rng: &mut Rng) -> &'a mut Follower {
    let index = rng.usize(..followers.len());
    &mut followers[index]
}

/// A few requests that mostly share a frame. Many are refused by the rules.
pub async fn trade(stage: &Stage, world: &mut World, rng: &mut Rng, count: usize) {
    let requests: Vec<_> = (0..count).map(|_| world.request(stage.app(), rng)).collect();
    let sequencer = stage.app().writing().sequencer().clone();
    let work = tokio::task::spawn_blocking(move || sequencer.submit_all_blocking(requests));
    work.await.expect("no panic").expect("answers");
}

async fn mishap(
    stage: &mut Stage,
    followers: &mut [Follower],
    rng: &mut Rng,
    setting: Setting,
) -> Result<(), Fault> {
    let seq = stage.seq();
    match rng.u8(..4) {
        0 => chosen(followers, rng).claim(stage, seq + 1 + rng.u64(..1_000)).await,
        1 => chosen(followers, rng).claim(stage, i64::MAX.cast_unsigned()).await,
        2 => chosen(followers, rng).claim(stage, rng.u64(..10)).await,
        _ if setting.restarts && rng.bool() => {
            // Ticks first, so that no timer fires between the restart and its check.
            stage.operate(exchange::command::Command::Tick).await;
            stage.restart().await;
            configure(stage, setting);
            Ok(())
        }
        _ => Ok(()),
    }
}

/// Runs `count` days on stages of one setting.
async fn days(first: u64, count: u64, setting: Setting) {
    let named = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let seeds: Vec<u64> = match named("CHANGES_SEED") {
        Some(seed) => vec![seed],
        None => (first..first + named("CHANGES_RUNS").unwrap_or(count)).collect(),
    };
    let mut tally = Tally::default();
    for some in seeds.chunks(DAYS as usize) {
        let mut stage = open(some[0], setting).await;
        for &seed in some {
            let found = day(&mut stage, seed, setting).await;
            tally += found.unwrap_or_else(|fault| panic!("CHANGES_SEED={seed} ({setting:?}): {fault}"));
        }
        stage.close().await;
    }
    let Tally { judged, deltas, snapshots, resumed } = tally;
    let days = seeds.len();
    assert!(
        judged > 20 * days && deltas > 20 * days && snapshots > 5 * days && resumed > 10 * days,
        "too little happened in {days} days: {tally:?}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn books_and_accounts_are_rebuilt_from_changes_alone_on_random_days() {
    days(10_000, 200, Setting { kept_max: 1_024, restarts: false }).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn they_are_rebuilt_where_a_room_remembers_little() {
    days(20_000, 175, Setting { kept_max: 5, restarts: false }).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn they_are_rebuilt_through_restarts() {
    days(30_000, 125, Setting { kept_max: 1_024, restarts: true }).await;
}
