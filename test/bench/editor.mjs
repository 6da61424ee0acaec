/**
 * What a person waits for in the editor on a large site, in Chromium, beside the same steps in Keystatic on as many
 * entries of the same texts.
 *
 *   node test/bench/editor.mjs [pages] [--rounds 5] [--no-peer] [--write]
 *
 * Each step ends when its result is on the screen. A key is measured in processor time of the page's main thread, which other
 * work on the machine changes little: handling it, and the frame that shows it. The peer is installed from the registry, which
 * takes minutes. `--write` puts the table into docs/performance.md.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { makeBeds, servePeer } from "./editor/peer.mjs";
import { CLI, git, makeSite, ROOT, serve, TEMPLATE } from "./performance/site.mjs";
import { median } from "./timing.mjs";

const PASSWORD = "a-long-password-of-the-bench";
const BROWSER = {
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"],
};
const START = "<!-- figures of `node test/bench/editor.mjs --write` -->";
const END = "<!-- end of the editor's figures -->";
/** In milliseconds; a page that takes longer than this has failed. */
const PATIENCE = 120_000;
/** In milliseconds: more than any pause in typing that an editor waits for. */
const PAUSE = 2_000;
const ITEMS = 1_000;
const args = process.argv.slice(2);
const rounds = args.includes("--rounds") ? Number(args[args.indexOf("--rounds") + 1]) : 5;
const pages = Number(args.find((each) => /^\d+$/.test(each) && args[args.indexOf(each) - 1] !== "--rounds") ?? 10_000);

/** The id of a page that has a list. */
const LISTING = pages + 1;
const LIST_MODEL = `default_template: ${TEMPLATE}
schema:
  - { name: body, kind: text }
  - { name: beds, kind: list, children: [{ name: kind, kind: string }, { name: count, kind: integer }] }
`;

/**
 * The steps, in order; each is timed until it resolves, but for `type` and `typeBesideList`: these open the text that is typed
 * into. `id` is a page that was not opened before.
 */
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
  async typeBesideList(page, origin) {
    await page.goto(`${origin}/admin/pages/${LISTING}`);
    return page.getByRole("textbox", { name: "Description", exact: true });
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
  async typeBesideList(page, origin) {
    await page.goto(`${origin}/keystatic/collection/pages/item/p${LISTING}`);
    return page.getByRole("textbox", { name: "Description" });
  },
};
const SUBJECTS = {
  first: "list of pages, from a new tab until the first rows",
  search: "search, from the text until its result",
  open: "a page, from the click until its form",
  type: "one key in a text, in processor time of the page: its handling and its frame",
  typeSlowest: "the slowest of 20 such keys",
  typeBesideList: `one key in a text beside a list of ${ITEMS.toLocaleString("en")} items, in the same way`,
  typeBesideListSlowest: "the slowest of 20 such keys",
  save: "save, until it is confirmed",
};

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
  mkdirSync(join(dir, "content/page-models"));
  writeFileSync(join(dir, "content/page-models/list.yaml"), LIST_MODEL);
  const texts = `  en:\n    title: List\n    permalink: /list\n    template_data: { beds: ${JSON.stringify(makeBeds(ITEMS))} }\n`;
  writeFileSync(join(dir, `content/pages/p${LISTING}.yaml`), `id: ${LISTING}\nmodel: list\ntranslations:\n${texts}`);
  git(dir, "add", "-A");
  git(dir, "commit", "-qm", "A list");
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
  const server = await servePeer(dir, pages, makeBeds(ITEMS));
  try {
    return await measured(PEER, server.origin, async () => {});
  } finally {
    await server.close();
  }
}

/** By subject, the median of the rounds, in milliseconds; a warm-up comes first. */
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
        const results = step.startsWith("type")
          ? await keys(page, step, await work(page, origin))
          : { [step]: await timed(() => work(page, origin, id)) };
        if (round > 0) for (const [subject, ms] of Object.entries(results)) (times[subject] ??= []).push(ms);
      }
      await page.close();
    }
    return Object.fromEntries(Object.entries(times).map(([subject, all]) => [subject, median(all)]));
  } finally {
    await browser.close();
  }
}

async function timed(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** The median and the slowest of twenty keys, in milliseconds of processor time of the page's main thread. */
async function keys(page, step, field) {
  await field.focus();
  // What the page does once it is open, and once a pause in typing is over, is no part of a key.
  await page.waitForTimeout(PAUSE);
  const thread = await page.context().newCDPSession(page);
  await thread.send("Performance.enable");
  const spent = async (key) => {
    const before = await threadMs(thread);
    if (key !== undefined) await page.keyboard.press(key === " " ? "Space" : key);
    await page.evaluate(() => new Promise((shown) => requestAnimationFrame(() => setTimeout(shown))));
    return (await threadMs(thread)) - before;
  };
  const text = [..."twenty keys of text."];
  const idle = [];
  for (const _ of text) idle.push(await spent());
  const typed = [];
  for (const key of text) typed.push((await spent(key)) - median(idle));
  await thread.detach();
  return { [step]: median(typed), [`${step}Slowest`]: Math.max(...typed) };
}

/** Processor time of the page's main thread so far. */
async function threadMs(session) {
  const { metrics } = await session.send("Performance.getMetrics");
  return metrics.find(({ name }) => name === "ThreadTime").value * 1000;
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
