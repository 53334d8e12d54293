//! TLS of a listener: its certificate and key, read again when the files change.
//!
//! A failed reload keeps the certificate in use and is logged, so that a mistake in a renewal does not stop the venue. The
//! handshake itself is in `transport`.

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use parking_lot::{Mutex, RwLock};
use rustls::ServerConfig;
use rustls::crypto::ring;
use rustls::pki_types::pem::{self, PemObject};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio::sync::watch;
use tokio_rustls::TlsAcceptor;

/// How often the files are looked at.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// PEM files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TlsFiles {
    /// The certificate, followed by those between it and an authority.
    pub certificate: PathBuf,
    pub key: PathBuf,
}

#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    #[error("{path}: {cause}")]
    File { path: PathBuf, cause: pem::Error },
    #[error("{0} has no certificate")]
    NoCertificate(PathBuf),
    #[error("the TLS certificate and its key cannot be used: {0}")]
    Unusable(#[from] rustls::Error),
}

/// The current certificate of a listener.
#[derive(Debug)]
pub struct Tls {
    files: TlsFiles,
    current: RwLock<Arc<ServerConfig>>,
    /// The versions of the files that were read last, successfully or not.
    seen: Mutex<[Option<Version>; 2]>,
}

/// A file's version: when it was changed, its size and its number.
type Version = (SystemTime, u64, u64);

impl Tls {
    pub fn load(files: TlsFiles) -> Result<Tls, TlsError> {
        let seen = files.versions();
        let current = RwLock::new(Arc::new(files.read()?));
        Ok(Tls { files, current, seen: Mutex::new(seen) })
    }

    /// Reads the files again whenever they change, until `stopping` becomes true.
    pub async fn watch(self: Arc<Tls>, mut stopping: watch::Receiver<bool>) {
        loop {
            tokio::select! {
                () = tokio::time::sleep(LOOK_EVERY) => {}
                _ = stopping.wait_for(|stopping| *stopping) => return,
            }
            let tls = self.clone();
            // Files may be on a slow disk.
            let looked = tokio::task::spawn_blocking(move || tls.reload_if_changed()).await;
            match looked {
                Ok(Some(Ok(()))) => tracing::info!("the TLS certificate was read again"),
                Ok(Some(Err(error))) => {
                    tracing::error!(%error, "the TLS files have changed and cannot be used; the previous certificate stays");
                }
                Ok(None) | Err(_) => {}
            }
        }
    }

    /// None if neither file has changed.
    pub fn reload_if_changed(&self) -> Option<Result<(), TlsError>> {
        let mut seen = self.seen.lock();
        let now = self.files.versions();
        if *seen == now {
            return None;
        }
        // Before reading: a change during the read is a further change.
        *seen = now;
        Some(self.files.read().map(|config| *self.current.write() = Arc::new(config)))
    }

    pub(super) fn acceptor(&self) -> TlsAcceptor {
        TlsAcceptor::from(self.current.read().clone())
    }
}

impl TlsFiles {
    fn versions(&self) -> [Option<Version>; 2] {
        [&self.certificate, &self.key].map(|path| version(path).ok())
    }

    fn read(&self) -> Result<ServerConfig, TlsError> {
        let failed = |path: &Path| {
            let path = path.to_owned();
            move |cause| TlsError::File { path, cause }
        };
        let chain = CertificateDer::pem_file_iter(&self.certificate);
        let chain = chain.and_then(|certificates| certificates.collect::<Result<Vec<_>, _>>());
        let chain = chain.map_err(failed(&self.certificate))?;
        if chain.is_empty() {
            return Err(TlsError::NoCertificate(self.certificate.clone()));
        }
        let key = PrivateKeyDer::from_pem_file(&self.key).map_err(failed(&self.key))?;
        let mut config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()?
            .with_no_client_auth()
            .with_single_cert(chain, key)?;
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(config)
    }
}

fn version(path: &Path) -> io::Result<Version> {
    let metadata = fs::metadata(path)?;
    Ok((metadata.modified()?, metadata.len(), metadata.ino()))
}

#[cfg(test)]
mod tests {
    use pgtest::Authority;

    use super::*;

    fn install(authority: &Authority, files: &TlsFiles) {
        fs::copy(authority.server_certificate(), &files.certificate).expect("a certificate");
        fs::copy(authority.server_key(), &files.key).expect("a key");
    }

    #[test]
    fn changed_files_are_read_again_and_a_mistake_keeps_the_previous_certificate() {
        let folder = tempfile::tempdir().expect("a folder");
        let files =
            TlsFiles { certificate: folder.path().join("cert.pem"), key: folder.path().join("key.pem") };
        assert!(matches!(Tls::load(files.clone()), Err(TlsError::File { .. })), "there is no file");
        let (first, second) = (Authority::new(), Authority::new());
        install(&first, &files);
        let tls = Tls::load(files.clone()).expect("a certificate");
        let in_use = |tls: &Tls| Arc::as_ptr(&*tls.current.read());
        let before = in_use(&tls);
        assert!(tls.reload_if_changed().is_none());

        fs::remove_file(&files.certificate).expect("removed");
        assert!(matches!(tls.reload_if_changed(), Some(Err(TlsError::File { .. }))));
        fs::copy(second.server_certificate(), &files.certificate).expect("a certificate");
        let half = tls.reload_if_changed().expect("a change").expect_err("the key is another one's");
        assert!(matches!(half, TlsError::Unusable(_)), "{half}");
        assert!(tls.reload_if_changed().is_none(), "one message for each change");
        assert_eq!(in_use(&tls), before);

        install(&second, &files);
        assert!(matches!(tls.reload_if_changed(), Some(Ok(()))));
        assert_ne!(in_use(&tls), before);
    }

    #[test]
    fn a_file_without_a_certificate_is_named() {
        let folder = tempfile::tempdir().expect("a folder");
        let authority = Authority::new();
        let files = TlsFiles { certificate: folder.path().join("empty.pem"), key: authority.server_key() };
        fs::write(&files.certificate, "").expect("a file");
        let error = Tls::load(files).expect_err("no certificate").to_string();
        assert!(error.contains("empty.pem"), "{error}");
    }
}
