//! Messages of stream clients: any bytes as a text frame. Parsing must return, describe an error in a sentence, and
//! give the same message regardless of whitespace in the JSON.

use api::stream::ClientMessage;

pub(crate) fn run(input: &[u8]) {
    let Ok(message) = api::read::read::<ClientMessage>(input) else { return };
    check_hidden(&message, &format!("{message:?}"));
    // A number in an ignored field may be too large to be serialized again.
    let Ok(value) = serde_json::from_slice::<serde_json::Value>(input) else { return };
    let spaced = serde_json::to_vec_pretty(&value).expect("JSON can be serialized");
    if spaced.len() <= api::read::BODY_BYTES_MAX {
        let again = api::read::read::<ClientMessage>(&spaced).expect("spaces change nothing");
        assert_eq!(again, message, "spaces change nothing");
    }
}

/// A credential must not appear in a log.
fn check_hidden(message: &ClientMessage, shown: &str) {
    assert!(message.auth.is_none() || shown.contains("Auth(…)"), "a credential is shown: {shown}");
}

pub(crate) fn seeds() -> Vec<Vec<u8>> {
    let event = "01980d2f-7c1e-7a64-9a53-3f7d2b8c1e00";
    let texts = [
        r#"{"type":"ping"}"#.to_owned(),
        r#"{"type":"subscribe","channel":"activity","eventId":"EVENT","marketId":"EVENT"}"#.replace("EVENT", event),
        r#"{"type":"subscribe","channel":"prices","eventId":"EVENT"}"#.replace("EVENT", event),
        r#"{"type":"subscribe","channel":"orderbook","marketIds":["EVENT","EVENT"],"currency":"NGN"}"#.replace("EVENT", event),
        r#"{"type":"subscribe","channel":"user_trades","userId":"EVENT"}"#.replace("EVENT", event),
        r#"{"type":"subscribe","channel":"orders","marketIds":["EVENT"],"auth":{"apiKey":"pk_1","accessToken":"t","deviceId":"d"}}"#.replace("EVENT", event),
        r#"{"type":"subscribe","channel":"asset_prices","symbols":["BTCUSDT","ETHUSDT"]}"#.to_owned(),
        r#"{"type":"subscribe","channel":"changes","marketIds":["EVENT"],"resumeFrom":9007199254740993}"#.replace("EVENT", event),
        r#"{"type":"unsubscribe","room":"market:activity"}"#.to_owned(),
        r#"{"type":"cancelOnDisconnect","enabled":true,"auth":{"accessToken":"\u00e9\ud83d\ude00"}}"#.to_owned(),
        r#"{"a":{"b":[[[[[[1e400,-0.0,null,true]]]]]]},"type":null}"#.to_owned(),
    ];
    texts.into_iter().map(String::into_bytes).collect()
}

#[cfg(test)]
mod tests {
    use api::stream::{Auth, ClientMessage};

    use super::check_hidden;

    #[test]
    #[should_panic(expected = "a credential is shown")]
    fn a_planted_message_that_shows_its_token_is_noticed() {
        let auth = Auth { access_token: Some("secret".to_owned()), ..Auth::default() };
        let message = ClientMessage { auth: Some(auth), ..ClientMessage::default() };
        check_hidden(&message, &format!("{message:?}"));
        check_hidden(&message, "ClientMessage { auth: secret }");
    }
}
