//! `demo.json`: the demo's addresses and credentials. Readable by the owner only.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::{Path, PathBuf};

use serde::Serialize;
use server::folder::write_atomically;
use uuid::Uuid;

use super::people::Person;
use crate::key_file::DEMO_FILE;
use crate::service::Service;

/// Contains secrets, so it does not implement `Debug`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Record {
    pub(super) base_url: String,
    pub(super) admin_url: String,
    pub(super) operator_token: String,
    pub(super) users: Vec<Account>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Account {
    pub(super) email: String,
    pub(super) password: String,
    pub(super) user_id: Uuid,
    pub(super) public_key: String,
    pub(super) secret_key: String,
}

impl Record {
    pub(super) fn new(service: &Service, operator_token: String, people: &[Person]) -> Record {
        let account = |person: &Person| Account {
            email: person.email.clone(),
            password: person.password.clone(),
            user_id: Uuid::from_u128(person.user.as_u128()),
            public_key: person.public_key.clone(),
            secret_key: person.secret_key.clone(),
        };
        Record {
            base_url: url(service.address),
            admin_url: url(service.admin_address),
            operator_token,
            users: people.iter().map(account).collect(),
        }
    }

    pub(super) fn write(&self, folder: &Path) -> io::Result<()> {
        let mut text = serde_json::to_vec_pretty(self)?;
        text.push(b'\n');
        write_atomically(&path(folder), &text)
    }
}

/// A listener on the unspecified address is reachable on the loopback.
fn url(mut address: SocketAddr) -> String {
    match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => address.set_ip(Ipv4Addr::LOCALHOST.into()),
        IpAddr::V6(ip) if ip.is_unspecified() => address.set_ip(Ipv6Addr::LOCALHOST.into()),
        _ => {}
    }
    format!("http://{address}")
}

pub(super) fn path(folder: &Path) -> PathBuf {
    folder.join(DEMO_FILE)
}
