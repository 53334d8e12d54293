//! The macro of a table of endpoints: what `commands!` is for the rules.
//!
//! A row names an endpoint, where its function is, its method, path, access, query, body and answer, and its options. The
//! row and the function have one name, and their types must agree to compile.

use std::future::Future;
use std::pin::Pin;

use api::error::BadRequest;
use api::json::WriteJson;
use api::read::read;
use exchange::command::Command;
use exchange::identity::Actor;
use exchange::reply::Reply;
use serde::de::DeserializeOwned;

use super::answer::{Answer, Rendered, Written};
use super::call::Call;
use super::operation::Operation;
use crate::failure::Failure;

/// What follows from a call.
pub(crate) enum Next<A> {
    Answer(Answer<A>),
    /// A user's command about orders, sets or the watchlist, and its price in tokens. `respond` renders the reply.
    Write(u32, Command),
    /// Another command, and the answer that its reply gives.
    Submit(Actor, Command, Box<dyn FnOnce(Reply) -> Result<A, Failure> + Send>),
    /// The answer needs history, the people store or a long computation. Polled once at once, then by the runtime.
    Later(Pin<Box<dyn Future<Output = Result<Answer<A>, Failure>> + Send>>),
}

impl<A> From<A> for Next<A> {
    fn from(value: A) -> Next<A> {
        Next::Answer(Answer::new(value))
    }
}

impl<A> Next<A> {
    pub(crate) fn later<V: Into<Answer<A>>>(
        answering: impl Future<Output = Result<V, Failure>> + Send + 'static,
    ) -> Next<A> {
        Next::Later(Box::pin(async move { answering.await.map(Into::into) }))
    }
}

/// `Next` without the type of its answer.
#[allow(missing_debug_implementations, reason = "a closure has nothing to print")]
pub(crate) enum Step {
    Answer(Rendered),
    Write(u32, Command),
    Submit(Actor, Command, Box<dyn FnOnce(Reply) -> Result<Rendered, Failure> + Send>),
    Later(Pin<Box<dyn Future<Output = Result<Rendered, Failure>> + Send>>),
    /// The function is behind the router of pages.
    Elsewhere,
}

/// The endpoints of a listener.
pub(crate) trait Endpoints: Send + Sync + 'static {
    fn operations(&self) -> &'static [Operation];

    /// Calls the function of a row.
    fn call(&self, row: usize, call: &Call<'_>) -> Result<Step, Failure>;
}

/// The answers that a row's type permits: one of that type, or a list where the row says `list()`.
pub(crate) trait AnswerOf<Row> {}

impl<A> AnswerOf<A> for A {}
impl<A> AnswerOf<A> for Vec<A> {}
impl<A> AnswerOf<A> for Written<A> {}

/// Forgets the type of an answer after checking it against the row's.
pub(crate) fn tied<Row, A: AnswerOf<Row> + WriteJson + Send + 'static>(
    call: &Call<'_>,
    next: Result<Next<A>, Failure>,
) -> Result<Step, Failure> {
    untied(call, next)
}

/// Like `tied`, for a row that does not name the type of its answer.
pub(crate) fn untied<A: WriteJson + Send + 'static>(
    call: &Call<'_>,
    next: Result<Next<A>, Failure>,
) -> Result<Step, Failure> {
    let (operation, decimals) = (call.operation, call.meter.decimals());
    let render = move |answer: Answer<A>| answer.render(operation, decimals);
    Ok(match next? {
        Next::Answer(answer) => Step::Answer(render(answer)),
        Next::Write(cost, command) => Step::Write(cost, command),
        Next::Submit(actor, command, show) => Step::Submit(
            actor,
            command,
            Box::new(move |reply| show(reply).map(|shown| render(Answer::new(shown)))),
        ),
        Next::Later(answering) => Step::Later(Box::pin(async move { answering.await.map(render) })),
    })
}

/// A body without a quick reader of its own: those have a function of this name, which comes first.
pub(crate) trait Body: Sized {
    fn read(body: &[u8]) -> Result<Self, BadRequest>;
}

