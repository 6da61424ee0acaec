/** The compiled code that a command keeps for its next start (`bin/load.cjs`), in a copy of the built program. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { GIT_ENV } from "../store/git/git-site.ts";
import { emptyFolder, PAGE, site } from "./process.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** A copy of the program that has kept no code, and a site. */
function installed() {
  const program = emptyFolder();
  for (const part of ["bin", "package.json", "templates", "content", "media"])
    cpSync(join(ROOT, part), join(program, part), { recursive: true });
  cpSync(join(ROOT, "bundle"), join(program, "bundle"), {
    recursive: true,
    filter: (path) => !/\.(map|code)$/.test(path),
  });
  symlinkSync(join(ROOT, "node_modules"), join(program, "node_modules"));
  const { dir } = site({ "content/pages/a.yaml": PAGE(1, "A") });
  const bundle = join(program, "bundle");
  return {
    program,
    dir,
    kept: join(bundle, "check.code"),
    keptFiles: () => readdirSync(bundle).filter((name) => name.includes(".code")),
    /** Replaces a text in the bundle by one of the same length. */
    change(before: string, after: string): void {
      expect(after).toHaveLength(before.length);
      const files = readdirSync(bundle).filter((name) => name.endsWith(".js"));
      const found = files.filter((name) => readFileSync(join(bundle, name), "utf8").includes(before));
      expect(found).toHaveLength(1);
      const path = join(bundle, found[0]!);
      writeFileSync(path, readFileSync(path, "utf8").replaceAll(before, after));
    },
    /** What `cms check` prints. */
    check: (args: readonly string[] = [], flags: readonly string[] = []): Promise<string> =>
      new Promise((resolve) => {
        const line = [...flags, join(program, "bin/cms.cjs"), "check", "--root", dir, ...args];
        execFile(process.execPath, line, { env: GIT_ENV }, (error, out, err) =>
          resolve(`${error?.code ?? 0} ${out}${err}`),
        );
      }),
  };
}

const CLEAN = /^0 [^]*No problems\.\n/;
const versionOf = (path: string): string => `${statSync(path).ino} ${statSync(path).mtimeMs}`;

it("keeps the code of a command at its end, and runs it from there", async () => {
  const { check, kept, keptFiles } = installed();
  const first = await check();
  expect(first).toMatch(CLEAN);
  expect(keptFiles()).toEqual(["check.code"]);
  const before = versionOf(kept);
  expect(await check()).toBe(first);
  expect(versionOf(kept)).toBe(before);
});

it("runs the program as it is now, also where a changed file has the length it had", async () => {
  const { check, change } = installed();
  expect(await check()).toMatch(CLEAN);
  change('"No problems"', '"All is good"');
  expect(await check()).toMatch(/^0 [^]*All is good\.\n/);
});

it("imports the modules of a site from kept code, too", async () => {
  const { check, dir } = installed();
  rmSync(join(dir, "cms.config.yaml"));
  writeFileSync(join(dir, "cms.config.mjs"), 'export default { LANGUAGES: { en: "English", it: "Italiano" } };\n');
  const first = await check();
  expect(first).toMatch(CLEAN);
  expect(await check()).toBe(first);
});

it("adds the code of modules that were not loaded before", async () => {
  const { check, kept } = installed();
  const help = await check(["--help"]);
  const before = statSync(kept).size;
  expect(await check()).toMatch(CLEAN);
  const { size } = statSync(kept);
  expect(size).toBeGreaterThan(1.5 * before);
  const written = versionOf(kept);
  expect(await check(["--help"])).toBe(help);
  expect(versionOf(kept)).toBe(written);
});

// oxfmt-ignore
it.each<[string, (bytes: Buffer) => Buffer]>([
  ["empty",          () => Buffer.alloc(0)],
  ["cut off",        (bytes) => bytes.subarray(0, bytes.length / 2)],
  ["with other code", (bytes) => Buffer.concat([bytes.subarray(0, -1000), Buffer.alloc(1000, 7)])],
  ["no code at all", () => Buffer.from("not compiled code, but a line of text\n")],
])("writes a file anew that is %s", async (_what, damage) => {
  const { check, kept } = installed();
  const first = await check();
  const whole = readFileSync(kept).length;
  writeFileSync(kept, damage(readFileSync(kept)));
  expect(await check()).toBe(first);
  expect(Math.abs(readFileSync(kept).length / whole - 1)).toBeLessThan(0.1);
  const before = versionOf(kept);
  expect(await check()).toBe(first);
  expect(versionOf(kept)).toBe(before);
});

it("compiles anew what V8 refuses, as with other flags", async () => {
  const { check, kept } = installed();
  const first = await check();
  const before = versionOf(kept);
  expect(await check([], ["--no-opt"])).toBe(first);
  expect(versionOf(kept)).not.toBe(before);
});

it("runs where nothing can be written", async () => {
  const { check, kept, keptFiles } = installed();
  mkdirSync(kept);
  expect(await check()).toMatch(CLEAN);
  expect(keptFiles()).toEqual(["check.code"]);
});

it("keeps nothing of a command that fails", async () => {
  const { check, keptFiles, dir } = installed();
  writeFileSync(join(dir, "content/pages/a.yaml"), "id: [\n");
  expect(await check()).toMatch(/^1 /);
  expect(keptFiles()).toEqual([]);
});

it("keeps the code of a server while it runs", async () => {
  const { program, dir, keptFiles } = installed();
  const child = spawn(process.execPath, [join(program, "bin/cms.cjs"), "serve", "--root", dir, "--port", "0"], {
    env: GIT_ENV,
    stdio: "ignore",
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  await expect.poll(keptFiles, { timeout: 30_000 }).toEqual(["serve.code"]);
  expect(child.exitCode).toBeNull();
  child.kill("SIGTERM");
  expect((await once(child, "exit"))[0]).toBe(0);
});

it.each([false, true])("loads a module once it can, which it could not before; with kept code: %s", async (isKept) => {
  const { program, dir, keptFiles } = installed();
  const bundle = join(program, "bundle");
  const start = async () => {
    const child = spawn(process.execPath, [join(program, "bin/cms.cjs"), "serve", "--root", dir, "--port", "0"], {
      env: GIT_ENV,
      stdio: ["ignore", "ignore", "pipe"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    let said = "";
    child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()));
    await expect.poll(() => said, { timeout: 30_000 }).toMatch(/http:\S+/);
    return { child, url: /http:\S+/.exec(said)![0] };
  };
  if (isKept) {
    const { child } = await start();
    await expect.poll(keptFiles, { timeout: 30_000 }).toEqual(["serve.code"]);
    child.kill("SIGTERM");
    await once(child, "exit");
  }
  const name = readdirSync(bundle).find((each) => /^h3-app.*\.js$/.test(each))!;
  renameSync(join(bundle, name), join(bundle, "away"));
  const { url } = await start();
  const write = async (): Promise<number> => (await fetch(`${url}api/cms/pages/`, { method: "POST" })).status;
  expect(await write()).toBe(500);
  expect((await fetch(`${url}healthz`)).status).toBe(200);
  renameSync(join(bundle, "away"), join(bundle, name));
  expect(await write()).toBe(401);
});
