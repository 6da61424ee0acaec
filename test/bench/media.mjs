/**
 * Uploads: encoding time compared with the bare encoders, memory during an upload of 100 MB, and response times of the
 * public router while eight photographs are uploaded concurrently.
 *
 *   npm run build && node test/bench/media.mjs
 */
import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { randomBytes } from "node:crypto";
import { Agent, get, request } from "node:http";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import sharp from "sharp";
import { defaultConfig } from "../../dist/config.js";
import { openImages } from "../../dist/images/encoder.js";
import { median } from "./timing.mjs";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const PATH = "/api/cms/pages-router/about-us/";
const UPLOADS = 8;
const MB = 1024 * 1024;

const folder = mkdtempSync(join(tmpdir(), "git-cms-bench-"));
const children = [];
try {
  const photo = await photograph(4000, 3000);
  await encoding(photo);
  const site = await openSite();
  await memory(site, "100 MB of anything", randomBytes(100 * MB), "noise.bin");
  await memory(site, "a PNG of 33 million pixels", await noise(6600, 5000), "noise.png");
  await latency(site, photo);
} finally {
  for (const child of children) child.kill();
  rmSync(folder, { recursive: true, force: true });
}

/** Processing one stored image (decoding, resizing, nine renditions), compared with the encoders alone on the same pixels. */
async function encoding(photo) {
  const file = join(folder, "stored.jpg");
  const { MEDIA } = defaultConfig();
  const {
    JPEG_QUALITY: jpeg,
    WEBP_QUALITY: webp,
    AVIF_QUALITY: avif,
    AVIF_EFFORT: avifEffort,
    VARIANTS: variants,
  } = MEDIA.RENDITIONS;
  writeFileSync(file, await sharp(photo).resize(1866, 1400).jpeg({ quality: MEDIA.OPTIMIZE.JPEG_QUALITY }).toBuffer());
  const job = {
    file,
    optimise: null,
    thumbnail: { width: 50, height: 50 },
    variants,
    quality: { jpeg, webp, avif, avifEffort },
    preventInflate: true,
  };
  sharp.concurrency(availableParallelism());
  sharp.cache(false);
  const pixels = new Map();
  for (const { width } of variants)
    pixels.set(width, await sharp(file).resize(width).raw().toBuffer({ resolveWithObject: true }));
  const encoders = {
    webp: (image) => image.webp({ quality: webp }),
    avif: (image) => image.avif({ quality: avif, effort: avifEffort }),
    original: (image) => image.jpeg({ quality: jpeg }),
  };
  const bare = async () => {
    const order = [...variants].sort(
      (a, b) => b.width * (b.format === "avif" ? 10 : 1) - a.width * (a.format === "avif" ? 10 : 1),
    );
    const worker = async () => {
      for (let next = order.shift(); next; next = order.shift()) {
        const { data, info } = pixels.get(next.width);
        await encoders[next.format](
          sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels } }),
        ).toBuffer();
      }
    };
    await Promise.all(Array.from({ length: availableParallelism() }, worker));
  };
  const images = openImages();
  const times = { ours: [], bare: [] };
  for (let round = 0; round < 12; round++) {
    for (const [name, work] of [
      ["bare", bare],
      ["ours", () => images.make(job)],
    ]) {
      const began = performance.now();
      await work();
      if (round >= 2) times[name].push(performance.now() - began);
    }
  }
  await images.close();
  console.log(
    `nine renditions       ${Math.round(median(times.ours))} ms, the encoders alone ${Math.round(median(times.bare))} ms`,
  );
  console.log(`ratio ours / encoders ${(median(times.ours) / median(times.bare)).toFixed(2)}`);
}

/** The growth of resident memory (server and its processes) during an upload, at its peak. */
async function memory(site, what, bytes, name) {
  await text(`${site.url}${PATH}`);
  await pause(1500);
  const idle = residentOf(site.child.pid);
  let peak = idle;
  let peakOfServer = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, residentOf(site.child.pid));
    peakOfServer = Math.max(peakOfServer, residentAlone(site.child.pid));
  }, 20);
  const began = performance.now();
  const status = await upload(site, name, bytes);
  clearInterval(timer);
  console.log(
    `${what}: ${status}, ${((performance.now() - began) / 1000).toFixed(1)} s, memory ${Math.round((peak - idle) / MB)} MB over the ${Math.round(idle / MB)} MB of idleness (the server alone: ${Math.round((peakOfServer - idle) / MB)} MB)`,
  );
}

async function latency(site, photo) {
  const quiet = await answersDuring(site, () => pause(3000));
  let uploads;
  const busy = await answersDuring(site, async () => {
    uploads = await Promise.all(Array.from({ length: UPLOADS }, (_, n) => upload(site, `photo-${n}.jpg`, photo)));
  });
  console.log(
    `router, nothing else  p50 ${quiet.p50} ms, p99 ${quiet.p99} ms, most ${quiet.most} ms (${quiet.count} answers)`,
  );
  console.log(
    `router, ${UPLOADS} uploads     p50 ${busy.p50} ms, p99 ${busy.p99} ms, most ${busy.most} ms (${busy.count} answers), uploads answered ${[...new Set(uploads)].join(", ")}`,
  );
}

