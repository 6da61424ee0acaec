#!/usr/bin/env node
"use strict";
// CommonJS on purpose: the thread pool takes its size before the first ES module is loaded, and
// image encoders would otherwise keep every file read waiting behind the pool's four threads.
process.env.UV_THREADPOOL_SIZE ??= "16";
const { existsSync } = require("node:fs");
const { join } = require("node:path");

const bundle = join(__dirname, "..", "bundle");
if (!existsSync(join(bundle, "main.js"))) {
  console.error("git-cms is not built yet: run `npm run build` in its folder.");
  process.exit(1);
}
require("./load.cjs").runProgram(bundle);
