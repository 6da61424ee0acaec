/** The command is `cms`, and the same under the package's own name, so that `npx git-cms` works. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

it.each(["cms", "git-cms"])("%s is an executable of the package", (name) => {
  const { bin, version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
    bin: Record<string, string>;
    version: string;
  };
  const dir = mkdtempSync(join(tmpdir(), "cms-bin-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  symlinkSync(join(ROOT, bin[name]!), join(dir, name)); // as npm installs it
  expect(execFileSync(join(dir, name), ["--version"], { encoding: "utf8" }).trim()).toBe(version);
});
