/**
 * Keystatic (keystatic.com) on as many entries of the same texts: its own Astro integration, local storage, built for
 * production and run by Astro's Node adapter. Installed from the registry into a folder of the benchmark's.
 */
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { bodyOf } from "../performance/site.mjs";

/** Newer ones need Node 22. */
const PACKAGES = [
  "astro@5.18.2",
  "@astrojs/node@9.5.5",
  "@astrojs/react@4.4.2",
  "@keystatic/astro@5.2.0",
  "@keystatic/core@0.5.51",
  "react@19.3.1",
  "react-dom@19.3.1",
];
const FILES = {
  "package.json": '{ "name": "peer", "private": true, "type": "module" }\n',
  "astro.config.mjs": `import { defineConfig } from "astro/config";
import node from "@astrojs/node";
import react from "@astrojs/react";
import keystatic from "@keystatic/astro";

export default defineConfig({
  output: "server",
  adapter: node({ mode: "standalone" }),
  integrations: [react(), keystatic()],
});
`,
  // With `columns` the list would fetch every entry by a request of its own, which Chromium does not survive here.
  "keystatic.config.ts": `import { collection, config, fields } from "@keystatic/core";

export default config({
  storage: { kind: "local" },
  collections: {
    pages: collection({
      label: "Pages",
      path: "content/pages/*",
      slugField: "title",
      format: { data: "yaml" },
      schema: {
        title: fields.slug({ name: { label: "Title" } }),
        description: fields.text({ label: "Description" }),
        body: fields.text({ label: "Body", multiline: true }),
        beds: fields.array(
          fields.object({ kind: fields.text({ label: "Kind" }), count: fields.integer({ label: "Count" }) }),
          { label: "Beds", itemLabel: ({ fields }) => fields.kind.value },
        ),
      },
    }),
  },
});
`,
  "src/pages/index.astro": "<h1>Site</h1>\n",
};

/** The items of a list. */
export const makeBeds = (count) =>
  Array.from({ length: count }, (_, index) => ({ kind: `Bed ${index}`, count: index }));

/** @param dir an empty folder @param beds the list of one more page */
export async function servePeer(dir, pages, beds) {
  for (const folder of ["src/pages", "content/pages"]) mkdirSync(join(dir, folder), { recursive: true });
  for (const [path, text] of Object.entries(FILES)) writeFileSync(join(dir, path), text);
  for (let id = 1; id <= pages + 1; id++) {
    const text = `title: Page ${id}\ndescription: Of page ${id}\nbody: |\n${bodyOf(id, "  ")}`;
    const list = id > pages ? `beds: ${JSON.stringify(beds)}\n` : "";
    writeFileSync(join(dir, `content/pages/p${id}.yaml`), text + list);
  }
  const run = (command, ...args) => execFileSync(command, args, { cwd: dir, stdio: ["ignore", "ignore", "pipe"] });
  run("npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", ...PACKAGES);
  run("npx", "astro", "build");
  const port = await freePort();
  const env = { ...process.env, HOST: "127.0.0.1", PORT: String(port) };
  const child = spawn(process.execPath, ["dist/server/entry.mjs"], {
    cwd: dir,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  await new Promise((resolve, reject) => {
    child.stdout.on("data", (chunk) => String(chunk).includes("listening") && resolve());
    child.once("exit", () => reject(new Error("The peer's server ended.")));
  });
  return {
    origin: `http://127.0.0.1:${port}`,
    async close() {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGTERM");
      await ended;
    },
  };
}

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}
