//! Traces at a collector made here: an HTTP server that decodes OTLP.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Bytes;
use axum::routing::post;
use http::StatusCode;
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::KeyValue;
use opentelemetry_proto::tonic::common::v1::any_value::Value;
use opentelemetry_proto::tonic::trace::v1::Span;
use opentelemetry_proto::tonic::trace::v1::span::SpanKind;
use prost::Message;
use server::signals::traces::{self, TraceExport, TraceSettings};
use stage::node::{Draft, Gate, Stage, ask, draft, get, lane, limit};
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::time::timeout;

use crate::socket::{listen, wire};

/// The example of the specification of `traceparent`.
const PARENT: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
const PATIENCE: Duration = Duration::from_secs(60);
const ORDERS: &str = "/v1/pm/events/{eventId}/markets/{marketId}/orders";

/// A collector on loopback. It answers with one status.
struct Collector {
    endpoint: String,
    received: UnboundedReceiver<Bytes>,
    /// All bodies so far.
    bodies: Vec<Bytes>,
}

impl Collector {
    async fn open(status: StatusCode) -> Collector {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let endpoint = format!("http://{}", listener.local_addr().expect("an address"));
        let (send, received) = unbounded_channel();
        let take = move |body: Bytes| {
            send.send(body).expect("a test that runs");
            std::future::ready(status)
        };
        let router = Router::new().route("/v1/traces", post(take));
        tokio::spawn(async move { axum::serve(listener, router).await });
        Collector { endpoint, received, bodies: Vec::new() }
    }

    fn export(&self, stage: &Stage) -> TraceExport {
        export(stage, &self.endpoint)
    }

    /// The spans of requests until so many have come.
    async fn requests(&mut self, count: usize) -> Vec<(Span, Vec<Span>)> {
        let mut requests: Vec<(Span, Vec<Span>)> = Vec::new();
        while requests.len() < count {
            let body = timeout(PATIENCE, self.received.recv()).await.expect("spans in time").expect("spans");
            let decoded = ExportTraceServiceRequest::decode(body.clone()).expect("protobuf");
            self.bodies.push(body);
            for spans in decoded.resource_spans {
                let resource = spans.resource.expect("a resource");
                assert_eq!(text(&resource.attributes, "service.name"), Some("bellwether"));
                for span in spans.scope_spans.into_iter().flat_map(|scope| scope.spans) {
                    match span.kind == SpanKind::Server as i32 {
                        true => requests.push((span, Vec::new())),
                        false => {
                            let (root, stages) = requests.last_mut().expect("a request before its stages");
                            assert_eq!(
                                (&span.parent_span_id, &span.trace_id),
                                (&root.span_id, &root.trace_id)
                            );
                            stages.push(span);
                        }
                    }
                }
            }
        }
        requests
    }
}

/// Traces all requests of a stage.
fn export(stage: &Stage, endpoint: &str) -> TraceExport {
    let settings = TraceSettings::new(endpoint, 1.0).expect("settings");
    let (traces, export) = traces::start(&settings).expect("a thread");
    stage.app().signals().export_traces(traces);
    export
}

/// Waits for the export while the collector still serves.
async fn finish(export: TraceExport) {
    tokio::task::spawn_blocking(|| export.finish()).await.expect("an end");
}

fn value<'a>(attributes: &'a [KeyValue], name: &str) -> Option<&'a Value> {
    attributes.iter().find(|attribute| attribute.key == name)?.value.as_ref()?.value.as_ref()
}

fn text<'a>(attributes: &'a [KeyValue], name: &str) -> Option<&'a str> {
    match value(attributes, name)? {
        Value::StringValue(text) => Some(text),
        other => panic!("{name} is a text: {other:?}"),
    }
}

