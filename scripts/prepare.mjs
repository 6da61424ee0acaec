// Builds dist/ and bundle/ on `npm ci`. Without the dev dependencies (a production prune) an existing build is kept.
import { spawnSync } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
let tsc;
try {
  tsc = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin/tsc");
} catch {
  if (existsSync(join(root, "bundle/main.js"))) process.exit(0);
  console.error("git-cms: bundle/ is missing and TypeScript is not installed: run `npm ci` with the dev dependencies.");
  process.exit(1);
}
rmSync(join(root, "dist"), { recursive: true, force: true }); // else modules that were renamed would stay
for (const step of [[tsc, "-p", "tsconfig.build.json"], ["scripts/bundle.mjs"], ["scripts/bundle-admin.mjs"]]) {
  const { status } = spawnSync(process.execPath, step, { cwd: root, stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}
