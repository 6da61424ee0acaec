/** Serves the editor: the files that were bundled for browsers, which use the API as any other client. */
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { Config } from "../../config.ts";
import { CmsError } from "../../errors.ts";
import { isOfBridge } from "../../model/address/possible-names.ts";
import { REVALIDATED } from "../../render/page-headers.ts";
import { acceptsGzip } from "../request/accept.ts";
import { notModified } from "../request/conditional.ts";
import { etag, redirect, type Headers, type Reply } from "../request/reply.ts";
import type { Call } from "../app/route.ts";

/**
 * Nothing from elsewhere, no inline script, no text that becomes script; in frames, previews by the service itself and by the
 * front ends of the setting `PREVIEW.SITES`.
 */
const policyOf = (frames: readonly string[]): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob: https:",
    "font-src 'self'",
    "connect-src 'self'",
    ["frame-src 'self'", ...new Set(frames)].join(" "),
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    // Made by src/admin/parsed-page.ts.
    "trusted-types git-cms-preview",
  ].join("; ");

/** The name of a file below this has a hash of its content. */
const ASSETS = "assets/";
const IMMUTABLE = "public, max-age=31536000, immutable";

interface AdminFile {
  readonly bytes: Buffer;
  /** With gzip, when it is asked for first: all files together would take a tenth of the time of a start. */
  compressed(): Promise<Buffer>;
  readonly headers: Headers & { readonly etag: string };
}

const TYPES: Readonly<Record<string, string>> = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css" };

/** The files of the editor in memory. */
export interface AdminFiles {
  /** @param name below the editor's address @returns undefined when there is no such file */
  file(name: string): AdminFile | undefined;
  /** The document of every screen. */
  readonly document: AdminFile;
  /** The address of the style of the bar on pages of the site. */
  readonly barStyle: string | undefined;
}

/**
 * Reads the bundled editor.
 *
 * @param dir the folder that `npm run build` writes
 * @throws when the program was not built
 */
export async function openAdminFiles(
  dir: string,
  { ADMIN, PREVIEW, BASE_PATH: sitePath }: Pick<Config, "ADMIN" | "PREVIEW" | "BASE_PATH">,
): Promise<AdminFiles> {
  const files = new Map<string, AdminFile>();
  const path = sitePath + ADMIN.PATH;
  for (const name of await readdir(join(dir, ASSETS)))
    files.set(ASSETS + name, adminFile(name, await readFile(join(dir, ASSETS, name)), IMMUTABLE));
  const policy = policyOf(PREVIEW.SITES.map(({ URL: origin }) => origin));
  for (const name of (await readdir(dir)).filter((each) => each.endsWith(".js")))
    files.set(name, adminFile(name, await readFile(join(dir, name)), REVALIDATED));
  const html = await readFile(join(dir, "index.html"), "utf8");
  const document = Buffer.from(
    html.replace('<base href="/">', `<base href="${path}"${sitePath && ` data-site="${sitePath}"`}>`),
  );
  const barStyle = [...files.keys()].find((name) => /^assets\/bar-\w+\.css$/.test(name));
  return {
    document: adminFile("index.html", document, "no-cache", policy),
    file: (name) => files.get(name),
    barStyle: barStyle && path + barStyle,
  };
}

function adminFile(name: string, bytes: Buffer, cacheControl: string, policy?: string): AdminFile {
  const version = createHash("sha256").update(bytes).digest("base64url").slice(0, 22);
  const headers = {
    "content-type": `${TYPES[extname(name)]}; charset=utf-8`,
    "cache-control": cacheControl,
    etag: etag(version),
    vary: "Accept-Encoding",
    ...(policy !== undefined && { "content-security-policy": policy, "x-frame-options": "DENY" }),
  };
  let compressed: Promise<Buffer> | undefined;
  return { bytes, compressed: () => (compressed ??= promisify(gzip)(bytes, { level: 9 })), headers };
}

/**
 * A file of the editor, its document for the address of any of its screens, or the bridge.
 *
 * @param path decoded
 * @returns undefined for a path outside of the editor
 * @throws CmsError `not_found` for a file that it does not have
 */
export async function adminReply(call: Call, path: string, admin: AdminFiles): Promise<Reply | undefined> {
  const { PATH } = call.ctx.config.ADMIN;
  if (`${path}/` === PATH) return redirect(PATH, 302, { "cache-control": "no-cache" });
  if (!isOfBridge(path) && !path.startsWith(PATH)) return undefined;
  const name = isOfBridge(path) ? basename(path) : path.slice(PATH.length);
  const file = admin.file(name) ?? (extname(name) === "" ? admin.document : undefined);
  if (!file) throw new CmsError("not_found", "Not found.");
  const isCompressed = acceptsGzip(call.headers.get("accept-encoding"));
  return (
    notModified(call.headers, file.headers) ?? {
      status: 200,
      headers: { ...file.headers, ...(isCompressed && { "content-encoding": "gzip" }) },
      body: isCompressed ? await file.compressed() : file.bytes,
    }
  );
}
