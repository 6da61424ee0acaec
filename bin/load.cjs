/**
 * Loads the bundle, with the code that V8 compiled at an earlier start: compiling it anew takes a fifth of the processor
 * time of a start. Node has a code cache of its own from 22.8 on only.
 *
 * Each command has its own file beside the bundle, with what that command ran:
 *
 *     CRC-32 of all that follows | length of the list | list | compiled code
 *
 * - The list is JSON: of each module its name, the CRC-32 of its source, and the length of its code.
 * - Nothing depends on a file being there, readable or writable.
 * - V8 compares only the length of a source with that of the compiled one, and no checksum: so both are compared here.
 * - V8 itself refuses code of another version, processor or set of flags; it is compiled and written anew.
 */
"use strict";
const { closeSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } = require("node:fs");
const { createRequire } = require("node:module");
const { join } = require("node:path");
const { Script } = require("node:vm");
const { crc32 } = require("node:zlib");

/** Those that run often, and do not change V8's flags, as `build` does. */
const COMMANDS = ["check", "merge-driver", "serve", "sync"];
const FRONT_BYTES = 8;
/** Has the `import()` of all modules: V8 cannot tell for whom it is called in code that was compiled earlier. */
const IMPORTER = "./import-module.js";

exports.runProgram = function (bundle) {
  const [, , command] = process.argv;
  // Node maps positions in sources only for modules that it loads itself.
  if (!COMMANDS.includes(command) || process.sourceMapsEnabled) {
    require(join(bundle, "main.js")).run(() => undefined);
    return;
  }
  const kept = join(bundle, `${command}.code`);
  const known = readCode(kept);
  const found = new Map();
  /** Whether something was compiled here: with other arguments a command loads other modules. */
  let isNew = false;
  let isEnded = false;

  const requireOutside = createRequire(join(bundle, "main.js"));
  const modules = new Map();
  const load = (id) => {
    if (!id.startsWith("./") || id === IMPORTER) return requireOutside(id);
    const loaded = modules.get(id);
    if (loaded) return loaded.exports;
    const module = { exports: {} };
    modules.set(id, module);
    const filename = join(bundle, id);
    try {
      compile(filename, id).runInThisContext()(module.exports, load, module, filename, bundle);
    } catch (error) {
      modules.delete(id); // it may be loaded the next time, as by `require`
      throw error;
    }
    return module.exports;
  };
  const compile = (filename, id) => {
    const source = readFileSync(filename);
    const crc = crc32(source);
    const code = known.get(id);
    const cachedData = code?.crc === crc ? code.bytes : undefined;
    const script = new Script(`(function (exports, require, module, __filename, __dirname) {${source}\n})`, {
      filename,
      cachedData,
    });
    if (!isEnded) found.set(id, { script, crc });
    isNew ||= script.cachedDataRejected !== false;
    return script;
  };
  const keep = () => {
    if (isNew && !isEnded) writeCode(kept, known, found);
    isEnded = true;
    for (const each of [known, found]) each.clear();
  };
  process.once("exit", (code) => code === 0 && keep());
  load("./main.js").run(keep);
};

/** What an earlier start kept, by module. */
function readCode(path) {
  const known = new Map();
  try {
    const bytes = readFileSync(path);
    const rest = bytes.subarray(4);
    if (bytes.readUInt32LE(0) !== crc32(rest)) return known;
    let at = FRONT_BYTES + bytes.readUInt32LE(4);
    for (const { id, crc, length } of JSON.parse(bytes.toString("utf8", FRONT_BYTES, at))) {
      known.set(id, { crc, bytes: bytes.subarray(at, at + length) });
      at += length;
    }
  } catch {
    known.clear(); // missing, or of another form
  }
  return known;
}

/** Of the modules that were loaded, the functions called so far: V8 compiles the others when they are. */
function writeCode(path, known, found) {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    // First of all, since the program may be installed where this user cannot write.
    const file = openSync(temporary, "wx");
    try {
      const codes = new Map(known);
      for (const [id, { script, crc }] of found) codes.set(id, { crc, bytes: script.createCachedData() });
      const rows = Array.from(codes, ([id, { crc, bytes }]) => ({ id, crc, length: bytes.length }));
      const list = Buffer.from(JSON.stringify(rows));
      const front = Buffer.alloc(FRONT_BYTES);
      front.writeUInt32LE(list.length, 4);
      const all = Buffer.concat([front, list, ...Array.from(codes.values(), ({ bytes }) => bytes)]);
      all.writeUInt32LE(crc32(all.subarray(4)), 0);
      writeFileSync(file, all);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
  } catch {
    rmSync(temporary, { force: true });
  }
}
