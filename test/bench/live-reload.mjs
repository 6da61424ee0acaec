/**
 * From a saved template to the new page on the screen, in a browser: `cms serve --dev`, and beside it a bare server that
 * has the page load again at the first event of `fs.watch`. `npm run build` first; needs chromium.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, watch, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const ROUNDS = Number(process.argv[2] ?? 15);
const CMS = fileURLToPath(new URL("../../bin/cms.cjs", import.meta.url));
const dir = mkdtempSync(join(tmpdir(), "cms-reload-"));
const root = join(dir, "site");
const plain = join(dir, "page.html");

spawnSync(process.execPath, [CMS, "init", root, "--bare-site"], { stdio: "ignore" });
const template = join(root, "templates/defaults/pages/default.html");
const withHeading = (n) => `<!doctype html><body><h1>Save ${n}</h1></body>`;
writeFileSync(template, withHeading(0));
writeFileSync(plain, withHeading(0));

const served = spawn(process.execPath, [CMS, "serve", "--dev", "--root", root, "--port", "0"], {
  stdio: ["ignore", "ignore", "pipe"],
});
const url = await new Promise((resolve) => {
  let said = "";
  served.stderr.on("data", (chunk) => {
    said += chunk;
    const found = /Site +(http:\S+)/.exec(said);
    if (found) resolve(found[1]);
  });
});
const streams = new Set();
const bare = createServer((request, response) => {
  if (request.url === "/events") {
    response.writeHead(200, { "content-type": "text/event-stream" });
    streams.add(response.on("close", () => streams.delete(response)));
    return;
  }
  const script = `<script>new EventSource("/events").onmessage = () => location.reload()</script>`;
  response.writeHead(200, { "content-type": "text/html" }).end(readFileSync(plain, "utf8") + script);
});
watch(plain, () => streams.forEach((each) => each.write("data: x\n\n")));
bare.listen(0, "127.0.0.1");
await once(bare, "listening");

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox"],
});
const subjects = [
  { name: "cms serve --dev", file: template, page: await browser.newPage(), address: url, took: [] },
  {
    name: "bare fs.watch",
    file: plain,
    page: await browser.newPage(),
    address: `http://127.0.0.1:${bare.address().port}/`,
    took: [],
  },
];
for (const { page, address } of subjects) await page.goto(address);
for (let round = 1; round <= ROUNDS; round++) {
  for (const { page, file, took } of subjects) {
    await page.bringToFront();
    await new Promise((resolve) => setTimeout(resolve, 300)); // a page in front connects again
    const began = performance.now();
    writeFileSync(file, withHeading(round));
    await page.getByText(`Save ${round}`, { exact: true }).waitFor();
    took.push(performance.now() - began);
  }
}
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const [ours, theirs] = subjects.map(({ took }) => median(took));
for (const { name, took } of subjects)
  console.log(`${name.padEnd(18)} ${median(took).toFixed(0)} ms (at most ${Math.max(...took).toFixed(0)} ms)`);
console.log(`ratio              ${(ours / theirs).toFixed(2)}`);

await browser.close();
bare.close();
bare.closeAllConnections();
served.kill();
await once(served, "exit");
rmSync(dir, { recursive: true });
process.exit(0);
