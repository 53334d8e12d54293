//! A stage behind a real socket, and its client.

use std::any::Any;

use axum::Router;
use bayse::prelude::*;
use server::http::serving::serve;
use stage::node::{Market as Place, Stage};
use tokio::net::TcpListener;
use tokio::sync::watch;

pub struct Hall {
    /// Dropped at the end of a flow, before the stage.
    _company: Box<dyn Any>,
    pub stage: Stage,
    pub url: String,
    /// The listener ends when this is dropped.
    _stop: watch::Sender<bool>,
}

impl Hall {
    /// Serves the router on a free port.
    pub async fn open(stage: Stage, router: Router, company: impl Any) -> Hall {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("an address");
        let (stop, stopped) = watch::channel(false);
        tokio::spawn(serve(listener, router, stopped));
        Hall { _company: Box::new(company), stage, url: format!("http://{address}"), _stop: stop }
    }

    pub fn config(&self) -> Config {
        Config::new(&self.url, self.url.replace("http://", "ws://"))
    }

    pub fn client(&self) -> BayseClient {
        let key = &self.stage.alice.key;
        let config = self.config().with_api_key(key.public.clone(), key.secret.expose().to_owned());
        BayseClient::new_with_config(config)
    }

    pub fn others_client(&self) -> BayseClient {
        let key = &self.stage.bob.key;
        let config = self.config().with_api_key(key.public.clone(), key.secret.expose().to_owned());
        BayseClient::new_with_config(config)
    }
}

pub fn limit(outcome: uuid::Uuid, amount: f64, price: f64) -> PlaceOrderRequest {
    PlaceOrderRequest {
        side: "BUY".to_owned(),
        outcome_id: outcome.to_string(),
        amount,
        order_type: "LIMIT".to_owned(),
        currency: Some("USD".to_owned()),
        price: Some(price),
        time_in_force: None,
        post_only: Some(false),
        stp_mode: Some("CANCEL_OLDEST".to_owned()),
        max_slippage: None,
        expires_at: None,
    }
}

pub async fn place(client: &BayseClient, place: &Place, request: &PlaceOrderRequest) -> PlaceOrderResponse {
    let (event, market) = (place.event.to_string(), place.market.to_string());
    client.trading.place_order(&event, &market, request).await.expect("an order")
}

#[track_caller]
pub fn api_error<T: std::fmt::Debug>(result: Result<T, BayseError>) -> BayseContentError {
    match result {
        Err(BayseError::ApiError(error)) => error,
        other => panic!("not an error of the API: {other:?}"),
    }
}
