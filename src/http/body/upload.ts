/**
 * Uploads: multipart forms with a file, which is streamed to disk.
 *
 * The text fields may also be one JSON object in a part called `data`, which takes precedence over the other parts.
 */
import { createWriteStream } from "node:fs";
import type { BusboyFileStream } from "@fastify/busboy";
import type { Upload } from "../../actions/media/upload.ts";
import type { Config } from "../../config.ts";
import { CmsError, invalid, unavailable } from "../../errors.ts";
import { isObject, type Json, type JsonObject } from "../../model/input/json.ts";
import { NOT_AN_OBJECT } from "../../model/input/input-errors.ts";
import { readMultipart } from "./multipart.ts";
import { mediaTypeOf } from "./body.ts";
import { bodyStream } from "./incoming.ts";
import { DEPTH_MAX, jsonLimits, parseJson } from "./json-body.ts";
import { systemErrorReason } from "../../store/git/disk-error.ts";
import { codeOf, diskFs, makeDirs } from "../../store/git/fs.ts";
import { removeKilledUploads, uploadFolder, uploadPlace } from "../../store/private/uploads.ts";
import type { Call } from "../app/route.ts";

export interface Form {
  readonly fields: JsonObject;
  readonly upload: Upload | null;
}

/** In bytes: the maximum of a body without its file. */
const OVERHEAD_MAX = 2 * 1024 * 1024;
/**
 * Reads the body of a media write, calls a function with it, and then removes the uploaded file.
 *
 * @throws CmsError `invalid` for a malformed form, `too_large`, `unsupported_media` for types other than multipart
 *   forms and JSON, `unavailable` when the disk is full
 */
export async function withForm<R>(call: Call, work: (form: Form) => Promise<R>): Promise<R> {
  const type = mediaTypeOf(call.headers);
  if (type !== "multipart/form-data") {
    if (type === "application/x-www-form-urlencoded")
      throw new CmsError("unsupported_media", `Unsupported media type "${type}" in request.`);
    const body = await call.body();
    if (!isObject(body)) throw invalid({ non_field_errors: [NOT_AN_OBJECT(body)] });
    return work({ fields: body, upload: null });
  }
  const folder = uploadFolder(call.ctx.store.repo.stateDir);
  const { file, release } = uploadPlace(folder);
  try {
    await prepareFolder(folder);
    const form = await receiveForm(call, file);
    await call.confirm();
    return await work(form);
  } finally {
    await release();
  }
}

/** @param file path for the uploaded file */
async function receiveForm(call: Call, file: string): Promise<Form> {
  const { MAX_UPLOAD: maxFile, MAX_VALUE: maxText } = call.ctx.config.API;
  const source = bodyStream(call.web);
  if (Number(call.headers.get("content-length") ?? 0) > maxFile + OVERHEAD_MAX) throw tooLarge(maxFile);
  if (!source) return { fields: {}, upload: null };
  const texts = new Map<string, string>();
  const received: { saved?: SavedFile; refusal?: CmsError } = {};
  let length = 0;
  try {
    await readMultipart(source, call.headers, {
      maxText,
      maxFile,
      onBytes: (bytes) => {
        if ((length += bytes) > maxFile + OVERHEAD_MAX) throw tooLarge(maxFile);
        if (received.refusal) throw received.refusal;
      },
      onField: (name, value) => void texts.set(name, value),
      onFile: (name, stream, fileName) => {
        // Browsers send a file field without a file name when no file was chosen.
        if (name !== "file" || fileName === undefined || fileName === "") return void stream.resume();
        if (received.saved) {
          received.refusal ??= invalid({ file: ["Send one file at a time."] });
          return void stream.resume();
        }
        received.saved = saveFile(stream, file, fileName);
        stream.on("limit", () => (received.refusal ??= tooLarge(maxFile)));
      },
    });
    const upload = (await received.saved?.upload) ?? null;
    if (received.refusal) throw received.refusal;
    return { fields: await fieldsOf(texts, call.ctx.config), upload };
  } catch (error) {
    received.saved?.abort();
    await received.saved?.upload.catch(() => undefined); // the error of the form is reported
    throw diskError(error) ?? error;
  }
}

interface SavedFile {
  /** Resolves when the file is complete and synced. */
  readonly upload: Promise<Upload>;
  /** Stops waiting for more data. */
  abort(): void;
}

/** After a disk error the rest of the part is still read: aborting the request would also drop the answer. */
function saveFile(stream: BusboyFileStream, file: string, name: string): SavedFile {
  const sink = createWriteStream(file, { flags: "wx", mode: 0o666, flush: true });
  const upload = new Promise<Upload>((resolve, reject) => {
    sink.on("close", () => resolve({ file, size: sink.bytesWritten, name }));
    sink.on("error", (error) => {
      reject(error);
      stream.unpipe(sink);
      stream.resume();
    });
  });
  upload.catch(() => undefined); // awaited only after the whole form is read
  stream.on("error", (error) => sink.destroy(error)); // of an incomplete part
  stream.pipe(sink);
  return { upload, abort: () => void sink.destroy(new Error("The form was cut short")) };
}

/** The text fields, with those of `data` taking precedence. `fromEntries` makes `__proto__` an own key. */
async function fieldsOf(texts: ReadonlyMap<string, string>, config: Config): Promise<JsonObject> {
  const plain = [...texts].filter(([name]) => name !== "data");
  const data = texts.get("data");
  if (data === undefined) return Object.fromEntries(plain);
  const value = (await parseJson(Buffer.from(data), jsonLimits(config)).catch(refusedData)) as Json;
  if (!isObject(value)) throw invalid({ data: [NOT_AN_OBJECT(value)] });
  return Object.fromEntries([...plain, ...Object.entries(value)]);
}

/** Reports errors of the JSON text as errors of the field `data`. @throws CmsError `invalid` */
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
  const reason = systemErrorReason(error);
  return reason === undefined
    ? undefined
    : unavailable(`The file could not be stored. ${reason} (${codeOf(error)}).`, "disk", error);
}

/** Creates the folder, and removes files of crashed processes. @throws CmsError `unavailable` */
async function prepareFolder(folder: string): Promise<void> {
  try {
    // Not with `recursive`: on a full disk Node reports that as ENOENT.
    await makeDirs(diskFs, folder, 0o700);
    await removeKilledUploads(folder);
  } catch (error) {
    throw diskError(error) ?? error;
  }
}