fn number(attributes: &[KeyValue], name: &str) -> Option<i64> {
    match value(attributes, name)? {
        Value::IntValue(number) => Some(*number),
        other => panic!("{name} is a number: {other:?}"),
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A signed order with a request id and a caller's trace.
fn order(stage: &Stage, id: &str) -> Draft {
    let order = limit(stage.book.yes, "BUY", 10.0, 0.40);
    let signed =
        draft("POST", &stage.book.orders()).json(&order).signed(&stage.alice.key, stage.now_seconds());
    signed.header("traceparent", PARENT).header("x-request-id", id)
}

#[tokio::test]
async fn a_write_has_a_span_for_each_stage_below_one_that_continues_the_trace_of_its_caller() {
    let (stage, mut collector) = (Stage::open().await, Collector::open(StatusCode::OK).await);
    let export = collector.export(&stage);
    let behind_hyper = ask(stage.router(), order(&stage, "behind-hyper")).await.expect(200);
    let in_a_lane = lane::ask(stage.app(), stage.router(), order(&stage, "in-a-lane")).await.expect(200);
    let requests = collector.requests(2).await;
    for (answered, id) in [(behind_hyper, "behind-hyper"), (in_a_lane, "in-a-lane")] {
        let is_it =
            |(root, _): &&(Span, Vec<Span>)| text(&root.attributes, "bellwether.request.id") == Some(id);
        let (root, stages) = requests.iter().find(is_it).expect(id);
        assert_eq!(root.name, format!("POST {ORDERS}"));
        assert_eq!(hexadecimal(&root.trace_id), "4bf92f3577b34da6a3ce929d0e0e4736");
        assert_eq!(hexadecimal(&root.parent_span_id), "00f067aa0ba902b7");
        let attributes = &root.attributes;
        assert_eq!(text(attributes, "http.request.method"), Some("POST"));
        assert_eq!(text(attributes, "http.route"), Some(ORDERS));
        assert_eq!(number(attributes, "http.response.status_code"), Some(200));
        assert_eq!(text(attributes, "bellwether.command.id"), answered["order"]["id"].as_str());
        let sequence = number(attributes, "bellwether.sequence").expect("a sequence");
        assert!(sequence > 0 && sequence.unsigned_abs() <= stage.seq());
        let names: Vec<&str> = stages.iter().map(|stage| &*stage.name).collect();
        assert_eq!(names, ["queue", "group", "commit", "apply", "answer"], "{id}");
        let mut ids: Vec<_> = stages.iter().map(|stage| &stage.span_id).chain([&root.span_id]).collect();
        ids.sort();
        ids.dedup();
        assert_eq!(ids.len(), 6, "every span has its own id");
        let times: Vec<_> =
            stages.iter().flat_map(|stage| [stage.start_time_unix_nano, stage.end_time_unix_nano]).collect();
        assert!(times.is_sorted(), "{times:?}");
        assert!(root.start_time_unix_nano <= times[0] && times[9] <= root.end_time_unix_nano, "{id}");
    }
    let alice = &stage.alice;
    let secrets = [alice.key.public.clone(), alice.token.clone(), "pk_".to_owned(), "sk_".to_owned()];
    let callers = [alice.id.to_string(), alice.key.id.to_string(), "127.0.0.1".to_owned()];
    for body in &collector.bodies {
        let has = |text: &String| body.windows(text.len()).any(|window| window == text.as_bytes());
        assert!(!secrets.iter().chain(&callers).any(has), "spans name no caller and have no secret");
    }
    stage.close().await;
    finish(export).await;
}

#[tokio::test]
async fn a_write_whose_client_has_gone_has_a_span_without_stages() {
    let gate = Arc::new(Gate::default());
    let (stage, mut collector) = (Stage::open_behind(&gate).await, Collector::open(StatusCode::OK).await);
    let export = collector.export(&stage);
    let (behind_hyper, in_a_lane) =
        (listen(&stage).await, lane::Listening::open(stage.app(), stage.router()).await);
    for (address, id) in [(behind_hyper.address, "behind-hyper"), (in_a_lane.address, "in-a-lane")] {
        gate.shut();
        gate.wait_for_someone();
        let mut stream = TcpStream::connect(address).await.expect("a connection");
        stream.write_all(&wire(order(&stage, id))).await.expect("a server that reads");
        let began = Instant::now();
        while stage.app().writing().sequencer().queued() == 0 {
            assert!(began.elapsed() < PATIENCE, "the write waits");
            tokio::task::yield_now().await;
        }
        drop(stream);
        let [(root, stages)] = <[_; 1]>::try_from(collector.requests(1).await).expect("one request");
        assert_eq!(text(&root.attributes, "bellwether.request.id"), Some(id));
        assert_eq!(number(&root.attributes, "http.response.status_code"), Some(499));
        assert!(stages.is_empty(), "it is not decided: {stages:?}");
        gate.open();
    }
    behind_hyper.end().await;
    in_a_lane.end().await;
    stage.close().await;
    finish(export).await;
}

#[tokio::test]
async fn reads_and_refusals_have_a_span_and_unrecorded_callers_have_none() {
    let (stage, mut collector) = (Stage::open().await, Collector::open(StatusCode::OK).await);
    let _export = collector.export(&stage);
    let unrecorded = PARENT.replace("-01", "-00");
    ask(stage.router(), get("/v1/pm/events").header("traceparent", unrecorded)).await.expect(200);
    ask(stage.router(), get("/v1/pm/events?size=2")).await.expect(200);
    ask(stage.router(), get("/v1/pm/no/such/path/with/a/secret")).await.refused(404, "not_found");
    let requests = collector.requests(2).await;
    let shown: Vec<_> = requests
        .iter()
        .map(|(root, stages)| {
            let status = number(&root.attributes, "http.response.status_code");
            (&*root.name, status, root.parent_span_id.len(), stages.len())
        })
        .collect();
    assert_eq!(shown, [("GET /v1/pm/events", Some(200), 0, 0), ("other other", Some(404), 0, 0)]);
    assert_ne!(requests[0].0.trace_id, requests[1].0.trace_id);
    let metrics = stage.metrics().await.text();
    assert!(metrics.contains("bellwether_traces_total{outcome=\"dropped\"} 0\n"), "{metrics}");
}

#[tokio::test]
async fn a_stop_exports_the_last_spans() {
    let (stage, mut collector) = (Stage::open().await, Collector::open(StatusCode::OK).await);
    let export = collector.export(&stage);
    ask(stage.router(), order(&stage, "the-last")).await.expect(200);
    stage.close().await;
    finish(export).await;
    let body = collector.received.try_recv().expect("spans that came before the end");
    assert!(body.windows(8).any(|window| window == b"the-last"));
}

#[tokio::test]
async fn a_collector_that_fails_costs_spans_and_no_request() {
    let gone = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let closed = format!("http://{}", gone.local_addr().expect("an address"));
    drop(gone);
    let refusing = Collector::open(StatusCode::BAD_REQUEST).await;
    for endpoint in [closed, refusing.endpoint.clone()] {
        let stage = Stage::open().await;
        let _export = export(&stage, &endpoint);
        ask(stage.router(), order(&stage, "lost")).await.expect(200);
        let began = Instant::now();
        // A scrape is traced too, so that the number grows.
        while stage.metrics().await.text().contains("bellwether_traces_total{outcome=\"failed\"} 0\n") {
            assert!(began.elapsed() < PATIENCE, "{endpoint}");
            tokio::task::yield_now().await;
        }
        stage.close().await;
    }
}
