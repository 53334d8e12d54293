//! Pictures: uploaded, served by hash, named by events, swept, backed up, restored and verified.

use std::fs;
use std::io::Cursor;
use std::path::PathBuf;
use std::time::Duration;

use exchange::command::RecordPicture;
use image::{DynamicImage, ImageFormat, Rgb, RgbImage};
use serde_json::{Value, json};
use server::audit::KeyFile;
use server::audit::backup::backup;
use server::audit::restore::restore;
use server::audit::verify::{VerifyReport, verify};
use stage::node::{Answered, draft, get, text};

use super::{Office, with_token};

/// A picture whose middle has this shade.
fn file(shade: u8, format: ImageFormat) -> Vec<u8> {
    let pixels = RgbImage::from_fn(900, 600, |x, _| Rgb([shade, (x % 256) as u8, 120]));
    let mut bytes = Cursor::new(Vec::new());
    DynamicImage::ImageRgb8(pixels).write_to(&mut bytes, format).expect("an encoded picture");
    bytes.into_inner()
}

impl Office {
    async fn upload(&self, file: Vec<u8>) -> Answered {
        self.ask(with_token(draft("POST", "/admin/v1/pictures").raw(file), &self.operator)).await
    }

    /// The address of a new picture.
    async fn uploaded(&self, shade: u8) -> String {
        let made = self.upload(file(shade, ImageFormat::Png)).await.expect(201);
        text(&made["imageUrl"]).to_owned()
    }

    async fn draft_with(&self, slug: &str, picture: &str) -> Answered {
        let description = json!({
            "slug": slug, "title": "Does it?", "type": "grouped", "engine": "CLOB", "currencies": ["USD"],
            "category": "tests", "imageUrl": picture,
            "markets": [{"title": "One", "imageUrl": picture}, {"title": "Two"}],
        });
        self.post("/admin/v1/events", description).await
    }

    fn file_of(&self, address: &str) -> PathBuf {
        let name = address.trim_start_matches("/pictures/").replace(".jpg", ".picture");
        self.stage.folder().join("pictures").join(name)
    }

    fn verify(&self) -> VerifyReport {
        verify(self.stage.folder(), None, |_, _| {}).expect("a verdict")
    }
}

#[tokio::test]
async fn a_picture_is_uploaded_and_served_by_both_listeners_for_ever() {
    let office = Office::open().await;
    for format in [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::WebP] {
        let made = office.upload(file(9, format)).await.expect(201);
        assert_eq!((&made["width"], &made["height"]), (&json!(640), &json!(426)));
        for (field, size) in [("imageUrl", (640, 426)), ("image128Url", (128, 128))] {
            let address = text(&made[field]);
            let public = office.stage.ask(get(address)).await;
            let console = office.ask(get(address)).await;
            assert_eq!((public.status, console.status), (200, 200));
            assert_eq!(public.bytes, console.bytes);
            assert_eq!(public.header("content-type"), Some("image/jpeg"));
            assert_eq!(public.header("x-content-type-options"), Some("nosniff"));
            assert_eq!(public.header("cache-control"), Some("public, max-age=31536000, immutable"));
            assert!(public.header("content-security-policy").is_some_and(|policy| policy.contains("'self'")));
            let shown =
                image::load_from_memory_with_format(&public.bytes, ImageFormat::Jpeg).expect("a JPEG");
            assert_eq!((shown.width(), shown.height()), size);
            let tag = public.header("etag").expect("a tag").to_owned();
            let again = office.stage.ask(get(address).header("if-none-match", tag)).await;
            assert_eq!((again.status, again.bytes.len()), (304, 0));
        }
    }
}

