/**
 * What a person waits for in the editor on a large site, in Chromium, beside the same steps in Keystatic on as many
 * entries of the same texts.
 *
 *   node bench/editor.mjs [pages] [--rounds 5] [--no-peer] [--write]
 *
 * Each step ends when its result is on the screen. The peer is installed from the registry, which takes minutes.
 * `--write` puts the table into docs/performance.md.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { servePeer } from "./editor/peer.mjs";
import { CLI, makeSite, ROOT, serve } from "./performance/site.mjs";
import { median } from "./timing.mjs";

const PASSWORD = "a-long-password-of-the-bench";
const BROWSER = {
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"],
};
const START = "<!-- figures of `node bench/editor.mjs --write` -->";
const END = "<!-- end of the editor's figures -->";
/** In milliseconds; a page that takes longer than this has failed. */
const PATIENCE = 120_000;

/** The steps, in order; each is timed until it resolves. `id` is a page that was not opened before. */
const OURS = {
  async first(page, origin) {
    await page.goto(`${origin}/admin/pages`);
    await page
      .getByRole("link", { name: /^Page \d+ en$/ })
      .first()
      .waitFor();
  },
  async search(page, _, id) {
    await page.getByRole("searchbox", { name: "Search pages" }).fill(`Page ${id} en`);
    await page.getByRole("link", { name: `Page ${id} en`, exact: true }).waitFor();
  },
  async open(page, _, id) {
    await page.getByRole("link", { name: `Page ${id} en`, exact: true }).click();
    await page.getByRole("textbox", { name: "Title", exact: true }).waitFor();
  },
  type: (page) => page.getByRole("textbox", { name: "Description", exact: true }),
  async save(page) {
    await page.keyboard.press("Control+s");
    await page.getByText("Saved", { exact: true }).first().waitFor();
  },
};
const PEER = {
  async first(page, origin) {
    await page.goto(`${origin}/keystatic/collection/pages`);
    await page.getByRole("rowheader").first().waitFor();
  },
  async search(page, _, id) {
    await page.getByRole("searchbox").fill(`p${id}`);
    await page.getByRole("rowheader", { name: "p1", exact: true }).waitFor({ state: "detached" });
    await page.getByRole("rowheader", { name: `p${id}`, exact: true }).waitFor();
  },
  async open(page, _, id) {
    await page.getByRole("row", { name: `p${id}`, exact: true }).click();
    await page.getByRole("textbox", { name: "Description" }).waitFor();
  },
  type: (page) => page.getByRole("textbox", { name: "Description" }),
  async save(page) {
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Unsaved", { exact: true }).waitFor({ state: "detached" });
    await page.getByRole("progressbar").waitFor({ state: "detached" });
  },
};
const SUBJECTS = {
  first: "list of pages, from a new tab until the first rows",
  search: "search, from the text until its result",
  open: "a page, from the click until its form",
  type: "one key in a text, until it is painted (slowest of 20)",
  save: "save, until it is confirmed",
};

const args = process.argv.slice(2);
const rounds = args.includes("--rounds") ? Number(args[args.indexOf("--rounds") + 1]) : 5;
const pages = Number(args.find((each) => /^\d+$/.test(each) && args[args.indexOf(each) - 1] !== "--rounds") ?? 10_000);
const folder = mkdtempSync(join(tmpdir(), "git-cms-editor-"));
try {
  const ours = await measureOurs(join(folder, "site"));
  const peer = args.includes("--no-peer") ? {} : await measurePeer(join(folder, "peer"));
  const rows = Object.entries(SUBJECTS).map(([step, subject]) => ({ subject, ours: ours[step], theirs: peer[step] }));
  const table = tableOf(rows);
  console.log(table);
  if (args.includes("--write")) writeTable(table);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function measureOurs(dir) {
  mkdirSync(dir);
  makeSite(dir, pages);
  const flags = ["user", "add", "bench", "--staff", "--superuser", "--root", dir, "--quiet"];
  execFileSync(process.execPath, [CLI, ...flags], { input: `${PASSWORD}\n` });
  const server = await serve(dir);
  try {
    return await measured(OURS, server.origin, async (page) => {
      await page.goto(`${server.origin}/admin/`);
      await page.getByRole("textbox", { name: "User name" }).fill("bench");
      await page.getByRole("textbox", { name: "Password" }).fill(PASSWORD);
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Home", level: 1 }).waitFor();
    });
  } finally {
    await server.close();
  }
}

async function measurePeer(dir) {
  mkdirSync(dir);
  const server = await servePeer(dir, pages);
  try {
    return await measured(PEER, server.origin, async () => {});
  } finally {
    await server.close();
  }
}

/** By step, the median of the rounds, in milliseconds; a warm-up comes first. */
async function measured(steps, origin, prepare) {
  const browser = await chromium.launch(BROWSER);
  try {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    context.setDefaultTimeout(PATIENCE);
    const first = await context.newPage();
    await prepare(first);
    await first.close();
    const times = {};
    for (let round = 0; round <= rounds; round++) {
      const id = pages - 11 * round;
      const page = await context.newPage();
      for (const [step, work] of Object.entries(steps)) {
        const ms = step === "type" ? await slowestKey(page, work(page)) : await timed(() => work(page, origin, id));
        if (round > 0) (times[step] ??= []).push(ms);
      }
      await page.close();
    }
    return Object.fromEntries(Object.entries(times).map(([step, all]) => [step, median(all)]));
  } finally {
    await browser.close();
  }
}

async function timed(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** From each key until the frame after it, as the page itself sees it; the slowest of twenty, in milliseconds. */
async function slowestKey(page, field) {
  await field.focus();
  await page.evaluate(() => {
    globalThis.paints = [];
    addEventListener(
      "keydown",
      ({ timeStamp }) => {
        requestAnimationFrame(() => setTimeout(() => globalThis.paints.push(performance.now() - timeStamp)));
      },
      { capture: true },
    );
  });
  for (const key of "twenty keys of text.") await page.keyboard.press(key === " " ? "Space" : key, { delay: 30 });
  await page.waitForFunction(() => globalThis.paints.length >= 20);
  return page.evaluate(() => Math.max(...globalThis.paints));
}

function tableOf(rows) {
  const ms = (value) => (value === undefined ? "" : `${Math.round(value).toLocaleString("en")} ms`);
  const ratio = ({ ours, theirs }) => (theirs === undefined ? "" : (ours / theirs).toFixed(2));
  return [
    `| ${pages.toLocaleString("en")} pages | git-cms | Keystatic | ratio |`,
    "|---|---|---|---|",
    ...rows.map((row) => `| ${row.subject} | ${ms(row.ours)} | ${ms(row.theirs)} | ${ratio(row)} |`),
  ].join("\n");
}

function writeTable(table) {
  const path = join(ROOT, "docs/performance.md");
  const before = readFileSync(path, "utf8");
  if (!before.includes(START)) throw new Error(`${path} has no place for the editor's figures`);
  writeFileSync(
    path,
    before.replace(new RegExp(`${START}[^]*${END}`), () => `${START}\n${table}\n${END}`),
  );
}
