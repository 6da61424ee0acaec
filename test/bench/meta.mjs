/**
 * A type with 10,000 instances: a filtered, sorted and paged list, and validated, committed writes, compared with
 * `git add && git commit` in the same repository.
 *
 * Runs against the compiled program: `npm run -s build && node test/bench/meta.mjs [instances] [rounds]`.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { addUser } from "../../dist/actions/accounts/accounts.js";
import { tokenOf } from "../../dist/actions/accounts/sign-in.js";
import { openCms } from "../../dist/cms.js";
import { silentLog, systemEnv } from "../../dist/env.js";
import { h3App } from "../../dist/http/app/h3-app.js";
import { median, percentile, timed } from "./timing.mjs";

const COUNT = Number(process.argv[2] ?? 10_000);
const ROUNDS = Number(process.argv[3] ?? 40);
const PER_FOLDER = 500;

const dir = mkdtempSync(join(tmpdir(), "cms-bench-meta-"));
const git = (...args) =>
  execFileSync("git", args, {
    cwd: dir,
    env: { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
    stdio: "ignore",
  });
const put = (path, text) => {
  mkdirSync(join(dir, path, ".."), { recursive: true });
  writeFileSync(join(dir, path), text);
};
const pathOf = (n) => `content/meta-instances/product/${Math.floor(n / PER_FOLDER)}/product-${n}.yaml`;
const created = (n) => new Date(1.7e12 + n * 60_000).toISOString();
const product = (n, name = `Product ${n}`) => `id: ${1000 + n}
meta_type: 1
identifier: product-${n}
created_at: ${created(n)}
data:
  name: ${name}
  text:
    en: ${"Some words about it, in English. ".repeat(6).trim()}
    it: ${"Qualche parola, in italiano. ".repeat(6).trim()}
  price: ${(n * 7919) % 1000}
  since: 2024-0${(n % 9) + 1}-01
  page: ${100 + (n % 100)}
  sizes:
    - label: S
      stock: ${n % 5}
    - label: L
      stock: ${n % 7}
`;
const TYPE = `id: 1
key: product
name: Product
schema:
  - { name: name, required: true, max_length: 80 }
  - { name: text, kind: text, translated: true }
  - { name: price, kind: number, minimum: 0, required: true }
  - { name: since, kind: date }
  - { name: page, kind: ref, target_model: cms.Page }
  - { name: more, kind: permalink }
  - { name: sizes, kind: list, children: [{ name: label, required: true }, { name: stock, kind: integer }] }
`;

const show = (label, text) => console.log(`${label.padEnd(58)}${text}`);
const ms = (numbers) =>
  `median ${median(numbers).toFixed(1)} ms, 95 of 100 within ${percentile(numbers, 0.95).toFixed(1)} ms`;

/** The longest time the event loop was blocked while the work ran. */
async function longestPause(work) {
  let longest = 0;
  let last = performance.now();
  const tick = setInterval(() => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  }, 1);
  await work();
  longest = Math.max(longest, performance.now() - last);
  clearInterval(tick);
  return longest;
}

try {
  git("init", "--quiet", "--initial-branch=main");
  for (const [key, value] of [
    ["user.name", "Bench"],
    ["user.email", "bench@example.org"],
    ["gc.auto", "0"],
  ])
    git("config", key, value);
  put("cms.config.yaml", "LANGUAGES: { en: English, it: Italiano }\n");
  put("content/meta-types/product.yaml", TYPE);
  for (let n = 0; n < 100; n++)
    put(
      `content/pages/page-${n}.yaml`,
      `id: ${100 + n}\ntranslations:\n  en:\n    title: Page ${n}\n    permalink: /page-${n}\n`,
    );
  for (let n = 0; n < COUNT; n++) put(pathOf(n), product(n));
  git("add", ".");
  git("commit", "--quiet", "--message=Begin");

  const env = systemEnv(silentLog);
  let cms;
  show("first start", `${(await timed(async () => (cms = await openCms(dir, { env })))).ms.toFixed(0)} ms`);
  await cms.close();
  show("second start", `${(await timed(async () => (cms = await openCms(dir, { env })))).ms.toFixed(0)} ms`);
  const account = await addUser(cms.accounts, { username: "bench", password: "open-sesame-bench", is_staff: true });
  const authorization = `Token ${await tokenOf(cms.accounts, account)}`;
  const app = h3App(cms);
  const call = async (method, path, body) => {
    const response = await app.request(`http://bench.local/api/cms/${path}`, {
      method,
      headers: { authorization, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text === "" ? undefined : JSON.parse(text);
  };

  const list = (query) => call("GET", `meta-instances/?items=30&page=3&${query}`);
  for (const [name, query] of [
    ["page", ""],
    ["filter, sort and page", "fltr=data__price__gte=500&sort=-data__price"],
    [
      "filter by type and nested key, sort by date and name",
      "fltr=meta_type__key=product AND data__since__gt=2024-05-01&sort=data__since,-data__name",
    ],
    ["search", "search=product 99"],
    ["search in all that can be read", "search=PAROLA"],
  ]) {
    const { ms: first } = await timed(() => list(query));
    const times = [];
    for (let round = 0; round < ROUNDS; round++) times.push((await timed(() => list(query))).ms);
    show(`list: ${name}`, `${ms(times)}; first ${first.toFixed(1)} ms`);
  }

  const writes = { patch: [], create: [], refuse: [], afterwards: [], git: [], pause: [], noticed: [] };
  for (let round = -5; round < ROUNDS; round++) {
    const n = ((round + 5) * 37) % COUNT;
    const data = {
      name: `Changed ${round}`,
      price: String(round + 10),
      sizes: [{ label: "M", stock: "3" }],
      page: { id: 101 },
    };
    const { ms: patch } = await timed(() => call("PATCH", `meta-instances/${1000 + n}/`, { data }));
    const { ms: afterwards } = await timed(() => list("fltr=data__price__gte=500&sort=-data__price"));
    const { ms: create } = await timed(() =>
      call("POST", "meta-instances/", { meta_type: 1, identifier: `new-${round}`, data }),
    );
    const { ms: refuse } = await timed(() =>
      call("POST", "meta-instances/", { meta_type: 1, data: { price: -1 } }).catch(() => undefined),
    );
    const pause = await longestPause(() =>
      call("PATCH", `meta-instances/${1000 + n}/`, { identifier: `paused-${round}` }),
    );
    const path = pathOf((n + 11) % COUNT);
    const { ms: theirs } = await timed(() => {
      put(path, product((n + 11) % COUNT, `Theirs ${round}`));
      git("add", path);
      git("commit", "--quiet", "--message=Save");
    });
    // As `cms serve` does when it notices a foreign commit.
    const { ms: noticed } = await timed(() => cms.store.refresh());
    if (round < 0) continue; // the first rounds warm up
    for (const [key, time] of Object.entries({ patch, create, refuse, afterwards, pause, noticed, git: theirs }))
      writes[key].push(time);
  }
  show("PATCH, validated and committed", ms(writes.patch));
  show("POST, validated and committed", ms(writes.create));
  show("POST, refused", ms(writes.refuse));
  show("longest pause of the server during a PATCH", ms(writes.pause));
  show("list: filter, sort and page, right after a write", ms(writes.afterwards));
  show("git add && git commit", ms(writes.git));
  show("taking in that commit", ms(writes.noticed));
  show("PATCH / git", (median(writes.patch) / median(writes.git)).toFixed(2));
  await cms.close();
} finally {
  rmSync(dir, { recursive: true, force: true });
}
