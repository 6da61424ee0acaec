// Bundles the command's modules into bundle/, since resolving two hundred files takes Node longer than running them.
import { readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const dir = join(root, "bundle");
/**
 * Bundled packages: needed at every start, without native code, and not imported by modules of a site. nunjucks is not bundled,
 * because a site's modules would get a second copy that does not recognise the values of the first.
 */
const INSIDE = [
  "commander",
  "gray-matter",
  "h3",
  "@fastify/busboy",
  "js-yaml",
  "markdown-it",
  "node-diff3",
  "object-hash",
  "sorted-btree",
];
const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const outside = Object.keys(dependencies).filter((name) => !INSIDE.includes(name));

// In one folder at the depth of src/, so that relative paths to other folders and package.json stay valid.
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
