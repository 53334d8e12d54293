//! The options of `bench commands`.

use crate::world::Sizes;

pub const HELP: &str = "\
Usage: bench commands [--small] [--all] [--worst] [--only TEXT] [--times N]

  --small       a world of a few thousand orders, for a trial
  --all         every form and read, and not only the longest
  --worst       also one row for the worst form and one for the worst read
  --only TEXT   forms and reads whose names contain the text
  --times N     repetitions of each form, default 5
";

#[derive(Clone, Debug)]
pub struct Options {
    pub sizes: Sizes,
    pub all: bool,
    pub worst: bool,
    pub only: String,
    pub times: usize,
}

impl Options {
    pub fn read<'a>(mut words: impl Iterator<Item = &'a str>) -> Option<Options> {
        let mut options =
            Options { sizes: Sizes::LARGEST, all: false, worst: false, only: String::new(), times: 5 };
        while let Some(word) = words.next() {
            match word {
                "--small" => options.sizes = Sizes::SMALL,
                "--all" => options.all = true,
                "--worst" => options.worst = true,
                "--only" => words.next()?.clone_into(&mut options.only),
                "--times" => options.times = words.next()?.parse().ok().filter(|times| *times > 0)?,
                _ => return None,
            }
        }
        Some(options)
    }
}

#[cfg(test)]
mod tests {
    use super::Options;

    #[test]
    fn a_number_of_repetitions_is_positive() {
        let read = |words: &[&str]| Options::read(words.iter().copied());
        assert_eq!(
            read(&["--only", "tick", "--times", "3"]).map(|read| (read.only, read.times)),
            Some(("tick".to_owned(), 3))
        );
        assert!(
            read(&["--times", "0"]).is_none() && read(&["--only"]).is_none() && read(&["--quick"]).is_none()
        );
    }
}
