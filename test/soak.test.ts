/** Thirty seconds of `npm run soak` with a fixed seed. docs/reliability.md has longer runs. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const SCRIPT = fileURLToPath(new URL("../scripts/soak.mjs", import.meta.url));
const IS_BUILT = existsSync(new URL("../bundle/main.js", import.meta.url));
/** Its first faults: a kill, errors of the disk, a full disk, a kill. */
const SEED = "20261125";

describe.skipIf(!IS_BUILT)("a soak of thirty seconds", () => {
  it("loses nothing, corrupts nothing and never hangs", { timeout: 240_000 }, async () => {
    const child = spawn(process.execPath, [SCRIPT, "--seconds", "30", "--seed", SEED, "--pages", "150"], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let table = "";
    child.stdout.on("data", (chunk: Buffer) => (table += chunk));
    const [code] = (await once(child, "close")) as [number | null];
    expect(table, table).toMatch(/\| Lost \| 0 \|\n\| Corrupt \| 0 \|\n\| Stuck \| 0 \|/);
    expect(Number(/\| Acknowledged, found again \| (\d+),/.exec(table)?.[1])).toBeGreaterThan(20);
    expect(code, table).toBe(0);
  });
});