impl<T: DeserializeOwned> Body for T {
    fn read(body: &[u8]) -> Result<T, BadRequest> {
        read(body)
    }
}

/// `name = module: METHOD "path" Access ?(Query) (Body) -> Answer { option(value), … };` below a tag. The doc comment's first
/// line is the summary, the rest the description. `module.function` names another function than the row.
macro_rules! endpoints {
    ($(#[$meta:meta])* $endpoints:ty, $operations:ident: $($tag:literal {$(
        #[doc = $summary:literal] $(#[doc = $description:literal])*
        $id:ident $(= $module:ident $(.$function:ident)?)?: $method:ident $path:literal $access:ident
        $(?($query:ty))? $(($body:ty))? $(-> $answer:ty)? $({$($option:ident $(($($value:expr),*))?),*})?;
    )*})*) => {
        $(#[$meta])*
        pub const $operations: &[$crate::edge::Operation] = &[$($(
            $crate::edge::Operation {
                tag: $tag,
                summary: $summary.trim_ascii(),
                description: concat!($($description),*).trim_ascii(),
                query: $crate::edge::table::endpoints!(@some $($crate::edge::body::query_of::<$query>)?),
                body: $crate::edge::table::endpoints!(@some $($crate::edge::body::Body::of::<$body>())?),
                answer: $crate::edge::table::endpoints!(@some $($crate::edge::body::Body::of::<$answer>())?),
                is_called: $crate::edge::table::endpoints!(@is_called $($module)?),
                ..$crate::edge::Operation::new(
                    stringify!($id),
                    $crate::edge::Method::$method,
                    $path,
                    $crate::edge::Access::$access,
                )
            }
            $($(.$option($($($value),*)?))*)?
        ),*),*];

        impl $crate::edge::table::Endpoints for $endpoints {
            fn operations(&self) -> &'static [$crate::edge::Operation] {
                $operations
            }

            fn call(
                &self,
                row: usize,
                call: &$crate::edge::Call<'_>,
            ) -> Result<$crate::edge::table::Step, $crate::failure::Failure> {
                type Function = fn(
                    &$endpoints,
                    &$crate::edge::Call<'_>,
                ) -> Result<$crate::edge::table::Step, $crate::failure::Failure>;
                const FUNCTIONS: &[Function] = &[$($(
                    |_endpoints, _call| $crate::edge::table::endpoints!(
                        @call _endpoints _call $id [$($module $($function)?)?] [$($query)?] [$($body)?] [$($answer)?]
                    )
                ),*),*];
                FUNCTIONS[row](self, call)
            }
        }
    };
    (@is_called) => { false };
    (@is_called $module:ident) => { true };
    (@some) => { None };
    (@some $value:expr) => { Some($value) };
    (@call $endpoints:ident $call:ident $id:ident [] $query:tt $body:tt $answer:tt) => {
        Ok($crate::edge::table::Step::Elsewhere)
    };
    (@call $endpoints:ident $call:ident $id:ident [$module:ident] $query:tt $body:tt $answer:tt) => {
        $crate::edge::table::endpoints!(@call $endpoints $call $id [$module $id] $query $body $answer)
    };
    (@call $endpoints:ident $call:ident $id:ident [$module:ident $function:ident] [$($query:ty)?] [$($body:ty)?] $answer:tt) => {{
        #[allow(unused_imports, reason = "a body may have a reader of its own")]
        use $crate::edge::table::Body as _;
        let next = $endpoints.$module.$function(
            $call
            $(, <$query>::parse($call.query())?)?
            $(, $call.read_body(<$body>::read)?)?
        );
        $crate::edge::table::endpoints!(@tie $call next $answer)
    }};
    (@tie $call:ident $next:ident []) => { $crate::edge::table::untied($call, $next) };
    (@tie $call:ident $next:ident [$answer:ty]) => { $crate::edge::table::tied::<$answer, _>($call, $next) };
}

pub(crate) use endpoints;
