// Builds dist/ and bundle/. With --if-stale, only if there is no bundle or a source is newer.
import { spawnSync } from "node:child_process";
import { readdirSync, rmSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const changedAt = (path) => statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;
const below = (folder) => readdirSync(join(root, folder), { recursive: true }).map((path) => `${folder}/${path}`);

const built = changedAt("bundle/main.js");
if (process.argv.includes("--if-stale") && built > 0) {
  const sources = ["package-lock.json", ...below("src"), ...below("scripts")];
  if (sources.every((path) => changedAt(path) < built)) process.exit(0);
}
let tsc;
try {
  tsc = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin/tsc");
} catch {
  console.error("git-cms: TypeScript is not installed: run `npm ci` with the dev dependencies.");
  process.exit(1);
}
rmSync(join(root, "dist"), { recursive: true, force: true }); // else modules that were renamed would stay
const steps = [
  [tsc, "-p", "scripts/tsconfig.build.json"],
  [tsc, "-p", "scripts/tsconfig.bridge.json"],
  ["scripts/bundle.mjs"],
  ["scripts/bundle-admin.mjs"],
];
for (const step of steps) {
  const { status } = spawnSync(process.execPath, step, { cwd: root, stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}
