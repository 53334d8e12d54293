//! Uploaded pictures: any bytes as a file. Decoding must return within bounded memory, and a picture that it gives is a
//! JPEG of the promised size without metadata.

use std::io::Cursor;

use image::{DynamicImage, ImageFormat, Rgba, RgbaImage};
use server::pictures::making::{LARGE_SIDE, MadePicture, SMALL_SIDE, make};

pub(crate) fn run(input: &[u8]) {
    if let Ok(made) = make(input) {
        check(&made);
    }
}

fn check(made: &MadePicture) {
    let size = |jpeg: &[u8]| {
        let shown = image::load_from_memory_with_format(jpeg, ImageFormat::Jpeg).expect("a sound JPEG");
        (shown.width(), shown.height())
    };
    assert_eq!(size(&made.large), (made.width, made.height), "the large size is as promised");
    assert!(made.width.max(made.height) <= LARGE_SIDE, "the large size is bounded");
    assert_eq!(size(&made.small), (SMALL_SIDE, SMALL_SIDE), "the small size is fixed");
    for jpeg in [&made.large, &made.small] {
        assert!(!jpeg.windows(4).any(|window| window == b"Exif"), "metadata passed");
    }
}

pub(crate) fn seeds() -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    for (width, height, alpha) in [(1, 1, 255), (9, 5, 255), (33, 2, 120), (16, 16, 0)] {
        let shade = |x: u32, y: u32| Rgba([(40 * x) as u8, (60 * y) as u8, 90, alpha]);
        let picture = DynamicImage::ImageRgba8(RgbaImage::from_fn(width, height, shade));
        for format in [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::WebP] {
            let mut bytes = Cursor::new(Vec::new());
            // JPEG has no transparency.
            let opaque = DynamicImage::from(picture.to_rgb8());
            let picture = if format == ImageFormat::Jpeg { &opaque } else { &picture };
            picture.write_to(&mut bytes, format).expect("an encoded picture");
            seeds.push(bytes.into_inner());
        }
    }
    let grey = DynamicImage::ImageLuma16(image::ImageBuffer::from_pixel(5, 4, image::Luma([9_000])));
    let mut bytes = Cursor::new(Vec::new());
    grey.write_to(&mut bytes, ImageFormat::Png).expect("an encoded picture");
    seeds.push(bytes.into_inner());
    seeds
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[should_panic(expected = "the small size is fixed")]
    fn a_planted_picture_of_another_size_is_noticed() {
        let seed = seeds().remove(3);
        let made = make(&seed).expect("a picture");
        check(&made);
        check(&MadePicture { small: made.large.clone(), ..made });
    }
}
