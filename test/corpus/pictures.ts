/** Valid, damaged and hostile files, generated for the tests. */
import { crc32, deflateSync } from "node:zlib";
import sharp, { type JpegOptions, type PngOptions } from "sharp";
import { picture } from "../media/media-site.ts";

export interface Specimen {
  readonly name: string;
  readonly bytes: () => Promise<Uint8Array> | Uint8Array;
  /** The stored picture; null: stored, but not as a picture; text: refused with this message. */
  readonly expected: { readonly width: number; readonly height: number; readonly format?: string } | null | RegExp;
}

const NOT_AN_IMAGE = /Upload a valid image/;
const W = 90;
const H = 60;
const size = { width: W, height: H };
const upright = { width: H, height: W };

const jpeg = (options: JpegOptions = {}): Promise<Buffer> => picture(W, H).jpeg(options).toBuffer();
const png = (options: PngOptions = {}): Promise<Buffer> => picture(W, H).png(options).toBuffer();
const cut = async (bytes: Promise<Buffer>, share: number): Promise<Buffer> => {
  const whole = await bytes;
  return whole.subarray(0, Math.floor(whole.length * share));
};
const spoilt = async (bytes: Promise<Buffer>, at: number, length = 40): Promise<Buffer> => {
  const copy = Buffer.from(await bytes);
  copy.fill(0xa5, Math.floor(copy.length * at), Math.floor(copy.length * at) + length);
  return copy;
};
const frames = async (format: "gif" | "webp", count: number, width = W, height = H): Promise<Buffer> => {
  const data = Buffer.alloc(width * height * count * 4, 255);
  for (let n = 0; n < data.length; n += 4) data[n] = Math.floor(n / (width * height * 4)) * 60;
  return sharp(data, { raw: { width, height: height * count, channels: 4, pageHeight: height } })
    [format]({ loop: 0 })
    .toBuffer();
};

