/** A version of Node that is too old is told in one sentence, before anything that it cannot load. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { emptyDir, saveFile } from "../static-site/build-site.ts";
import { COMMAND } from "./process.ts";

function startOn(version: string): { readonly status: number | null; readonly said: string } {
  const dir = emptyDir();
  // Loading `load.cjs` or the bundle fails, as in an old version.
  saveFile(
    dir,
    "old.cjs",
    `Object.defineProperty(process.versions, "node", { value: "${version}" });
     const { _load } = require("module");
     require("module")._load = (name, ...rest) => {
       if (name === "./load.cjs") throw new TypeError("crc32 is not a function");
       return _load(name, ...rest);
     };`,
  );
  const { status, stdout, stderr } = spawnSync(process.execPath, ["-r", `${dir}/old.cjs`, COMMAND, "--version"], {
    encoding: "utf8",
  });
  return { status, said: stdout + stderr };
}

it.each(["14.21.3", "16.0.0", "18.20.8", "20.10.0", "20.18.3", "20.9.9"])("%s", (version) =>
  expect(startOn(version)).toEqual({
    status: 1,
    said: `error: git-cms needs Node.js 20.19.0 or newer, and this is ${version}: install a newer one.\n`,
  }),
);

it.each(["20.19.0", "22.0.0", "24.1.0"])("%s is new enough", (version) =>
  expect(startOn(version).said).toContain("crc32 is not a function"),
);

it("is said in syntax that every version reads", () =>
  expect(readFileSync(COMMAND, "utf8")).not.toMatch(/\?\?|\?\.|=>|`\$|\bconst\b|\blet\b|node:/));
