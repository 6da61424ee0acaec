/** The example of docs/hooks.md, with a server and a build: a scheduled page goes live, and the built site has it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { it, onTestFinished } from "vitest";
import { emptyFolder, eventually, serve, site } from "../cli/process.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const SECRET = "open sesame";

it("builds what a scheduled draft has changed", { timeout: 60_000 }, async () => {
  const folder = emptyFolder();
  const [, code = ""] = /```js\n([^]*?)```/.exec(readFileSync(`${ROOT}/docs/hooks.md`, "utf8"))!;
  writeFileSync(join(folder, "listener.mjs"), code);
  const { dir, save } = site();
  // The program is where `npm install` puts it, in no folder of the path; npx asks no registry.
  const program = join(dir, "node_modules/.bin/cms");
  mkdirSync(dirname(program), { recursive: true });
  writeFileSync(program, `#!/bin/sh\nexec ${process.execPath} ${ROOT}bin/cms.cjs "$@"\n`);
  chmodSync(program, 0o755);
  const env = { ...process.env, CMS_HOOK_SECRET: SECRET, npm_config_offline: "true" };
  const listener = spawn(process.execPath, [join(folder, "listener.mjs"), dir, "0"], { env });
  listener.stderr.resume();
  onTestFinished(async () => {
    listener.kill();
    if (listener.exitCode === null && listener.signalCode === null) await once(listener, "close");
  });
  const [said] = (await once(listener.stdout, "data")) as [Buffer];
  const [port] = /\d+/.exec(said.toString())!;
  const hook = `{ URL: "http://127.0.0.1:${port}/", SECRET: env:CMS_HOOK_SECRET, PRIVATE: true }`;
  save("cms.config.yaml", `LANGUAGES: { en: English }\nHOOKS: [${hook}]\n`);
  await serve(dir, [], { env: { CMS_HOOK_SECRET: SECRET } });
  await eventually(async () => existsSync(join(dir, ".git/cms/hooks")));
  const at = new Date(Date.now() + 1_000).toISOString();
  save("content/pages/about.draft.en.yaml", `scheduled_for: ${at}\npayload:\n  title: On time\n`);
  const isBuilt = async () =>
    existsSync(join(dir, "dist/on-time/index.html")) &&
    readFileSync(join(dir, "dist/on-time/index.html"), "utf8") === "<h1>On time</h1>";
  await eventually(isBuilt, 40_000);
  // Written last: the build has ended.
  await eventually(async () => existsSync(join(dir, "dist/.cms-manifest.json")));
});
