//! Pictures of every format, planted metadata, and files that must be refused before they are decoded.

use std::io::Cursor;

use image::{ExtendedColorType, GenericImageView, ImageEncoder, Luma, Rgba, RgbaImage};

use super::*;

/// A gradient with a black left half.
fn sample(width: u32, height: u32) -> DynamicImage {
    DynamicImage::ImageRgba8(RgbaImage::from_fn(width, height, |x, y| {
        if x < width / 2 { Rgba([0, 0, 0, 255]) } else { Rgba([(x % 256) as u8, (y % 256) as u8, 200, 255]) }
    }))
}

fn encoded(picture: &DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    // JPEG has no transparency.
    let opaque = DynamicImage::from(picture.to_rgb8());
    let picture = if format == ImageFormat::Jpeg { &opaque } else { picture };
    picture.write_to(&mut bytes, format).expect("an encoded picture");
    bytes.into_inner()
}

fn dimensions(jpeg: &[u8]) -> (u32, u32) {
    assert_eq!(image::guess_format(jpeg).ok(), Some(ImageFormat::Jpeg));
    image::load_from_memory(jpeg).expect("a sound JPEG").dimensions()
}

#[test]
fn each_format_becomes_a_large_and_a_small_jpeg() {
    for format in [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::WebP] {
        let made = make(&encoded(&sample(1_600, 900), format)).expect("a picture");
        assert_eq!((made.width, made.height), (640, 360));
        assert_eq!((dimensions(&made.large), dimensions(&made.small)), ((640, 360), (128, 128)));
    }
}

#[test]
fn small_and_thin_pictures_are_not_enlarged_and_have_every_size() {
    for (width, height) in [(1, 1), (40, 30), (640, 640), (641, 3), (8_192, 1), (1, 8_192)] {
        let made = make(&encoded(&sample(width, height), ImageFormat::Png)).expect("a picture");
        assert!(made.width <= width.min(640) && made.height <= height.min(640), "{width} × {height}");
        assert_eq!(dimensions(&made.large), (made.width, made.height));
        assert_eq!(dimensions(&made.small), (128, 128));
    }
}

#[test]
fn transparent_parts_become_white() {
    let clear = DynamicImage::ImageRgba8(RgbaImage::from_pixel(50, 50, Rgba([10, 20, 30, 0])));
    let made = make(&encoded(&clear, ImageFormat::Png)).expect("a picture");
    let shown = image::load_from_memory(&made.large).expect("a JPEG").to_rgb8();
    assert!(shown.pixels().all(|pixel| pixel.0.iter().all(|colour| *colour > 250)));
}

#[test]
fn grey_and_deep_pixels_are_taken_too() {
    let grey = DynamicImage::ImageLuma16(image::ImageBuffer::from_pixel(300, 200, Luma([40_000])));
    assert_eq!(make(&encoded(&grey, ImageFormat::Png)).map(|made| (made.width, made.height)), Ok((300, 200)));
}

/// A JPEG with an EXIF segment: a rotation by 90 degrees, and a text as a camera's position would be.
fn photograph() -> Vec<u8> {
    let mut jpeg = encoded(&sample(200, 100), ImageFormat::Jpeg);
    let text = b"SECRET POSITION 6.4550N 3.3841E\0";
    let mut exif = b"Exif\0\0MM\0\x2a\0\0\0\x08\0\x02".to_vec();
    exif.extend(b"\x01\x12\0\x03\0\0\0\x01\0\x06\0\0"); // Orientation: 6.
    exif.extend(b"\x01\x0e\0\x02\0\0\0"); // A description, after the directory.
    exif.extend([text.len() as u8, 0, 0, 0, 38, 0, 0, 0, 0]);
    exif.extend(text);
    let length = u16::try_from(exif.len() + 2).expect("a short segment").to_be_bytes();
    let segment = [&[0xff, 0xe1][..], &length, &exif].concat();
    jpeg.splice(2..2, segment);
    jpeg
}

fn has(bytes: &[u8], wanted: &[u8]) -> bool {
    bytes.windows(wanted.len()).any(|window| window == wanted)
}

#[test]
fn planted_metadata_is_gone_and_the_cameras_rotation_is_applied() {
    let photograph = photograph();
    assert!(has(&photograph, b"SECRET") && has(&photograph, b"Exif"));
    let made = make(&photograph).expect("a picture");
    assert_eq!((made.width, made.height), (100, 200), "it stands upright");
    for jpeg in [&made.large, &made.small] {
        for planted in [&b"SECRET"[..], b"Exif", b"POSITION", b"6.4550N"] {
            assert!(!has(jpeg, planted), "{}", String::from_utf8_lossy(planted));
        }
        assert!(!has(jpeg, &[0xff, 0xe1]), "no application segment but JFIF's");
    }
}

