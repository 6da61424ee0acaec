// Bundles the command's modules into bundle/, since resolving two hundred files takes Node longer than running them.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
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
  "entities",
  "gray-matter",
  "h3",
  "htmlparser2",
  "@fastify/busboy",
  "js-yaml",
  "markdown-it",
  "node-diff3",
  "object-hash",
  "sorted-btree",
];
const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const outside = Object.keys(dependencies).filter((name) => !INSIDE.includes(name));

const ENTRIES = {
  main: join(root, "src/cli/main.ts"),
  "build-worker": join(root, "src/cli/build/build-worker.ts"),
  worker: join(root, "src/store/worker.ts"),
  "encoder-process": join(root, "src/images/encoder-process.ts"),
  // Loaded by Node itself (bin/load.cjs).
  "import-module": join(root, "src/import-module.ts"),
};

/** What is loaded as a whole: by every command, by each thread or process of its own, and by what opens or serves a site. */
const LOADED = {
  command: [ENTRIES.main],
  codec: [ENTRIES.worker, join(root, "src/store/codec/tasks.ts")],
  scan: [ENTRIES.worker, join(root, "src/store/git/worktree/scan-task.ts")],
  images: [ENTRIES["encoder-process"]],
  site: [join(root, "src/cms.ts"), join(root, "src/cli/serve/run-server.ts")],
};
const closures = new Map();

/**
 * The chunk of a module, named after all that load it; null for the others, which the bundler divides by their commands.
 * Divided by all commands it would be a hundred files, and a start of the server spends more on finding them than on
 * reading them.
 */
function chunkOf(id, graph) {
  if (Object.values(ENTRIES).includes(id)) return null; // what loads a chunk must not run it
  const loaders = Object.keys(LOADED).filter((name) => closureOf(name, graph).has(id));
  // A site is opened by a command, which has loaded its own modules.
  return loaders.filter((name) => name !== "site" || !loaders.includes("command")).join("-") || null;
}

function closureOf(name, graph) {
  const known = closures.get(name);
  if (known) return known;
  const found = new Set(LOADED[name]);
  for (const id of found) for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) found.add(imported);
  closures.set(name, found);
  return found;
}

// In one folder at the depth of src/, so that relative paths to other folders and package.json stay valid.
const bundle = await rolldown({
  input: ENTRIES,
  preserveEntrySignatures: "allow-extension",
  platform: "node",
  external: [/^node:/, ...outside.map((name) => new RegExp(`^${name}(/|$)`))],
  onLog(level, log, next) {
    if (log.code === "INEFFECTIVE_DYNAMIC_IMPORT") return; // of modules that a site loads in any case
    if (level === "warn") throw new Error(log.message);
    next(level, log);
  },
});
rmSync(dir, { recursive: true, force: true });
await bundle.write({
  dir,
  format: "cjs", // Node 20 keeps compiled code only of what is no ES module (bin/load.cjs)
  entryFileNames: "[name].js",
  chunkFileNames: "[name]-[hash].js",
  sourcemap: "hidden",
  comments: { jsdoc: false, annotation: false },
  codeSplitting: { groups: [{ name: chunkOf, debugName: "loaded as a whole", includeDependenciesRecursively: false }] },
});
writeFileSync(join(dir, "package.json"), `${JSON.stringify({ type: "commonjs" })}\n`);
