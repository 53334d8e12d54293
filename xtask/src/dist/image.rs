//! An OCI image, written without a container engine: one layer with the executable, the libraries that it needs, the
//! certificate authorities of Debian and a user; and the layout that `podman load` and `docker load` read.
//!
//! Settings, user and ports are those of `deploy/Containerfile`, which builds an image with a Debian around the executable.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::release::{Release, copy, done, failed, gzip, put, put_folder, said, sha256};
use crate::json::{list, quoted};
use crate::process::root;

const USER: &str = "10001";
const DATA: &str = "var/lib/bellwether";
/// The package ca-certificates installs one file for each authority here. The bundle in `/etc` may have others, which an
/// administrator of this machine trusts.
const AUTHORITIES: &str = "/usr/share/ca-certificates/mozilla";
const BUNDLE: &str = "etc/ssl/certs/ca-certificates.crt";
const PASSWD: &str = "root:x:0:0:root:/root:/usr/sbin/nologin
bellwether:x:10001:10001:Bellwether exchange:/var/lib/bellwether:/usr/sbin/nologin
";
const GROUP: &str = "root:x:0:\nbellwether:x:10001:\n";
const NAME_SERVICES: &str = "passwd: files\ngroup: files\nhosts: files dns\n";
/// Licences of the libraries in the layer.
const LICENCES: [&str; 2] = ["usr/share/doc/libc6/copyright", "usr/share/doc/libgcc-s1/copyright"];

const LAYER_TYPE: &str = "application/vnd.oci.image.layer.v1.tar+gzip";
const CONFIG_TYPE: &str = "application/vnd.oci.image.config.v1+json";
const MANIFEST_TYPE: &str = "application/vnd.oci.image.manifest.v1+json";

/// A file of the layout, named by its hash.
struct Blob {
    digest: String,
    size: u64,
}

impl Blob {
    fn descriptor(&self, media_type: &str) -> String {
        format!(
            r#""mediaType": {}, "digest": "sha256:{}", "size": {}"#,
            quoted(media_type),
            self.digest,
            self.size
        )
    }
}