/** A PNG with any declared size. */
function claimedPng(width: number, height: number, body = Buffer.alloc(10)): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    const named = Buffer.concat([Buffer.from(type), data]);
    const sum = Buffer.alloc(4);
    sum.writeUInt32BE(crc32(named));
    return Buffer.concat([length, named, sum]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(body)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

const text = (content: string) => (): Uint8Array => Buffer.from(content, "latin1");
const rotated = (orientation: number) => () => picture(W, H).jpeg().withMetadata({ orientation }).toBuffer();

export const SPECIMENS: readonly Specimen[] = [
  // From cameras, phones and programs.
  { name: "plain.jpg", bytes: () => jpeg(), expected: { ...size, format: "JPEG" } },
  { name: "progressive.jpg", bytes: () => jpeg({ progressive: true }), expected: size },
  { name: "full-chroma.jpg", bytes: () => jpeg({ chromaSubsampling: "4:4:4" }), expected: size },
  { name: "mozjpeg.jpg", bytes: () => jpeg({ mozjpeg: true }), expected: size },
  { name: "worst.jpg", bytes: () => jpeg({ quality: 1 }), expected: size },
  { name: "grey.jpg", bytes: () => picture(W, H).greyscale().jpeg().toBuffer(), expected: size },
  { name: "cmyk.jpg", bytes: () => picture(W, H).toColourspace("cmyk").jpeg().toBuffer(), expected: size },
  {
    name: "cmyk-profile.jpg",
    bytes: () => picture(W, H).toColourspace("cmyk").withIccProfile("cmyk").jpeg().toBuffer(),
    expected: size,
  },
  { name: "p3.jpg", bytes: () => picture(W, H).withIccProfile("p3").jpeg().toBuffer(), expected: size },
  {
    name: "exif.jpg",
    bytes: () =>
      picture(W, H)
        .jpeg()
        .withExif({ IFD0: { Copyright: "x" } })
        .toBuffer(),
    expected: size,
  },
  ...[1, 2, 3, 4].map((n): Specimen => ({ name: `turned-${n}.jpg`, bytes: rotated(n), expected: size })),
  ...[5, 6, 7, 8].map((n): Specimen => ({ name: `turned-${n}.jpg`, bytes: rotated(n), expected: upright })),
  { name: "plain.png", bytes: () => png(), expected: { ...size, format: "PNG" } },
  { name: "interlaced.png", bytes: () => png({ progressive: true }), expected: size },
  { name: "palette.png", bytes: () => png({ palette: true, colours: 8 }), expected: size },
  {
    name: "two-colours.png",
    bytes: () => picture(W, H).threshold().png({ palette: true, colours: 2 }).toBuffer(),
    expected: size,
  },
  { name: "alpha.png", bytes: () => picture(W, H, 4).png().toBuffer(), expected: size },
  { name: "grey-alpha.png", bytes: () => picture(W, H, 4).greyscale().png().toBuffer(), expected: size },
  { name: "sixteen-bit.png", bytes: () => picture(W, H).toColourspace("rgb16").png().toBuffer(), expected: size },
  { name: "sixteen-bit-grey.png", bytes: () => picture(W, H).toColourspace("grey16").png().toBuffer(), expected: size },
  { name: "plain.webp", bytes: () => picture(W, H).webp().toBuffer(), expected: { ...size, format: "WEBP" } },
  { name: "lossless.webp", bytes: () => picture(W, H).webp({ lossless: true }).toBuffer(), expected: size },
  { name: "alpha.webp", bytes: () => picture(W, H, 4).webp().toBuffer(), expected: size },
  { name: "animated.webp", bytes: () => frames("webp", 3), expected: size },
  { name: "plain.gif", bytes: () => picture(W, H).gif().toBuffer(), expected: { ...size, format: "GIF" } },
  { name: "animated.gif", bytes: () => frames("gif", 4), expected: size },
  { name: "animated-large.gif", bytes: () => frames("gif", 2, 2200, 20), expected: { width: 1980, height: 18 } },
  { name: "plain.tiff", bytes: () => picture(W, H).tiff().toBuffer(), expected: { ...size, format: "TIFF" } },
  { name: "float.tiff", bytes: () => picture(W, H).toColourspace("scrgb").tiff().toBuffer(), expected: size },
  {
    name: "plain.avif",
    bytes: () => picture(W, H).avif({ effort: 0 }).toBuffer(),
    expected: { ...size, format: "AVIF" },
  },
  {
    name: "deep.avif",
    bytes: () =>
      picture(W, H)
        .avif({ effort: 0, bitdepth: 10 })
        .toBuffer()
        .catch(() => picture(W, H).avif({ effort: 0 }).toBuffer()),
    expected: size,
  },
  // Odd sizes.
  { name: "dot.png", bytes: () => picture(1, 1).png().toBuffer(), expected: { width: 1, height: 1 } },
  { name: "dot.jpg", bytes: () => picture(1, 1).jpeg().toBuffer(), expected: { width: 1, height: 1 } },
  { name: "dot.gif", bytes: () => picture(1, 1).gif().toBuffer(), expected: { width: 1, height: 1 } },
  { name: "line.png", bytes: () => picture(20_000, 1).png().toBuffer(), expected: { width: 1980, height: 1 } },
  { name: "pole.png", bytes: () => picture(1, 20_000).png().toBuffer(), expected: { width: 1, height: 1400 } },
  { name: "line.jpg", bytes: () => picture(20_000, 1).jpeg().toBuffer(), expected: { width: 1980, height: 1 } },
  // With a wrong extension: the bytes decide.
  { name: "really-a-png.jpg", bytes: () => png(), expected: { ...size, format: "PNG" } },
  { name: "really-a-jpeg.png", bytes: () => jpeg(), expected: { ...size, format: "JPEG" } },
  { name: "really-a-webp", bytes: () => picture(W, H).webp().toBuffer(), expected: { ...size, format: "WEBP" } },
  { name: "really-a-gif.html", bytes: () => picture(W, H).gif().toBuffer(), expected: { ...size, format: "GIF" } },
  { name: "really-a-page.png", bytes: text("<!doctype html><script>alert(1)</script>"), expected: null },
  {
    name: "really-a-drawing.jpg",
    bytes: text("<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>"),
    expected: null,
  },
  { name: "really-text.png", bytes: text("just text"), expected: NOT_AN_IMAGE },
  { name: "really-zeros.webp", bytes: () => new Uint8Array(5000), expected: NOT_AN_IMAGE },
  { name: "gif-and-script.gif", bytes: text("GIF89a/*<svg/onload=alert(1)>*/=1;"), expected: NOT_AN_IMAGE },
  {
    name: "jpeg-and-zip.jpg",
    bytes: async () => Buffer.concat([await jpeg(), Buffer.from("PK\x03\x04")]),
    expected: size,
  },
  // Broken.
  { name: "empty.jpg", bytes: () => new Uint8Array(), expected: /The submitted file is empty/ },
  { name: "one-byte.jpg", bytes: () => new Uint8Array([0xff]), expected: NOT_AN_IMAGE },
  { name: "only-magic.jpg", bytes: () => new Uint8Array([0xff, 0xd8, 0xff, 0xe0]), expected: NOT_AN_IMAGE },
  { name: "only-magic.png", bytes: text("\x89PNG\r\n\x1a\n"), expected: NOT_AN_IMAGE },
  { name: "only-magic.webp", bytes: text("RIFF\x20\0\0\0WEBPVP8 "), expected: NOT_AN_IMAGE },
  { name: "only-magic.avif", bytes: text("\0\0\0\x20ftypavif\0\0\0\0avifmif1"), expected: NOT_AN_IMAGE },
  { name: "only-magic.tiff", bytes: text("II\x2a\0\x08\0\0\0"), expected: NOT_AN_IMAGE },
  { name: "cut-half.jpg", bytes: () => cut(jpeg(), 0.5), expected: NOT_AN_IMAGE },
  { name: "cut-end.jpg", bytes: () => cut(jpeg(), 0.9), expected: NOT_AN_IMAGE },
  { name: "cut-half.png", bytes: () => cut(png(), 0.5), expected: NOT_AN_IMAGE },
  { name: "cut-half.webp", bytes: () => cut(picture(W, H).webp().toBuffer(), 0.5), expected: NOT_AN_IMAGE },
  {
    name: "cut-half.avif",
    bytes: () => cut(picture(W, H).avif({ effort: 0 }).toBuffer(), 0.5),
    expected: NOT_AN_IMAGE,
  },
  { name: "cut-half.tiff", bytes: () => cut(picture(W, H).tiff().toBuffer(), 0.5), expected: NOT_AN_IMAGE },
  { name: "cut-head.gif", bytes: () => cut(picture(W, H).gif().toBuffer(), 0.02), expected: NOT_AN_IMAGE },
  { name: "spoilt-head.png", bytes: () => spoilt(png(), 0, 30), expected: NOT_AN_IMAGE },
  { name: "spoilt-middle.png", bytes: () => spoilt(png(), 0.5), expected: NOT_AN_IMAGE },
  // Bombs: small files that decode to huge pictures.
  { name: "claims-a-lot.png", bytes: () => claimedPng(50_000, 50_000), expected: /pixels/ },
  {
    name: "claims-the-most.png",
    bytes: () => claimedPng(2_147_483_647, 2_147_483_647),
    expected: /pixels|valid image/,
  },
  { name: "claims-nothing.png", bytes: () => claimedPng(0, 0), expected: NOT_AN_IMAGE },
  {
    name: "all-one-colour.png",
    bytes: () => claimedPng(12_000, 12_000, Buffer.alloc(12_000 * 500)),
    expected: /pixels/,
  },
  {
    name: "wide-bomb.jpg",
    bytes: async () => {
      const copy = Buffer.from(await jpeg());
      const at = copy.indexOf(Buffer.from([0xff, 0xc0]));
      copy.writeUInt16BE(65_500, at + 5);
      copy.writeUInt16BE(65_500, at + 7);
      return copy;
    },
    expected: /pixels/,
  },
  // Other types.
  {
    name: "drawing.svg",
    bytes: text(
      "<?xml version='1.0'?><!DOCTYPE svg><svg xmlns='http://www.w3.org/2000/svg'><image href='file:///etc/passwd'/></svg>",
    ),
    expected: null,
  },
  {
    name: "entities.svg",
    bytes: text(`<!DOCTYPE svg [${"<!ENTITY a 'aaaaaaaaaa'>".repeat(100)}]><svg/>`),
    expected: null,
  },
  { name: "phone.heic", bytes: text("\0\0\0\x18ftypheic\0\0\0\0mif1heic"), expected: null },
  { name: "old.bmp", bytes: text("BM\x3a\0\0\0\0\0\0\0\x36\0\0\0"), expected: null },
  { name: "shell.php", bytes: text("<?php system($_GET['c']);"), expected: null },
  { name: "film.mp4", bytes: text("\0\0\0\x18ftypmp42\0\0\0\0"), expected: null },
];
