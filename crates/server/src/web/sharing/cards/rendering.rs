//! The thread that turns SVG into PNG, one picture after the other, at the lowest priority.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread;

use bytes::Bytes;
use crossbeam_channel::{Receiver, Sender, bounded};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree, fontdb};
use tokio::sync::oneshot;

/// DejaVu Sans Bold: Latin, Cyrillic, Greek, Arabic and the signs of all currencies. Its licence is beside it.
const FONT: &[u8] = include_bytes!("../../../../fonts/DejaVuSans-Bold.ttf");
/// The family's name in `FONT`.
pub(super) const FAMILY: &str = "DejaVu Sans";
/// Linux, setpriority: 19 is the lowest. It applies to the calling thread.
const NICENESS: i32 = 19;

struct Job {
    svg: String,
    done: oneshot::Sender<Option<Bytes>>,
}

/// The queue of the thread, which ends when this is dropped.
#[derive(Debug)]
pub(super) struct Renderer {
    jobs: Sender<Job>,
}

impl Renderer {
    /// `None` if the thread cannot be started.
    pub(super) fn start(waiting_max: usize) -> Option<Renderer> {
        let (jobs, received) = bounded(waiting_max);
        let thread = thread::Builder::new().name("cards".to_owned()).spawn(move || run(&received));
        if let Err(error) = thread {
            tracing::error!(%error, "cannot start the thread of card images");
            return None;
        }
        Some(Renderer { jobs })
    }

    /// `None` if the queue is full or the picture cannot be drawn.
    pub(super) async fn render(&self, svg: String) -> Option<Bytes> {
        let (done, waiting) = oneshot::channel();
        self.jobs.try_send(Job { svg, done }).ok()?;
        waiting.await.ok()?
    }
}

fn run(jobs: &Receiver<Job>) {
    if let Err(error) = rustix::process::setpriority_process(None, NICENESS) {
        tracing::warn!(%error, "card images are drawn at the usual priority");
    }
    let mut fonts = fontdb::Database::new();
    fonts.load_font_data(FONT.to_vec());
    let options = Options { fontdb: Arc::new(fonts), font_family: FAMILY.to_owned(), ..Options::default() };
    for Job { svg, done } in jobs {
        // A title that the renderer cannot digest must not end the cards of all others.
        let png = catch_unwind(AssertUnwindSafe(|| png(&svg, &options)));
        let png = png.unwrap_or_else(|_| Err("the renderer panicked".to_owned()));
        let png = png.inspect_err(|error| tracing::error!(error, "cannot draw a card image")).ok();
        // Its client may have gone.
        let _ = done.send(png.map(Bytes::from));
    }
}

fn png(svg: &str, options: &Options<'_>) -> Result<Vec<u8>, String> {
    let tree = Tree::from_str(svg, options).map_err(|error| error.to_string())?;
    let size = tree.size().to_int_size();
    let mut pixmap = Pixmap::new(size.width(), size.height()).ok_or("no memory for the picture")?;
    resvg::render(&tree, Transform::identity(), &mut pixmap.as_mut());
    pixmap.encode_png().map_err(|error| error.to_string())
}
