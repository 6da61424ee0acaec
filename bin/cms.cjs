#!/usr/bin/env node
"use strict";
// CommonJS on purpose: the thread pool takes its size before the first ES module is loaded, and
// image encoders would otherwise keep every file read waiting behind the pool's four threads.
process.env.UV_THREADPOOL_SIZE ??= "16";
const { existsSync } = require("node:fs");
const { join } = require("node:path");

const main = join(__dirname, "..", "bundle", "main.js");
if (!existsSync(main)) {
  console.error("git-cms is not built yet: run `npm run build` in its folder.");
  process.exit(1);
}
import(require("node:url").pathToFileURL(main).href);
