/**
 * The floor of a PATCH: a bare server with the same system calls, as a trace of the service counts them, and the work that
 * no program can spare: JSON in and out, the YAML of the draft, the objects hashed and compressed, git's index hashed.
 *
 *   UV_THREADPOOL_SIZE=16 node test/bench/performance/bare-patch.mjs <empty folder> <pages of the site>
 *
 * It has no rules, no permissions, no other content, and nothing it does survives a crash.
 */
import { createHash } from "node:crypto";
import * as fs from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { deflateSync, inflateSync } from "node:zlib";
import { CORE_SCHEMA, dump, load } from "js-yaml";
import { inParallel, syncFolder, writeSynced } from "./bare-files.mjs";
import { pageText } from "./site.mjs";

/** Calls of one PATCH on the main thread, beside those that write. */
const LOOKS = 145;
const READS = 21;
const PREAD_BYTES = 6_144;
/** Entries of the trees above a page: of its folder, of `pages`, of `content` and of the root. */
const TREES = [200, 51, 2, 3];
/** Of an index of git: 62 bytes and a path. */
const ENTRY_BYTES = 96;

const [folder, pages] = process.argv.slice(2);
const at = (...names) => join(folder, ...names);
const scratch = at("scratch");
const refs = at("refs");
const content = at("content");
const objects = Array.from({ length: 6 }, (_, n) => at(`objects-${n}`));
for (const each of [scratch, refs, content, at("recent"), ...objects]) fs.mkdirSync(each, { recursive: true });
for (const name of ["HEAD", "ref", "index", "owner"]) fs.writeFileSync(join(refs, name), "ref: refs/heads/main\n");
fs.writeFileSync(join(content, "page.yaml"), pageText(1));
const cache = fs.openSync(join(content, "page.yaml"), "r");
const trees = TREES.map((entries) => Buffer.alloc(entries * 38, createHash("sha1").digest()));
const stored = deflateSync(trees[0]);
const index = Buffer.alloc(pages * ENTRY_BYTES, "entry ");
let count = 0;

createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const { title } = JSON.parse(Buffer.concat(chunks).toString());
  const page = look();
  const draft = dump({ language: "en", created_at: "2026-01-01T00:00:00.000Z", payload: { title } });
  load(draft, { schema: CORE_SCHEMA }); // what is written is read again before it is committed
  await commit(++count, draft);
  const body = JSON.stringify({ ...page, title, texts: Object.values(page.translations) });
  response.setHeader("content-type", "application/json");
  response.setHeader("etag", `"${createHash("sha1").update(body).digest("hex")}"`);
  response.end(body);
}).listen(0, "127.0.0.1", function () {
  console.error(`http://127.0.0.1:${this.address().port}/`);
});

/** What is looked at before and while it is written, and the page. */
function look() {
  for (let n = 0; n < LOOKS; n++)
    fs.lstatSync(n % 2 ? at("none") : join(refs, "HEAD"), { bigint: true, throwIfNoEntry: false });
  for (let n = 0; n < READS; n++) fs.readFileSync(join(refs, n % 2 ? "HEAD" : "ref"), "utf8");
  fs.readSync(cache, Buffer.allocUnsafe(PREAD_BYTES), 0, PREAD_BYTES, 0);
  inflateSync(stored);
  return load(fs.readFileSync(join(content, "page.yaml"), "utf8"), { schema: CORE_SCHEMA });
}

/** As `bare-writes.mjs commit`, with the names, links and contents of a commit. */
async function commit(round, draft) {
  const made = [...trees, Buffer.from(draft), Buffer.from(`tree\n\nSave draft ${round}\n`)].map((bytes, n) => {
    const object = Buffer.concat([Buffer.from(`tree ${bytes.length}\0${round}`), bytes]);
    const oid = createHash("sha1").update(object).digest("hex");
    return {
      temporary: join(objects[n], `tmp-${oid}`),
      name: join(objects[n], oid),
      retained: at("recent", oid),
      bytes: deflateSync(object, { level: 1 }),
    };
  });
  const [file, ref] = ["file", "ref"].map((name) => join(scratch, `${name}-${round}`));
  index.write(String(round), index.length / 2);
  await inParallel(
    [
      ...made.map(({ temporary, bytes }) => [temporary, bytes]),
      [file, draft],
      [ref, `${round}\n`],
      [join(scratch, `journal-${round}`), "record ".repeat(60)],
      [join(scratch, `index-${round}`), index, () => createHash("sha1").update(index).digest()],
    ],
    ([path, bytes, end]) => writeSynced(path, bytes, end),
  );
  for (const { temporary, name, retained } of made) {
    fs.linkSync(temporary, retained);
    fs.renameSync(temporary, name);
  }
  await inParallel([...objects, at("recent"), folder], syncFolder);
  const locks = ["index.lock", "HEAD.lock", "ref.lock"].map((name) => join(refs, name));
  for (const lock of locks) fs.linkSync(join(refs, "owner"), lock);
  for (const log of ["log", "log-HEAD"]) fs.appendFileSync(at(log), `${"0".repeat(160)}\n`);
  fs.linkSync(join(refs, "index"), join(scratch, "index-before"));
  fs.renameSync(join(scratch, `index-${round}`), join(refs, "index"));
  fs.renameSync(ref, join(refs, "ref"));
  fs.unlinkSync(join(scratch, "index-before"));
  await inParallel([refs, folder], syncFolder);
  fs.renameSync(file, join(content, "draft.yaml"));
  await inParallel([content, folder], syncFolder);
  for (const lock of locks) fs.unlinkSync(lock);
}