#[tokio::test]
async fn unknown_addresses_are_not_found_and_are_charged_as_public_requests() {
    let office = Office::open().await;
    let known = office.uploaded(1).await;
    let name = known.trim_start_matches("/pictures/").to_owned();
    for odd in [
        format!("/pictures/{}", name.to_uppercase()),
        format!("/pictures/{}", name.replace(".jpg", ".png")),
        format!("/pictures/{}.jpg", "0".repeat(64)),
        "/pictures/..%2Fmaster.key".to_owned(),
        "/pictures/unnamed".to_owned(),
        "/pictures/".to_owned(),
        format!("/pictures/x/{name}"),
    ] {
        office.stage.ask(get(&odd).header("accept", "text/html")).await.refused(404, "not_found");
    }
    let mut refused = 0;
    for number in 0..150 {
        let missing = office.stage.ask(get(&format!("/pictures/{number:064x}.jpg"))).await;
        refused += u32::from(missing.status == 429);
    }
    assert!((1..=60).contains(&refused), "{refused} of 150");
}

#[tokio::test]
async fn a_file_that_is_no_picture_is_refused_with_a_reason() {
    let office = Office::open().await;
    let svg = b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>".to_vec();
    for file in [svg, b"GIF89a".to_vec(), b"hello".to_vec(), Vec::new()] {
        let refused = office.upload(file).await;
        refused.refused(400, "bad_request");
        assert!(refused.text().contains("only PNG, JPEG and WebP"), "{}", refused.text());
    }
    let mut cut = file(3, ImageFormat::Png);
    cut.truncate(300);
    let broken = office.upload(cut).await;
    assert!(broken.status == 400 && broken.text().contains("cannot be decoded"), "{}", broken.text());
    let mut large = file(3, ImageFormat::Png);
    large.resize(RecordPicture::BYTES_MAX as usize + 1, 0);
    office.upload(large.clone()).await.refused(413, "payload_too_large");
    large.pop();
    office.upload(large).await.expect(201);
    let packed = draft("POST", "/admin/v1/pictures").raw(file(3, ImageFormat::Png));
    let packed = with_token(packed, &office.operator).header("content-encoding", "gzip");
    office.ask(packed).await.refused(415, "unsupported_media_type");
    assert!(
        !office
            .stage
            .folder()
            .join("pictures/unnamed")
            .read_dir()
            .expect("a folder")
            .any(|entry| { !entry.expect("an entry").path().to_string_lossy().ends_with(".picture") })
    );
}

#[tokio::test]
async fn an_upload_and_a_refused_attempt_are_in_the_audit_log() {
    let office = Office::open().await;
    let address = office.uploaded(4).await;
    let attempt = draft("POST", "/admin/v1/pictures").raw(file(5, ImageFormat::Png));
    office.ask(with_token(attempt, &office.viewer)).await.refused(403, "forbidden");
    let entries = office.get("/admin/v1/audit").await.expect(200);
    let of_pictures = entries["entries"].as_array().expect("rows").iter();
    let of_pictures: Vec<&Value> = of_pictures.filter(|row| row["action"] == "record_picture").collect();
    assert_eq!(of_pictures.len(), 2, "{entries}");
    assert_eq!(of_pictures[0]["by"], "vera", "{}", of_pictures[0]);
    assert!(of_pictures[1].to_string().contains(&address[10..74]), "{}", of_pictures[1]);
    let kept = office.stage.folder().join("pictures/unnamed").read_dir().expect("a folder").count();
    assert_eq!(kept, 1, "nothing of the refused file was stored");
}

#[tokio::test]
async fn uploads_cost_many_tokens_before_they_are_read() {
    let office = Office::open().await;
    let router = || server::admin::router(office.stage.app().clone());
    let mut statuses = Vec::new();
    for _ in 0..12 {
        let upload = with_token(draft("POST", "/admin/v1/pictures").raw("no picture"), &office.operator);
        statuses.push(stage::node::ask(router(), upload).await.status);
    }
    assert_eq!(statuses.iter().filter(|status| **status == 400).count(), 10, "{statuses:?}");
    assert_eq!(statuses.last(), Some(&429), "{statuses:?}");
}

