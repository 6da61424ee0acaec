// Bundles the editor for browsers into bundle/admin/: scripts and style sheet, named by their content, index.html, and the bridge;
// and the search of built sites into bundle/cms-search.js.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const source = join(root, "src/admin");
const dir = join(root, "bundle/admin");
rmSync(dir, { recursive: true, force: true });
mkdirSync(join(dir, "assets"), { recursive: true });

/**
 * turndown tries the parser of the browser as soon as it is loaded, which Trusted Types refuse and report. The editor gives it
 * nodes that are parsed already.
 */
const nodesOnly = {
  name: "turndown-takes-nodes-only",
  transform(code, id) {
    if (!/[/\\]turndown[/\\]/.test(id)) return undefined;
    const tried = "canParseHTMLNatively() ? root.DOMParser : createHTMLParser()";
    if (!code.includes(tried)) throw new Error(`${id} has another test of the browser's parser`);
    return code.replace(tried, "undefined");
  },
};

const bundle = await rolldown({
  input: { main: join(source, "main.tsx") },
  platform: "browser",
  plugins: [nodesOnly],
  onLog(level, log, next) {
    if (level === "warn") throw new Error(log.message);
    next(level, log);
  },
});
const { output } = await bundle.write({
  dir: join(dir, "assets"),
  format: "esm",
  entryFileNames: "[name]-[hash].js",
  chunkFileNames: "[name]-[hash].js",
  minify: true,
});
for (const [entry, name] of [
  ["script", "bridge"],
  ["frame-script", "bridge-frame"],
]) {
  const script = await rolldown({ input: join(root, `src/bridge/${entry}.ts`), platform: "browser" });
  await script.write({ file: join(dir, `${name}.js`), format: "iife", minify: true });
}
const search = await rolldown({ input: join(root, "src/site-search/cms-search.ts"), platform: "browser" });
await search.write({ file: join(root, "bundle/cms-search.js"), format: "esm", minify: true });
/** @returns the name, which has a hash of the content */
const writeStyle = (name) => {
  const style = readFileSync(join(source, `${name}.css`));
  const file = `${name}-${createHash("sha256").update(style).digest("hex").slice(0, 8)}.css`;
  writeFileSync(join(dir, "assets", file), style);
  return file;
};
const styleName = writeStyle("admin");
writeStyle("bar");
const script = output.find((chunk) => chunk.type === "chunk" && chunk.isEntry).fileName;
// The server puts the address of the editor into `base`.
writeFileSync(
  join(dir, "index.html"),
  `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<base href="/">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>Editor</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="assets/${styleName}">
<script type="module" src="assets/${script}"></script>
<body></body>
</html>
`,
);
