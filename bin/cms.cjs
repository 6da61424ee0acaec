#!/usr/bin/env node
"use strict";
// Old syntax on purpose: a version of Node that cannot run the program has to be able to say so.
var WANTED = require("../package.json").engines.node.replace(">=", "");
function isOlder(version, wanted) {
  var have = version.split(".").map(Number);
  var want = wanted.split(".").map(Number);
  for (var at = 0; at < 3; at++) if (have[at] !== want[at]) return have[at] < want[at];
  return false;
}
if (isOlder(process.versions.node, WANTED)) {
  var needs = "git-cms needs Node.js " + WANTED + " or newer, and this is " + process.versions.node;
  console.error("error: " + needs + ": install a newer one.");
  process.exit(1);
}
// CommonJS on purpose: the thread pool takes its size before the first ES module is loaded, and
// image encoders would otherwise keep every file read waiting behind the pool's four threads.
process.env.UV_THREADPOOL_SIZE = process.env.UV_THREADPOOL_SIZE || "16";
var join = require("path").join;

var bundle = join(__dirname, "..", "bundle");
if (!require("fs").existsSync(join(bundle, "main.js"))) {
  console.error("git-cms is not built yet: run `npm run build` in its folder.");
  process.exit(1);
}
require("./load.cjs").runProgram(bundle);