#[tokio::test]
async fn an_event_names_pictures_that_exist_and_gets_the_small_size_by_itself() {
    let office = Office::open().await;
    let (first, second) = (office.uploaded(1).await, office.uploaded(2).await);
    let small = |address: &str| address.replace(".jpg", "-128.jpg");
    office.draft_with("pictured", &first).await.expect(201);
    let shown = office.stage.ask(get("/v1/pm/events/slug/pictured")).await;
    assert_eq!(shown.status, 404, "a draft is not public");
    office.post("/admin/v1/events/pictured/edit", json!({"imageUrl": second})).await.expect(200);
    office.post("/admin/v1/events/pictured/open", Value::Null).await.expect(200);
    let shown = office.stage.ask(get("/v1/pm/events/slug/pictured")).await.expect(200);
    assert_eq!((&shown["imageUrl"], &shown["image128Url"]), (&json!(second), &json!(small(&second))));
    let market = &shown["markets"][0];
    assert_eq!((&market["imageUrl"], &market["image128Url"]), (&json!(first), &json!(small(&first))));
    assert_eq!(office.get("/admin/v1/events/pictured").await.expect(200)["markets"][0]["imageUrl"], first);

    office.draft_with("bare", &first).await.expect(201);
    office.post("/admin/v1/events/bare/edit", json!({"imageUrl": ""})).await.expect(200);
    office.post("/admin/v1/events/bare/open", Value::Null).await.expect(200);
    let shown = office.stage.ask(get("/v1/pm/events/slug/bare")).await.expect(200);
    assert_eq!((&shown["imageUrl"], &shown["image128Url"]), (&json!(""), &json!("")));

    for odd in
        [first.to_uppercase().replace("/PICTURES", "/pictures"), format!("{first}x"), "/pictures/".to_owned()]
    {
        let refused = office.draft_with("odd", &odd).await;
        assert!(refused.status == 400 && refused.text().contains("not the address of a picture"), "{odd}");
    }
    let missing = office.draft_with("odd", &format!("/pictures/{}.jpg", "1".repeat(64))).await;
    assert!(missing.status == 400 && missing.text().contains("upload it first"), "{}", missing.text());
    office.draft_with("elsewhere", "https://example.org/life.png").await.expect(201);
}

#[tokio::test]
async fn a_picture_that_no_event_names_is_swept_and_a_named_one_stays() {
    let office = Office::open().await;
    let (named, unnamed) = (office.uploaded(1).await, office.uploaded(2).await);
    office.draft_with("pictured", &named).await.expect(201);
    assert_eq!(office.stage.ask(get(&unnamed)).await.status, 200);
    let pictures = office.stage.app().pictures().clone();
    assert_eq!(pictures.sweep(Duration::from_secs(3_600)).expect("a sweep"), 0, "it is too new");
    assert_eq!(pictures.sweep(Duration::ZERO).expect("a sweep"), 1);
    office.stage.ask(get(&unnamed)).await.refused(404, "not_found");
    assert_eq!(office.stage.ask(get(&named)).await.status, 200);
    // A second upload restores a swept picture. A named picture stays named after a second upload.
    assert_eq!(office.uploaded(2).await, unnamed);
    assert_eq!(office.uploaded(1).await, named);
    assert_eq!(pictures.sweep(Duration::ZERO).expect("a sweep"), 1);
    assert_eq!(office.stage.ask(get(&named)).await.status, 200);
    assert_eq!((office.verify().problems, office.verify().pictures), (vec![], 1));
}

