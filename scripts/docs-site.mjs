/**
 * `npm run docs [-- --out <folder>]`: the documentation as a site, built by `cms build` (docs/site/ has its settings and
 * templates). The site is made in a temporary folder, since a site is the root of its own repository.
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { siteFiles } from "./docs-site/content.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const { values } = parseArgs({ options: { out: { type: "string", default: "docs/site/dist" } } });

function run(program, args, cwd) {
  const { status, error } = spawnSync(program, args, { cwd, stdio: ["ignore", "inherit", "inherit"] });
  if (status !== 0) throw error ?? new Error(`${program} ${args.join(" ")} ended with ${status}`);
}

const dir = mkdtempSync(join(tmpdir(), "cms-docs-"));
try {
  for (const name of ["cms.config.mjs", "docs-plugin.mjs", "templates", "media"])
    cpSync(join(ROOT, "docs/site", name), join(dir, name), { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), join(dir, "node_modules"));
  const { texts, copies } = siteFiles(ROOT);
  for (const [path, text] of Object.entries({ ...texts, ".gitignore": "node_modules\n" })) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
  for (const path of copies) cpSync(join(ROOT, path), join(dir, "media/files", path), { recursive: true });
  run("git", ["init", "--quiet", "--initial-branch=main"], dir);
  run("git", ["add", "--all"], dir);
  const identity = ["-c", "user.name=docs", "-c", "user.email=docs@cms.invalid", "-c", "commit.gpgsign=false"];
  run("git", [...identity, "commit", "--quiet", "--message=The documentation"], dir);
  run(
    process.execPath,
    [join(ROOT, "bin/cms.cjs"), "build", "--full", "--root", dir, "--out", resolve(ROOT, values.out)],
    dir,
  );
} finally {
  rmSync(dir, { recursive: true, force: true });
}
