/**
 * Importing a folder of Markdown into a new site, on the disk of TMPDIR:
 * `npm run -s build && node test/bench/import.mjs [files]`.
 *
 * Prints the time of the import, one commit, beside that of reading and parsing the same files: `readMarkdownSite` alone, which is
 * the first part of the import, and plain reading with the parsers that programs of this kind use (front matter with `yaml`, text with
 * `markdown-it`). The least that writing can take is that of a plain loop: it hashes and compresses the imported files, creates each
 * under a temporary name, syncs it, and links it to its own.
 * Each by the clock, and in processor time of all threads, which other work on the machine disturbs less.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  closeSync,
  fstatSync,
  fsync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { deflateSync } from "node:zlib";
import MarkdownIt from "markdown-it";
import { parse } from "yaml";
import { importSite } from "../../dist/import/import-site.js";
import { readMarkdownSite } from "../../dist/import/markdown/markdown-site.js";
import { openCms } from "../../dist/index.js";
import { timed } from "./timing.mjs";

// The thread pool takes its size before the first module is loaded: that of the command (bin/cms.cjs).
if (process.env.UV_THREADPOOL_SIZE === undefined) {
  const env = { ...process.env, UV_THREADPOOL_SIZE: "16" };
  process.exit(spawnSync(process.execPath, process.argv.slice(1), { env, stdio: "inherit" }).status ?? 1);
}

const FILES = Number(process.argv[2] ?? 10_000);

const dir = mkdtempSync(join(tmpdir(), "cms-import-bench-"));
const old = join(dir, "old");
const root = join(dir, "site");
const git = (...args) =>
  execFileSync("git", ["-c", "user.name=Bench", "-c", "user.email=bench@example.org", ...args], { cwd: root });

/** A post of two kilobytes, with links to others, tags and an alias. */
const post = (n) => `---
title: Post ${n}
date: ${new Date(Date.UTC(2015, 0, 1) + n * 3_600_000).toISOString()}
description: What post ${n} is about
tags: [tag-${n % 50}, tag-${n % 7}]
aliases: [/old/${n}/]
---
# Post ${n}

See [the next](/posts/post-${(n + 1) % FILES}/) and **another** one.

${"A paragraph of some words that say nothing, but are as long as those of a post may be. ".repeat(5)}

- one
- two

${"More of the same, with *emphasis* and [a link](https://example.org/). ".repeat(15)}
`;

function makeFolder() {
  for (let n = 0; n < FILES; n++) {
    const folder = join(old, "content/posts");
    if (n === 0) mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `post-${n}.md`), post(n));
  }
  writeFileSync(join(old, "hugo.toml"), 'baseURL = "https://old.example/"\nlanguageCode = "en"\ntitle = "Old"\n');
  mkdirSync(root);
  writeFileSync(join(root, "cms.config.yaml"), "LANGUAGES: { en: English }\n");
  git("init", "-q", "-b", "main");
  git("add", ".");
  git("commit", "-qm", "Start");
}

function readPlainly() {
  const markdown = new MarkdownIt();
  for (const name of readdirSync(join(old, "content/posts"))) {
    const [, front, text] = readFileSync(join(old, "content/posts", name), "utf8").split("---\n");
    parse(front);
    markdown.parse(text, {});
  }
}

/** As many syncs at a time as an import has. */
const SYNCS = 16;

async function writePlainly(texts) {
  const bare = join(dir, "bare");
  for (const folder of ["temporary", "files"]) mkdirSync(join(bare, folder), { recursive: true });
  const sync = promisify(fsync);
  const open = texts.entries();
  const worker = async () => {
    for (const [n, text] of open) {
      createHash("sha1").update(`blob ${text.length}\0`).update(text).digest();
      deflateSync(text, { level: 1 });
      const temporary = join(bare, "temporary", `${n}`);
      const file = openSync(temporary, "wx");
      writeSync(file, text);
      await sync(file);
      fstatSync(file);
      closeSync(file);
      linkSync(temporary, join(bare, "files", `${n}.yaml`));
      unlinkSync(temporary);
    }
  };
  await Promise.all(Array.from({ length: SYNCS }, worker));
}

/** As `timed`, with the processor time of all threads, in milliseconds. */
async function measured(work) {
  const began = process.cpuUsage();
  const { value, ms } = await timed(work);
  const { user, system } = process.cpuUsage(began);
  return { value, ms, cpu: (user + system) / 1000 };
}

const show = (label, clock, processor = "") => console.log(label.padEnd(46) + clock.padEnd(12) + processor);
const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;
const showTimes = (label, { ms, cpu }) => show(label, seconds(ms), seconds(cpu));
const showRatio = (label, a, b) => show(label, (a.ms / b.ms).toFixed(2), (a.cpu / b.cpu).toFixed(2));

try {
  makeFolder();
  const plain = await measured(readPlainly);
  const cms = await openCms(root);
  const steps = new Map();
  const onStep = (step) => steps.set(step, (steps.get(step) ?? 0) + 1);
  const read = await measured(() => readMarkdownSite(old, { from: "hugo", locales: cms.locales, onStep }));
  const by = { name: "Bench", email: "bench@example.org" };
  const written = await measured(() => importSite(cms, by, read.value.site, { name: "markdown", onStep }));
  const { counts, committed } = written.value;
  await cms.close();
  if (!committed || counts.failed > 0) throw new Error(`The import failed: ${JSON.stringify(counts)}`);
  const commits = git("rev-list", "--count", "HEAD~1..HEAD").toString().trim();
  const content = join(root, "content");
  const files = readdirSync(content, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const texts = files.map((entry) => readFileSync(join(entry.parentPath, entry.name)));
  const floor = await measured(() => writePlainly(texts));
  const total = { ms: read.ms + written.ms, cpu: read.cpu + written.cpu };
  show("", "clock", "processor");
  showTimes(`${FILES} files, ${commits} commit, ${counts.created} records`, total);
  showTimes("of it reading and parsing", read);
  showTimes("of it writing", written);
  showTimes("reads, yaml and markdown-it alone", plain);
  showTimes("the same files, written plainly", floor);
  showRatio("import / reading and parsing", total, read);
  showRatio("import / plain reading and parsing", total, plain);
  show("steps of progress", [...steps].map(([step, count]) => `${step} ${count}`).join(", "));
} finally {
  rmSync(dir, { recursive: true, force: true });
}