pub(super) fn build(release: &Release, executable: &Path) -> Result<PathBuf, String> {
    let tree = release.work("image-root")?;
    fill(&tree, executable)?;
    let layout = release.work("image-layout")?;
    let blobs = layout.join("blobs/sha256");
    put_folder(&layout, Path::new("blobs/sha256"), 0o755)?;
    let packed = release.work("image-layer")?.join("layer");
    pack(release, &tree, &packed)?;
    let content = sha256(&packed)?;
    gzip(&packed)?;
    let layer = store(&blobs, &fs::read(packed.with_extension("gz")).map_err(failed(&packed))?)?;
    let config = store(&blobs, config(release, &content)?.as_bytes())?;
    let manifest = format!(
        r#"{{"schemaVersion": 2, "mediaType": {}, "config": {{{}}}, "layers": [{{{}}}]}}"#,
        quoted(MANIFEST_TYPE),
        config.descriptor(CONFIG_TYPE),
        layer.descriptor(LAYER_TYPE)
    );
    let manifest = store(&blobs, manifest.as_bytes())?;
    let index = format!(
        r#"{{"schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json", "manifests": [{{{}, "platform": {{"architecture": "amd64", "os": "linux"}}, "annotations": {{"org.opencontainers.image.ref.name": {}}}}}]}}"#,
        manifest.descriptor(MANIFEST_TYPE),
        quoted(&format!("bellwether:{}", release.version))
    );
    put(&layout, "index.json", 0o644, index.as_bytes())?;
    put(&layout, "oci-layout", 0o644, br#"{"imageLayoutVersion": "1.0.0"}"#)?;
    let file = release.image();
    release.tar(&layout, &file)?;
    Ok(file)
}

/// The root folder of the image.
fn fill(tree: &Path, executable: &Path) -> Result<(), String> {
    copy(executable, tree, "usr/local/bin/bellwether", 0o755)?;
    for library in libraries(&said(Command::new("ldd").arg(executable))?) {
        copy(&library, tree, library.to_string_lossy().trim_start_matches('/'), 0o755)?;
    }
    for path in LICENCES {
        copy(&Path::new("/").join(path), tree, path, 0o644)?;
    }
    put(tree, BUNDLE, 0o644, &authorities(Path::new(AUTHORITIES))?)?;
    put(tree, "etc/passwd", 0o644, PASSWD.as_bytes())?;
    put(tree, "etc/group", 0o644, GROUP.as_bytes())?;
    put(tree, "etc/nsswitch.conf", 0o644, NAME_SERVICES.as_bytes())?;
    put_folder(tree, Path::new("tmp"), 0o1777)?;
    put_folder(tree, Path::new(DATA), 0o700)
}

/// All certificates of a folder, in the order of their names.
fn authorities(folder: &Path) -> Result<Vec<u8>, String> {
    let listed = fs::read_dir(folder).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    let mut files: Vec<PathBuf> = listed.map_err(failed(folder))?.iter().map(fs::DirEntry::path).collect();
    files.sort_unstable();
    let mut bundle = Vec::new();
    for file in files {
        bundle.extend(fs::read(&file).map_err(failed(&file))?);
    }
    if bundle.is_empty() { Err(format!("{} has no certificate", folder.display())) } else { Ok(bundle) }
}

/// The paths in lines of `ldd` such as `libc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x…)`; the loader has no arrow.
fn libraries(listed: &str) -> Vec<PathBuf> {
    let paths = listed.split_whitespace().filter(|word| word.starts_with('/'));
    paths.map(PathBuf::from).collect()
}

/// Everything belongs to root except the data folder, which is added with its own owner.
fn pack(release: &Release, tree: &Path, file: &Path) -> Result<(), String> {
    let data = format!("./{DATA}");
    let tar = |arguments: &[&str]| {
        let mut tar = Command::new("tar");
        tar.args(["--sort=name", "--numeric-owner", "--format=ustar"])
            .arg(format!("--mtime=@{}", release.epoch))
            .arg("--file")
            .arg(file)
            .arg("--directory")
            .arg(tree)
            .args(arguments);
        done(&mut tar)
    };
    tar(&["--create", "--owner=0", "--group=0", &format!("--exclude={data}"), "."])?;
    tar(&["--append", "--owner=10001", "--group=10001", "--no-recursion", &data])
}

fn store(blobs: &Path, bytes: &[u8]) -> Result<Blob, String> {
    let fresh = blobs.join("new");
    fs::write(&fresh, bytes).map_err(failed(&fresh))?;
    let digest = sha256(&fresh)?;
    fs::rename(&fresh, blobs.join(&digest)).map_err(failed(&fresh))?;
    Ok(Blob { digest, size: bytes.len() as u64 })
}

/// `content`: the hash of the layer before compression.
fn config(release: &Release, content: &str) -> Result<String, String> {
    let path = root().join("deploy/Containerfile");
    let recipe = fs::read_to_string(&path).map_err(failed(&path))?;
    let environment = settings(&recipe);
    let search = "PATH=/usr/local/bin".to_owned();
    let environment = list(std::iter::once(&search).chain(&environment).map(String::as_str));
    Ok(format!(
        r#"{{"created": {time}, "architecture": "amd64", "os": "linux", "config": {{"User": "{USER}:{USER}", "Env": {environment}, "Entrypoint": ["bellwether"], "Cmd": ["serve"], "WorkingDir": "/{DATA}", "ExposedPorts": {{"8080/tcp": {{}}}}, "Volumes": {{"/{DATA}": {{}}}}, "StopSignal": "SIGTERM", "Labels": {{"org.opencontainers.image.version": {version}, "org.opencontainers.image.revision": {commit}}}}}, "rootfs": {{"type": "layers", "diff_ids": ["sha256:{content}"]}}, "history": [{{"created": {time}, "created_by": "cargo xtask dist"}}]}}"#,
        time = quoted(&release.time()?),
        version = quoted(&release.version),
        commit = quoted(&release.commit),
    ))
}

/// The variables of the recipe's `ENV`.
fn settings(recipe: &str) -> Vec<String> {
    let text = recipe.split_once("\nENV ").map_or("", |(_, rest)| rest).replace("\\\n", " ");
    let line = text.lines().next().unwrap_or_default();
    line.split_whitespace().map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;
    use std::process::Command;

    use super::{build, libraries, settings};
    use crate::dist::release::tests::release;
    use crate::dist::release::{said, sha256};
    use crate::process::root;

    #[test]
    fn the_layout_names_every_file_by_its_hash_and_leads_to_the_executable() {
        let release = release("oci");
        let own = Path::new("/usr/bin/true");
        let first = sha256(&build(&release, own).unwrap()).unwrap();
        assert_eq!(sha256(&build(&release, own).unwrap()).unwrap(), first, "equal contents, equal bytes");
        let layout = release.file("work/image-layout");
        let blob = |digest: &str| layout.join("blobs/sha256").join(digest.trim_start_matches("sha256:"));
        let index = fs::read_to_string(layout.join("index.json")).unwrap();
        let digest =
            |text: &str| text.split("\"digest\": \"").nth(1).unwrap().split('"').next().unwrap().to_owned();
        let manifest = fs::read_to_string(blob(&digest(&index))).unwrap();
        let config = fs::read_to_string(blob(&digest(&manifest))).unwrap();
        assert!(config.contains("BELLWETHER_ADMIN_LISTEN=127.0.0.1:8081"), "{config}");
        let layer = manifest.split("\"layers\"").nth(1).unwrap();
        let listed = said(
            Command::new("tar")
                .args(["--list", "--verbose", "--numeric-owner", "--file"])
                .arg(blob(&digest(layer))),
        )
        .unwrap();
        let line = |path: &str| {
            listed.lines().find(|line| line.ends_with(path)).unwrap_or_else(|| panic!("{path}: {listed}"))
        };
        assert!(line("./usr/local/bin/bellwether").starts_with("-rwxr-xr-x 0/0"), "{listed}");
        assert!(line("./var/lib/bellwether/").starts_with("drwx------ 10001/10001"), "{listed}");
        assert!(line("./tmp/").starts_with("drwxrwxrwt"), "{listed}");
        assert!(listed.contains("ld-linux-x86-64.so.2"), "{listed}");
        for entry in fs::read_dir(layout.join("blobs/sha256")).unwrap().flatten() {
            assert_eq!(entry.file_name().to_string_lossy(), sha256(&entry.path()).unwrap());
        }
        fs::remove_dir_all(release.file("")).unwrap();
    }

    #[test]
    fn the_image_has_the_settings_and_the_user_of_the_recipe() {
        let recipe = fs::read_to_string(root().join("deploy/Containerfile")).unwrap();
        let settings = settings(&recipe);
        assert!(
            settings.len() >= 5 && settings.iter().all(|setting| setting.starts_with("BELLWETHER_")),
            "{settings:?}"
        );
        assert!(recipe.contains(&format!("--uid {}", super::USER)), "{recipe}");
    }

    #[test]
    fn libraries_are_the_paths_that_ldd_lists() {
        let listed = "\tlinux-vdso.so.1 (0x1)\n\tlibc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x2)\n\t/lib64/ld-linux-x86-64.so.2 (0x3)\n";
        assert_eq!(
            libraries(listed),
            [Path::new("/lib/x86_64-linux-gnu/libc.so.6"), Path::new("/lib64/ld-linux-x86-64.so.2")]
        );
    }
}
