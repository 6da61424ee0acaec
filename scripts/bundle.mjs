// Puts the command's modules together in bundle/: finding two hundred files takes Node longer than running what is in them.
import { readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const dir = join(root, "bundle");
/** Needed at every start, nothing but JavaScript, and never seen by a site's own modules as nunjucks is: two of that would not know each other's values. */
const INSIDE = ["commander", "gray-matter", "js-yaml", "markdown-it", "object-hash"];
const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const outside = Object.keys(dependencies).filter((name) => !INSIDE.includes(name));

// In one folder as deep as src/: what looks for its neighbours and for package.json beside itself finds them.
const bundle = await rolldown({
  input: {
    main: join(root, "src/cli/main.ts"),
    "build-worker": join(root, "src/cli/build-worker.ts"),
    "codec-thread": join(root, "src/store/codec/codec-thread.ts"),
    process: join(root, "src/images/process.ts"),
  },
  platform: "node",
  external: [/^node:/, ...outside.map((name) => new RegExp(`^${name}(/|$)`))],
  onLog(level, log, next) {
    if (level === "warn") throw new Error(log.message);
    next(level, log);
  },
});
rmSync(dir, { recursive: true, force: true });
await bundle.write({
  dir,
  format: "esm",
  entryFileNames: "[name].js",
  chunkFileNames: "[name]-[hash].js",
  sourcemap: true,
});
