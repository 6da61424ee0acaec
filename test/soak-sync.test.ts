/** Some seconds of `npm run soak:sync` with a fixed seed. docs/sync.md has a longer run. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const SCRIPT = fileURLToPath(new URL("../scripts/soak-sync.mjs", import.meta.url));
const IS_BUILT = existsSync(new URL("../bundle/main.js", import.meta.url));

describe.skipIf(!IS_BUILT)("a soak of three servers on one remote", () => {
  it("loses nothing, corrupts nothing, and ends with equal trees", { timeout: 600_000 }, async () => {
    const child = spawn(process.execPath, [SCRIPT, "--seconds", "15", "--seed", "20261123"], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let table = "";
    child.stdout.on("data", (chunk: Buffer) => (table += chunk));
    const [code] = (await once(child, "close")) as [number | null];
    expect(table, table).toMatch(/\| Lost \| 0 \|\n\| Corrupt \| 0 \|\n\| Stuck \| 0 \|/);
    expect(Number(/\| Values saved \| (\d+) \|/.exec(table)?.[1])).toBeGreaterThan(0);
    expect(code, table).toBe(0);
  });
});
