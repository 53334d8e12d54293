//! Makes a picture from an uploaded file: decodes it within limits, scales it and encodes it anew.
//!
//! Only pixels pass: metadata, colour profiles, further frames and everything else of the file are left behind. A camera's
//! rotation is applied first. Transparent parts become white, because JPEG has none.

use std::io::Cursor;

use image::codecs::jpeg::JpegEncoder;
use image::imageops::{self, FilterType};
use image::metadata::Orientation;
use image::{DynamicImage, ImageDecoder, ImageFormat, ImageReader, Limits, Rgb, RgbImage};

/// The largest picture that is decoded, checked before any pixel is.
pub const PIXELS_MAX: u64 = 16_000_000;
pub const SIDE_MAX: u32 = 8_192;
/// Memory for decoded pixels: 16 million with four bytes each.
const DECODED_BYTES_MAX: u64 = 64 << 20;

/// The longer side of the large size; a smaller picture is not enlarged.
pub const LARGE_SIDE: u32 = 640;
/// Both sides of the small size, which shows the middle of the picture.
pub const SMALL_SIDE: u32 = 128;
const QUALITY: u8 = 82;

/// Why a file does not become a picture.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PictureFault {
    #[error("The file is not a picture: only PNG, JPEG and WebP are accepted")]
    NotAPicture,
    #[error(
        "The picture has {width} × {height} pixels: at most {PIXELS_MAX} in all and {SIDE_MAX} on a side are accepted"
    )]
    TooLarge { width: u32, height: u32 },
    #[error("The picture cannot be decoded: {0}")]
    Broken(String),
    #[error("The picture takes too long to decode")]
    Slow,
}

impl From<image::ImageError> for PictureFault {
    fn from(error: image::ImageError) -> PictureFault {
        PictureFault::Broken(error.to_string())
    }
}

/// Both sizes of a picture, as JPEG.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MadePicture {
    pub large: Vec<u8>,
    pub small: Vec<u8>,
    /// Of the large size.
    pub width: u32,
    pub height: u32,
}

/// Makes both sizes from the bytes of a file. Returns for any input, with bounded memory.
pub fn make(upload: &[u8]) -> Result<MadePicture, PictureFault> {
    let pixels = white_behind(decode(upload)?);
    let (width, height) = fitted(pixels.dimensions());
    let large = match pixels.dimensions() == (width, height) {
        true => pixels,
        false => imageops::resize(&pixels, width, height, FilterType::Triangle),
    };
    let side = width.min(height);
    let middle = imageops::crop_imm(&large, (width - side) / 2, (height - side) / 2, side, side).to_image();
    let small = imageops::resize(&middle, SMALL_SIDE, SMALL_SIDE, FilterType::Triangle);
    Ok(MadePicture { large: encode(&large)?, small: encode(&small)?, width, height })
}

/// The upright pixels, already scaled to at most twice the large size.
fn decode(upload: &[u8]) -> Result<DynamicImage, PictureFault> {
    let format = match image::guess_format(upload) {
        Ok(format @ (ImageFormat::Png | ImageFormat::Jpeg | ImageFormat::WebP)) => format,
        _ => return Err(PictureFault::NotAPicture),
    };
    let mut reader = ImageReader::with_format(Cursor::new(upload), format);
    let mut limits = Limits::no_limits();
    limits.max_alloc = Some(2 * DECODED_BYTES_MAX);
    reader.limits(limits);
    let mut decoder = reader.into_decoder()?;
    let (width, height) = decoder.dimensions();
    let is_sized = u64::from(width) * u64::from(height) <= PIXELS_MAX && width.max(height) <= SIDE_MAX;
    if !is_sized || decoder.total_bytes() > DECODED_BYTES_MAX {
        return Err(PictureFault::TooLarge { width, height });
    }
    // A damaged rotation is no reason to refuse a picture.
    let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    let mut pixels = DynamicImage::from_decoder(decoder)?;
    let side_max = 2 * LARGE_SIDE;
    if width.max(height) > side_max {
        pixels = pixels.thumbnail(side_max, side_max);
    }
    pixels.apply_orientation(orientation);
    Ok(pixels)
}

fn white_behind(pixels: DynamicImage) -> RgbImage {
    let pixels = pixels.into_rgba8();
    RgbImage::from_fn(pixels.width(), pixels.height(), |x, y| {
        let [red, green, blue, alpha] = pixels.get_pixel(x, y).0.map(u32::from);
        let over_white = |colour: u32| ((colour * alpha + 255 * (255 - alpha) + 127) / 255) as u8;
        Rgb([red, green, blue].map(over_white))
    })
}

/// The dimensions of the large size.
fn fitted((width, height): (u32, u32)) -> (u32, u32) {
    let longer = width.max(height);
    if longer <= LARGE_SIDE {
        return (width, height);
    }
    let scaled = |side: u32| (side * LARGE_SIDE / longer).max(1);
    (scaled(width), scaled(height))
}

fn encode(pixels: &RgbImage) -> Result<Vec<u8>, PictureFault> {
    let mut encoded = Vec::new();
    JpegEncoder::new_with_quality(&mut encoded, QUALITY).encode_image(pixels)?;
    Ok(encoded)
}

#[cfg(test)]
mod tests;
