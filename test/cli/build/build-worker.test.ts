/** The worker process of a build: it opens the site and makes pages, whether it or the builder is first. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import type { WorkerReply } from "../../../src/static-site/workers/protocol.ts";
import { emptyFolder, PAGE, site } from "../process.ts";

const HAND = fileURLToPath(new URL("../../../bundle/build-worker.js", import.meta.url));
const pages = Object.fromEntries(
  Array.from({ length: 300 }, (_, n) => [`content/pages/p${String(n).padStart(3, "0")}.yaml`, PAGE(1000 + n, `P${n}`)]),
);

function start(root: string, ...share: string[]) {
  const child = fork(HAND, [root, ...share], {
    serialization: "advanced",
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const said: object[] = [];
  child.on("message", (message) => void said.push(message as object));
  return {
    child,
    /** The next message that has the key. */
    async next<K extends string>(key: K): Promise<any> {
      for (;;) {
        const at = said.findIndex((message) => key in message);
        if (at >= 0) return said.splice(at, 1)[0];
        await once(child, "message");
      }
    },
  };
}

const ORDER = (out: string) => ({
  open: { out, html: true, json: false, now: "2026-06-01T00:00:00.000Z" },
});

// oxfmt-ignore
it.each([
  ["sends the shares before the worker has started", true],
  ["waits for the share of the worker",             false],
])("works with a builder that %s", async (_what, isEarly) => {
  const { dir } = site(pages);
  const [out, shares] = [emptyFolder(), emptyFolder()];
  const [own, its] = [join(shares, "0"), join(shares, "1")];
  writeFileSync(own, "");
  const { child, next } = start(dir, "1", "2", its);
  const give = (): void => void child.send({ given: isEarly ? [] : [own, its] });
  if (isEarly) give();
  if (isEarly) child.send(ORDER(out));
  expect(await next("share")).toEqual({ share: its });
  expect(readFileSync(its).length).toBeGreaterThan(1_000);
  if (!isEarly) give();
  if (!isEarly) child.send(ORDER(out));
  expect((await next("contentId")).contentId).toMatch(/^[0-9a-f]{40} \S+$/);
  child.send({ make: [[3, "somewhere"]] });
  const { outcomes } = (await next("outcomes")) as Extract<WorkerReply, { outcomes: unknown }>;
  expect(outcomes).toMatchObject([{ at: 3, written: 1, page: { language_code: "en" } }]);
  expect(existsSync(join(out, "somewhere/index.html"))).toBe(true);
});

it("sends the failures of a plugin with the outcome of the page", async () => {
  const { dir, save } = site({
    "templates/defaults/pages/default.html": "{{ page.title | shout }} {{ page.id | double }}",
  });
  save("cms.config.yaml", "LANGUAGES: { en: English }\nplugins: [loud.mjs]\n");
  save(
    "loud.mjs",
    `const shout = () => { throw new Error("too quiet"); };
    export default { name: "loud", filters: { shout, double: (number) => 2 * number } };`,
  );
  const out = emptyFolder();
  const { child, next } = start(dir);
  child.send(ORDER(out));
  await next("contentId");
  child.send({ make: [[0, "about"]] });
  const { outcomes } = (await next("outcomes")) as Extract<WorkerReply, { outcomes: unknown }>;
  expect(outcomes).toMatchObject([
    { at: 0, written: 1, errors: ['The plugin "loud" failed in filters.shout: too quiet'], page: { templates: -1 } },
  ]);
  expect(readFileSync(join(out, "about/index.html"), "utf8")).toMatch(/^ \d+$/);
});

it("ends without output when the site cannot be opened, or the builder has ended", async () => {
  const broken = start(emptyFolder());
  expect((await once(broken.child, "exit"))[0]).toBe(1);
  const { dir } = site();
  const { child } = start(dir);
  child.send(ORDER(emptyFolder()));
  child.disconnect();
  expect((await once(child, "exit"))[0]).toBe(0);
});
