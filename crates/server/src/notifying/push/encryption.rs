//! The encryption of a push message: `aes128gcm` of RFC 8188 with the keys of RFC 8291.

use ring::aead::{AES_128_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use ring::agreement::{ECDH_P256, EphemeralPrivateKey, UnparsedPublicKey, agree_ephemeral};
use ring::error::Unspecified;
use ring::hkdf::{HKDF_SHA256, KeyType, Prk, Salt};
use ring::rand::SystemRandom;

use crate::people::entries::PushTarget;
use crate::secrets::sealing_bytes;

/// The size of the only record, which push services must accept.
const RECORD_BYTES: u32 = 4_096;
const SALT_BYTES: usize = 16;
const NONCE_BYTES: usize = 12;
/// A record's content, without the header, the delimiter and the tag.
pub const MESSAGE_BYTES_MAX: usize = RECORD_BYTES as usize - SALT_BYTES - 4 - 1 - 65 - 1 - 16;
/// Follows the content of the last record.
const LAST_RECORD: u8 = 2;

struct Length(usize);

impl KeyType for Length {
    fn len(&self) -> usize {
        self.0
    }
}

/// Encrypts a message for a browser. The key pair is used for this message only.
pub fn encrypt(target: &PushTarget, message: &[u8]) -> Result<Vec<u8>, Unspecified> {
    let private = EphemeralPrivateKey::generate(&ECDH_P256, &SystemRandom::new())?;
    let public = private.compute_public_key()?;
    let browser = UnparsedPublicKey::new(&ECDH_P256, &target.public_key);
    let salt = sealing_bytes();
    agree_ephemeral(private, &browser, |shared| seal(target, shared, public.as_ref(), &salt, message))?
}

/// The body of a request: header and one encrypted record.
fn seal(
    target: &PushTarget,
    shared: &[u8],
    public: &[u8],
    salt: &[u8; SALT_BYTES],
    message: &[u8],
) -> Result<Vec<u8>, Unspecified> {
    if message.len() > MESSAGE_BYTES_MAX {
        return Err(Unspecified);
    }
    let combined = Salt::new(HKDF_SHA256, &target.secret).extract(shared);
    let input = expand::<32>(&combined, &[b"WebPush: info\0", &target.public_key, public])?;
    let keys = Salt::new(HKDF_SHA256, salt).extract(&input);
    let key: [u8; 16] = expand(&keys, &[b"Content-Encoding: aes128gcm\0"])?;
    let nonce: [u8; NONCE_BYTES] = expand(&keys, &[b"Content-Encoding: nonce\0"])?;
    let cipher = LessSafeKey::new(UnboundKey::new(&AES_128_GCM, &key)?);
    let mut record = [message, &[LAST_RECORD]].concat();
    cipher.seal_in_place_append_tag(Nonce::assume_unique_for_key(nonce), Aad::empty(), &mut record)?;
    Ok([&salt[..], &RECORD_BYTES.to_be_bytes(), &[public.len() as u8], public, &record].concat())
}

fn expand<const BYTES: usize>(key: &Prk, about: &[&[u8]]) -> Result<[u8; BYTES], Unspecified> {
    let mut bytes = [0; BYTES];
    key.expand(about, Length(BYTES))?.fill(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use data_encoding::BASE64URL_NOPAD;

    use super::*;

    fn bytes(text: &str) -> Vec<u8> {
        BASE64URL_NOPAD.decode(text.as_bytes()).expect("base64url")
    }

    /// RFC 8291, appendix A, from the shared secret on.
    #[test]
    fn the_example_of_the_standard_gives_the_body_of_the_standard() {
        let target = PushTarget {
            endpoint: String::new(),
            public_key: bytes(
                "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
            ),
            secret: bytes("BTBZMqHH6r4Tts7J_aSIgg"),
        };
        let shared = bytes("kyrL1jIIOHEzg3sM2ZWRHDRB62YACZhhSlknJ672kSs");
        let public =
            bytes("BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8");
        let salt: [u8; 16] = bytes("DGv6ra1nlYgDCS1FRnbzlw").try_into().expect("16 bytes");
        let message = b"When I grow up, I want to be a watermelon";
        let body = seal(&target, &shared, &public, &salt, message).expect("a body");
        let wanted = bytes(
            "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6Tlz\
             AC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN",
        );
        assert_eq!(BASE64URL_NOPAD.encode(&body), BASE64URL_NOPAD.encode(&wanted));
    }

    #[test]
    fn a_message_longer_than_a_record_is_refused() {
        let target = PushTarget { endpoint: String::new(), public_key: vec![4; 65], secret: vec![1; 16] };
        let seal = |bytes| seal(&target, &[7; 32], &[4; 65], &[0; 16], &vec![b'a'; bytes]);
        assert_eq!(seal(MESSAGE_BYTES_MAX).expect("a body").len(), RECORD_BYTES as usize);
        assert!(seal(MESSAGE_BYTES_MAX + 1).is_err());
    }
}
