/**
 * Time, size and quality of each AVIF effort, with the example site's pictures at 1600 pixels: the table in docs/media.md.
 *
 *   node test/bench/media-avif.mjs
 */
import { readdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import sharp from "sharp";

const MEDIA = fileURLToPath(new URL("../../media", import.meta.url));
/** Every third picture, since the slow efforts take seconds each. */
const STEP = 3;
const WIDTH = 1600;
const QUALITY = 60;
const DEFAULT = 3;

sharp.concurrency(availableParallelism());
sharp.cache(false);
const pictures = [];
for (const name of readdirSync(MEDIA)
  .filter((file) => file.endsWith(".jpg"))
  .filter((_, at) => at % STEP === 0)) {
  pictures.push(await sharp(join(MEDIA, name)).resize(WIDTH).raw().toBuffer({ resolveWithObject: true }));
}
const rows = [];
for (let effort = 0; effort <= 6; effort++) {
  let ms = 0;
  let bytes = 0;
  let noise = 0;
  for (const { data, info } of pictures) {
    const raw = { width: info.width, height: info.height, channels: info.channels };
    const began = process.cpuUsage();
    const encoded = await sharp(data, { raw }).avif({ quality: QUALITY, effort }).toBuffer();
    // Processor time of all threads, which does not depend on other load.
    const { user, system } = process.cpuUsage(began);
    ms += (user + system) / 1000;
    bytes += encoded.length;
    noise += psnr(data, await sharp(encoded).raw().toBuffer());
  }
  rows.push({ effort, ms: ms / pictures.length, kB: bytes / pictures.length / 1000, dB: noise / pictures.length });
}
const base = rows.find(({ effort }) => effort === DEFAULT);
console.log(
  `${pictures.length} pictures at ${WIDTH} pixels, quality ${QUALITY}; time and size relative to effort ${DEFAULT}`,
);
console.log("| effort | processor ms per picture | time | kB per picture | size | PSNR |");
console.log("|---|---|---|---|---|---|");
for (const { effort, ms, kB, dB } of rows) {
  console.log(
    `| ${effort} | ${Math.round(ms)} | ${(ms / base.ms).toFixed(2)} | ${kB.toFixed(1)} | ${(kB / base.kB).toFixed(2)} | ${dB.toFixed(1)} dB |`,
  );
}

/** Peak signal-to-noise ratio of two pictures, in decibels. */
function psnr(a, b) {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += (a[at] - b[at]) ** 2;
  return 10 * Math.log10(255 ** 2 / (sum / a.length));
}
