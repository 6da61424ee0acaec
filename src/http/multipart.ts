/**
 * Forms with a file in them, taken as they come: the file goes to disk in pieces, texts are small.
 *
 * A form may also hold its texts as one JSON object in a part called `data`; what stands there goes before the plain
 * parts (contract.md 12.2).
 */
import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { BusboyFileStream } from "@fastify/busboy";
import type { Upload } from "../actions/media/upload.ts";
import type { Config } from "../config.ts";
import { CmsError, invalid } from "../errors.ts";
import { isObject, type Json, type JsonObject } from "../model/json.ts";
import { NOT_AN_OBJECT } from "../model/page-input.ts";
import { readMultipart } from "./form.ts";
import { bodyStream } from "./incoming.ts";
import { DEPTH_MAX, jsonLimits, parseJson } from "./json-body.ts";
import { diskFs, makeDirs } from "../store/git/fs.ts";
import type { Call } from "./route.ts";

export interface Form {
  readonly fields: JsonObject;
  readonly upload: Upload | null;
}

/** What may surround the file in a body. */
const SLACK_BYTES = 2 * 1024 * 1024;
/** A file that is older was left by a process that ended in the middle. */
const STALE_MS = 24 * 60 * 60 * 1000;

/**
 * Reads the body of a write to the library, works with it, and removes the file again, whatever came of it.
 *
 * @throws CmsError `invalid` for a broken form, `too_large`, `unsupported_media` for what is neither form nor JSON,
 *   `unavailable` when the disk is full
 */
export async function withForm<R>(call: Call, work: (form: Form) => Promise<R>): Promise<R> {
  const type = (call.headers.get("content-type") ?? "").split(";")[0]!.trim().toLowerCase();
  if (type !== "multipart/form-data") {
    if (type === "application/x-www-form-urlencoded")
      throw new CmsError("unsupported_media", `Unsupported media type "${type}" in request.`);
    const body = await call.body();
    if (!isObject(body)) throw invalid({ non_field_errors: [NOT_AN_OBJECT(body)] });
    return work({ fields: body, upload: null });
  }
  const folder = join(call.ctx.store.repo.stateDir, "uploads");
  const file = join(folder, randomUUID());
  try {
    await makeReady(folder);
    return await work(await receive(call, file));
  } finally {
    await rm(file, { force: true }).catch(() => undefined); // what stays is cleared away a day later
  }
}

/** @param file where an uploaded file is put */
async function receive(call: Call, file: string): Promise<Form> {
  const { MAX_UPLOAD: max, MAX_VALUE: maxText } = call.ctx.config.API;
  const source = bodyStream(call.request);
  if (Number(call.headers.get("content-length") ?? 0) > max + SLACK_BYTES) throw tooLarge(max);
  if (!source) return { fields: {}, upload: null };
  const texts = new Map<string, string>();
  const received: { upload: Upload | null; saving: Saving | null; refusal?: CmsError } = { upload: null, saving: null };
  let length = 0;
  try {
    await readMultipart(source, call.headers.get("content-type")!, {
      maxText,
      maxFile: max,
      count: (bytes) => {
        if ((length += bytes) > max + SLACK_BYTES) throw tooLarge(max);
        if (received.refusal) throw received.refusal;
      },
      onField: (name, value) => void texts.set(name, value),
      onFile(name, stream, fileName) {
        // Browsers send an empty file without a name where none was chosen.
        if (name !== "file" || fileName === undefined || fileName === "") return void stream.resume();
        if (received.upload) {
          received.refusal ??= invalid({ file: ["Send one file at a time."] });
          return void stream.resume();
        }
        received.saving = save(stream, file);
        received.upload = { file, size: 0, name: fileName };
        stream.on("limit", () => (received.refusal ??= tooLarge(max)));
      },
    });
    const size = (await received.saving?.size) ?? 0;
    if (received.refusal) throw received.refusal;
    return { fields: await fieldsOf(texts, call.ctx.config), upload: received.upload && { ...received.upload, size } };
  } catch (error) {
    received.saving?.giveUp();
    await received.saving?.size.catch(() => undefined); // the form's own error is the reason
    throw diskError(error) ?? error;
  }
}

interface Saving {
  /** The bytes written, once the file is whole and durable. */
  readonly size: Promise<number>;
  /** Ends it where no more will come. */
  giveUp(): void;
}

/** When the disk refuses, the rest is read all the same: a request that is cut off takes its answer with it. */
function save(stream: BusboyFileStream, file: string): Saving {
  const sink = createWriteStream(file, { flags: "wx", mode: 0o666, flush: true });
  const size = new Promise<number>((done, fail) => {
    sink.on("close", () => done(sink.bytesWritten));
    sink.on("error", (error) => {
      fail(error);
      stream.unpipe(sink);
      stream.resume();
    });
  });
  size.catch(() => undefined); // it is awaited once the whole form is in
  stream.on("error", (error) => sink.destroy(error)); // of a part that was cut short
  stream.pipe(sink);
  return { size, giveUp: () => void sink.destroy(new Error("The form was cut short")) };
}

/** Plain parts, with those of `data` over them. Keys come from outside: every one becomes an own key. */
async function fieldsOf(texts: ReadonlyMap<string, string>, config: Config): Promise<JsonObject> {
  const plain = [...texts].filter(([name]) => name !== "data");
  const data = texts.get("data");
  if (data === undefined) return Object.fromEntries(plain);
  const value = (await parseJson(Buffer.from(data), jsonLimits(config)).catch(refusedData)) as Json;
  if (!isObject(value)) throw invalid({ data: [NOT_AN_OBJECT(value)] });
  return Object.fromEntries([...plain, ...Object.entries(value)]);
}

/** Its errors are the field's. @throws CmsError `invalid` */
function refusedData(error: unknown): never {
  if (!(error instanceof CmsError)) throw error;
  if (Object.keys(error.fields).length > 0) throw invalid({ data: error.fields });
  throw invalid({
    data: [
      error.message.startsWith("JSON parse error - nested")
        ? `Nested deeper than ${DEPTH_MAX} levels.`
        : "Value must be valid JSON.",
    ],
  });
}

const tooLarge = (max: number): CmsError =>
  new CmsError("too_large", `The file is larger than the ${max} bytes allowed.`, {
    fields: { file: [`The file is larger than the ${max} bytes allowed.`] },
  });

function diskError(error: unknown): CmsError | undefined {
  const code = (error as NodeJS.ErrnoException).code ?? "";
  if (!["ENOSPC", "EDQUOT", "EFBIG", "EROFS", "EACCES", "EEXIST", "ENOTDIR", "EIO", "EMFILE"].includes(code))
    return undefined;
  const reason = code === "ENOSPC" || code === "EDQUOT" ? "the disk is full" : `the disk refuses (${code})`;
  return new CmsError("unavailable", `The file could not be stored: ${reason}.`, { cause: error, retryAfter: 60 });
}

/** Makes the folder, and clears it of what crashes left there. @throws CmsError `unavailable` */
async function makeReady(folder: string): Promise<void> {
  try {
    // Not with `recursive`: on a full disk Node reports that as ENOENT.
    await makeDirs(diskFs, folder, 0o700);
    await removeStale(folder);
  } catch (error) {
    throw diskError(error) ?? error;
  }
}

async function removeStale(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => undefined); // another request has just removed it
    if (found && Date.now() - found.mtimeMs > STALE_MS) await rm(path, { force: true });
  }
}