#[test]
fn text_chunks_and_bytes_behind_a_png_are_gone() {
    let mut png = Vec::new();
    let encoder = image::codecs::png::PngEncoder::new(&mut png);
    encoder.write_image(&[7; 3 * 64], 8, 8, ExtendedColorType::Rgb8).expect("a PNG");
    // tEXt before the last chunk: length, kind, text, checksum (which decoders of ancillary chunks may check).
    let chunk = [b"tEXtComment\0SECRET NOTE".as_slice()].concat();
    let mut checksum = flate2::Crc::new();
    checksum.update(&chunk);
    let length = u32::try_from(chunk.len() - 4).expect("a short chunk").to_be_bytes();
    let chunk = [&length[..], &chunk, &checksum.sum().to_be_bytes()].concat();
    let end = png.len() - 12;
    png.splice(end..end, chunk);
    png.extend(b"SECRET ZIP BEHIND IT");
    let made = make(&png).expect("a picture");
    assert!(!has(&made.large, b"SECRET") && !has(&made.small, b"SECRET"));
}

/// The head of a PNG that claims to be huge, in 45 bytes.
fn bomb(width: u32, height: u32) -> Vec<u8> {
    let mut png = b"\x89PNG\r\n\x1a\n".to_vec();
    let mut header = b"IHDR".to_vec();
    header.extend(width.to_be_bytes());
    header.extend(height.to_be_bytes());
    header.extend([8, 6, 0, 0, 0]);
    for chunk in [header, b"IDAT\x78\x9c\x63\x00".to_vec()] {
        let mut checksum = flate2::Crc::new();
        checksum.update(&chunk);
        png.extend(u32::try_from(chunk.len() - 4).expect("short").to_be_bytes());
        png.extend(&chunk);
        png.extend(checksum.sum().to_be_bytes());
    }
    png
}

#[test]
fn a_small_file_with_huge_dimensions_is_refused_before_it_is_decoded() {
    for (width, height) in [(100_000, 100_000), (8_193, 1), (4_001, 4_000), (65_535, 65_535)] {
        assert_eq!(make(&bomb(width, height)), Err(PictureFault::TooLarge { width, height }));
    }
    // Within the limits the file is decoded, and its missing pixels are found.
    assert!(matches!(make(&bomb(4_000, 4_000)), Err(PictureFault::Broken(_))));
    // 16 bits for each of four channels need twice the memory: 8 million pixels are the limit then.
    let mut deep = bomb(4_000, 4_000);
    deep[24] = 16;
    let mut checksum = flate2::Crc::new();
    checksum.update(&deep[12..29]);
    deep.splice(29..33, checksum.sum().to_be_bytes());
    assert_eq!(make(&deep), Err(PictureFault::TooLarge { width: 4_000, height: 4_000 }));
}

#[test]
fn a_real_picture_with_many_pixels_and_few_bytes_is_refused() {
    let plain = DynamicImage::ImageLuma8(image::GrayImage::new(8_192, 4_096));
    let png = encoded(&plain, ImageFormat::Png);
    assert!(png.len() < 8_192 * 4_096 / 100, "{} bytes", png.len());
    assert_eq!(make(&png), Err(PictureFault::TooLarge { width: 8_192, height: 4_096 }));
}

#[test]
fn other_files_are_refused_by_their_content() {
    let svg = b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>";
    let others: [&[u8]; 7] =
        [b"", b"GIF89a\x01\0\x01\0", svg, b"<!doctype html>", b"BM\0\0", b"%PDF-1.7", b"\0\0\0\x20ftypavif"];
    for other in others {
        assert_eq!(make(other), Err(PictureFault::NotAPicture), "{}", String::from_utf8_lossy(other));
    }
}

#[test]
fn a_file_that_is_cut_off_or_damaged_gives_a_picture_or_a_fault_and_never_a_panic() {
    for format in [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::WebP] {
        let good = encoded(&sample(120, 80), format);
        for end in (0..good.len()).step_by(good.len() / 60 + 1) {
            let _ = make(&good[..end]);
        }
        for place in (0..good.len()).step_by(good.len() / 400 + 1) {
            let mut damaged = good.clone();
            damaged[place] ^= 0x55;
            let _ = make(&damaged);
        }
    }
}
