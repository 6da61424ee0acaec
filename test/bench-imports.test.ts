/** The benchmarks import compiled modules, which the type check does not see: a module that moves would break them. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "..");
const BENCH = join(import.meta.dirname, "bench");
const isBenchmark = (file: string): boolean => file.endsWith(".mjs") && !file.includes("node_modules");
const IMPORT = /import \{([^{}]*)\} from (?:"|\$\{JSON\.stringify\(new URL\(")(?:\.\.\/)+dist\/([^"]+)\.js"/g;

const imports = (readdirSync(BENCH, { recursive: true }) as string[])
  .filter(isBenchmark)
  .flatMap((file) =>
    [...readFileSync(join(BENCH, file), "utf8").matchAll(IMPORT)].map(
      ([, names = "", module = ""]) => [file, module, names.split(",").map((name) => name.trim())] as const,
    ),
  );

it("are found", () => expect(imports.length).toBeGreaterThan(15));

it.each(imports)("%s: %s has %j", async (_file, module, names) => {
  expect(Object.keys(await import(join(ROOT, `src/${module}.ts`)))).toEqual(expect.arrayContaining([...names]));
});