#[tokio::test]
async fn a_restart_a_backup_and_a_restore_keep_pictures() {
    let mut office = Office::open().await;
    let (named, unnamed) = (office.uploaded(1).await, office.uploaded(2).await);
    office.draft_with("pictured", &named).await.expect(201);
    let before = office.stage.ask(get(&named)).await.bytes;
    office.stage.restart().await;
    assert_eq!(office.stage.ask(get(&named)).await.bytes, before);

    let folder = tempfile::tempdir().expect("a folder");
    let (copy, restored) = (folder.path().join("backup"), folder.path().join("restored"));
    let manifest = backup(office.stage.folder(), &copy, KeyFile::Included, |_, _| {}).expect("a backup");
    assert_eq!((manifest.pictures, manifest.pictures_missing), (2, 0));
    restore(&copy, &restored, |_, _| {}).expect("a restore");
    let verdict = verify(&restored, None, |_, _| {}).expect("a verdict");
    assert_eq!((verdict.problems, verdict.pictures), (vec![], 2));
    let name = |address: &str| address.trim_start_matches("/pictures/").replace(".jpg", ".picture");
    assert_eq!(
        fs::read(restored.join("pictures").join(name(&named))).expect("a picture"),
        fs::read(office.file_of(&named)).expect("a picture")
    );
    assert!(restored.join("pictures/unnamed").join(name(&unnamed)).exists(), "it is still unnamed");
}

#[tokio::test]
async fn a_damaged_or_missing_picture_is_found_not_served_and_not_backed_up() {
    let mut office = Office::open().await;
    let named = office.uploaded(1).await;
    office.draft_with("pictured", &named).await.expect(201);
    let path = office.file_of(&named);
    let good = fs::read(&path).expect("a picture");
    for place in [0, 5, good.len() / 2, good.len() - 1] {
        let mut bytes = good.clone();
        bytes[place] ^= 0x10;
        fs::write(&path, bytes).expect("damage");
        let verdict = office.verify();
        assert!(verdict.problems.iter().any(|problem| problem.contains("is damaged")), "{verdict:?}");
        office.stage.ask(get(&named)).await.refused(503, "service_unavailable");
    }
    let folder = tempfile::tempdir().expect("a folder");
    let copy = folder.path().join("backup");
    let manifest = backup(office.stage.folder(), &copy, KeyFile::Included, |_, _| {}).expect("a backup");
    assert_eq!((manifest.pictures, manifest.pictures_missing), (0, 1));
    fs::remove_file(&path).expect("a picture to lose");
    let verdict = office.verify();
    assert!(verdict.problems.iter().any(|problem| problem.contains("a command names it")), "{verdict:?}");
    // Uploading the file again mends it, and the next start finds that an event names it.
    assert_eq!(office.uploaded(1).await, named);
    assert_eq!(office.verify().problems, [""; 0]);
    office.stage.restart().await;
    assert_eq!(office.stage.app().pictures().sweep(Duration::ZERO).expect("a sweep"), 0);
    assert_eq!(office.stage.ask(get(&named)).await.status, 200);
}

#[tokio::test]
async fn the_role_is_checked_before_the_pictures_that_a_command_names() {
    let office = Office::open().await;
    office.draft("shown", "single", &["One"]).await;
    let missing = format!("/pictures/{}.jpg", "0".repeat(64));
    let event = json!({
        "slug": "new", "title": "New?", "type": "single", "engine": "CLOB", "currencies": ["USD"],
        "category": "tests", "markets": [{"title": "New"}], "imageUrl": missing,
    });
    let series = json!({
        "slug": "s", "displayName": "S", "category": "CRYPTO", "interval": "DAILY", "assetSymbol": "S",
        "engine": "CLOB", "currencies": ["USD"], "iconUrl": missing,
    });
    let league = json!({"key": "l", "name": "L", "shortName": "L", "sport": "soccer", "imageUrl": missing});
    for (path, body) in [
        ("/admin/v1/events", event),
        ("/admin/v1/events/shown/edit", json!({"imageUrl": missing})),
        ("/admin/v1/series", series),
        ("/admin/v1/sports/import", json!({"leagues": [league]})),
    ] {
        office.send(&office.viewer, "POST", path, body.clone()).await.refused(403, "forbidden");
        let refused = office.send(&office.operator, "POST", path, body).await.refused(400, "bad_request");
        assert!(text(&refused["message"]).contains("There is no picture"), "{path}: {refused}");
    }
}