/** Sequential requests with short pauses on each of four connections, until the work is done. */
async function answersDuring(site, work) {
  const agent = new Agent({ keepAlive: true });
  const times = [];
  let isOver = false;
  const reader = async () => {
    while (!isOver) {
      const began = performance.now();
      await text(`${site.url}${PATH}`, agent);
      times.push(performance.now() - began);
      await pause(5);
    }
  };
  const readers = Promise.all(Array.from({ length: 4 }, reader));
  await work();
  isOver = true;
  await readers;
  agent.destroy();
  times.sort((a, b) => a - b);
  const at = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))].toFixed(1);
  return { p50: at(0.5), p99: at(0.99), most: at(1), count: times.length };
}

async function openSite() {
  const root = join(folder, "site");
  for (const part of ["content", "templates", "media", "cms.config.yaml", ".gitignore"]) {
    cpSync(join(ROOT, part), join(root, part), {
      recursive: true,
      filter: (path) => !/media[/\\](renditions|thumbnails)$/.test(path),
    });
  }
  // Otherwise the example's renditions would be created in the background.
  for (const name of readdirSync(join(root, "content/media"))) {
    const path = join(root, "content/media", name);
    writeFileSync(path, readFileSync(path, "utf8").replace(/^source:[^]*$/m, ""));
  }
  const git = (...args) =>
    execFileSync("git", ["-C", root, "-c", "user.name=Bench", "-c", "user.email=bench@example.org", ...args]);
  execFileSync("git", ["init", "-q", "-b", "main", root]);
  git("add", "-A");
  git("commit", "-qm", "Start");
  const cms = (...args) =>
    execFileSync(process.execPath, [join(ROOT, "bin/cms.cjs"), ...args, "--root", root], {
      env: { ...process.env, CMS_PASSWORD: "open-sesame-bench" },
      stdio: ["ignore", "pipe", "ignore"],
    })
      .toString()
      .trim();
  cms("user", "add", "bench", "--staff", "--superuser");
  const token = cms("token", "bench");
  const child = spawn(process.execPath, [join(ROOT, "bin/cms.cjs"), "serve", "--root", root, "--port", "0"], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  children.push(child);
  const url = await new Promise((resolve, reject) => {
    let output = "";
    child.stderr.on("data", (chunk) => {
      output += chunk;
      const found = /http:\/\/127\.0\.0\.1:\d+/.exec(output);
      if (found) resolve(found[0]);
    });
    child.once("exit", () => reject(new Error(`The server ended: ${output}`)));
  });
  return { url, token, child };
}

/** Streams the body in pieces, so that this process is no bottleneck. @returns the status */
function upload({ url, token }, name, bytes) {
  const boundary = "bench-boundary";
  const head = Buffer.from(
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: application/octet-stream\r\n\r\n`,
  );
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Token ${token}`,
      "content-type": `multipart/form-data; boundary=${boundary}`,
      "content-length": head.length + bytes.length + tail.length,
    };
    const sent = request(`${url}/api/cms/media`, { method: "POST", headers }, (response) => {
      response.resume();
      response.on("end", () => resolve(response.statusCode));
    });
    sent.on("error", reject);
    sent.write(head);
    sent.write(bytes);
    sent.end(tail);
  });
}

function residentAlone(pid) {
  try {
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) * 1024;
  } catch {
    return 0; // the process has ended
  }
}

/** Resident memory of a process and its descendants. */
function residentOf(pid) {
  let below = [];
  try {
    below = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").filter(Boolean);
  } catch {
    // the process has ended
  }
  return residentAlone(pid) + below.reduce((sum, child) => sum + residentOf(child), 0);
}

/** A picture like a photograph: soft shapes with grain. */
async function photograph(width, height) {
  const grain = await sharp({
    create: { width, height, channels: 3, noise: { type: "gaussian", mean: 120, sigma: 45 } },
  })
    .blur(2.5)
    .raw()
    .toBuffer();
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at += 3) {
      const light = 60 * Math.sin(x / 310) * Math.cos(y / 270) + (y * 60) / height - 30;
      for (let c = 0; c < 3; c++) grain[at + c] = Math.max(0, Math.min(255, grain[at + c] + light * (1 - c / 4)));
    }
  }
  return sharp(grain, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 90 })
    .toBuffer();
}

function noise(width, height) {
  return sharp(randomBytes(width * height * 3), { raw: { width, height, channels: 3 } })
    .png({ compressionLevel: 1 })
    .toBuffer();
}

function text(url, agent) {
  return new Promise((resolve, reject) => {
    get(url, { agent }, (response) => {
      response.resume();
      response.on("end", () =>
        response.statusCode === 200 ? resolve() : reject(new Error(`${url}: ${response.statusCode}`)),
      );
    }).on("error", reject);
  });
}

function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
