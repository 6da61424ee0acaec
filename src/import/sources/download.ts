/**
 * Fetches files of an old site over HTTP. What is fetched is named by the source of the import, which may be hostile: so only
 * hosts that the caller allows are asked, at addresses of the public internet unless the host is such an address by name.
 */
import { lookup } from "node:dns";
import { createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { request as requestHttp, type IncomingMessage } from "node:http";
import { request as requestHttps } from "node:https";
import { isIP } from "node:net";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { CmsError, messageOf } from "../../errors.ts";
import { isPublicAddress } from "../../model/hooks/ip-address.ts";
import { publicOnly, type Resolve } from "../../model/hooks/public-lookup.ts";
import type { OpenedFile } from "./file-source.ts";

export interface Downloads {
  /** Whether an address is at a host from which fetching is allowed. */
  isAllowed(address: string): boolean;
  /**
   * Stores what an address has in a file.
   *
   * @param target absolute path of a file that does not exist
   * @throws CmsError `invalid` with a sentence; then there is no file
   */
  fetch(address: string, target: string): Promise<OpenedFile>;
  /**
   * What an address answers, as text, whatever its status is.
   *
   * @throws CmsError `invalid` with a sentence where nothing answers
   */
  read(address: string): Promise<{ readonly status: number; readonly text: string }>;
}

export interface DownloadOptions {
  /** As `example.com`, with its port where that is unusual; a private address and `localhost` are reached if they are named. */
  readonly hosts: readonly string[];
  /** In bytes, of one file. */
  readonly maxSize: number;
  /** Sent to all hosts: with a secret among them, name one host only. They are never sent over HTTP after HTTPS. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Without any progress, in milliseconds. */
  readonly timeout?: number;
  readonly resolve?: Resolve;
}

const REDIRECTS_MAX = 5;
const TIMEOUT = 30_000;
/** For a file that arrives slowly, in milliseconds. */
const WHOLE_TIMEOUT = 15 * 60_000;

export function openDownloads(options: DownloadOptions): Downloads {
  const hosts = new Set(options.hosts.map((host) => host.trim().toLowerCase()));
  const isAllowed = (address: string): boolean => {
    const url = urlOf(address);
    return url !== undefined && hosts.has(url.host);
  };
  const respond = async (address: string): Promise<IncomingMessage> => {
    let next = address;
    for (let hops = 0; hops <= REDIRECTS_MAX; hops++) {
      const url = urlOf(next);
      if (!url || !isAllowed(url.href))
        throw refused(address, `${url?.host ?? next} is no host from which fetching is allowed`);
      if (options.headers && /^https:/i.test(address) && url.protocol === "http:")
        throw refused(address, "it redirects from HTTPS to HTTP");
      const response = await ask(url, options);
      const { statusCode = 0, headers } = response;
      if (statusCode < 300 || statusCode >= 400 || headers.location === undefined) return response;
      response.destroy();
      next = URL.canParse(headers.location, url.href) ? new URL(headers.location, url.href).href : headers.location;
    }
    throw refused(address, "it redirects too often");
  };
  return {
    isAllowed,
    async fetch(address, target) {
      const response = await respond(address);
      if (response.statusCode === 200) return store(response, target, address, options);
      response.destroy();
      throw refused(address, `it answers ${response.statusCode}`);
    },
    async read(address) {
      const response = await respond(address);
      return { status: response.statusCode ?? 0, text: await textOf(response, address, options) };
    },
  };
}

/** undefined for anything but an address of HTTP without a password. */
function urlOf(address: string): URL | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isHttp = url?.protocol === "http:" || url?.protocol === "https:";
  return isHttp && url.username === "" && url.password === "" ? url : undefined;
}

function ask(url: URL, { headers, timeout = TIMEOUT, resolve = lookup }: DownloadOptions): Promise<IncomingMessage> {
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  // The host is in the list: named as a private address, it is meant.
  const isPrivate = host === "localhost" || (isIP(host) > 0 && !isPublicAddress(host));
  const send = url.protocol === "https:" ? requestHttps : requestHttp;
  return new Promise((answer, fail) => {
    const request = send(url, {
      headers: { ...headers, accept: "*/*" },
      agent: false, // a connection of its own, so that every one is checked
      timeout,
      signal: AbortSignal.timeout(WHOLE_TIMEOUT),
      ...(!isPrivate && { lookup: publicOnly(resolve, notPublic) }),
    });
    request.on("timeout", () => request.destroy(new Error(`it did not answer for ${timeout / 1000} s`)));
    request.on("error", (error) => fail(refused(url.href, messageOf(error))));
    request.on("response", answer);
    request.on("upgrade", (_, socket) => {
      socket.destroy();
      fail(refused(url.href, "it answers with another protocol"));
    });
    request.end();
  });
}

async function store(
  response: IncomingMessage,
  target: string,
  address: string,
  { maxSize }: DownloadOptions,
): Promise<OpenedFile> {
  const limit = limitSize(maxSize, (max) => `it is larger than ${max} bytes, the setting API.MAX_UPLOAD`);
  try {
    await pipeline(response, limit.through, createWriteStream(target, { flags: "wx" }));
    return { file: target, size: limit.size() };
  } catch (error) {
    await rm(target, { force: true });
    throw refused(address, messageOf(error));
  }
}

async function textOf(response: IncomingMessage, address: string, { maxSize }: DownloadOptions): Promise<string> {
  const limit = limitSize(maxSize, (max) => `it answers with more than ${max} bytes`);
  const chunks: Buffer[] = [];
  try {
    await pipeline(response, limit.through, async (source) => {
      for await (const chunk of source) chunks.push(chunk as Buffer);
    });
    return Buffer.concat(chunks).toString("utf8");
  } catch (error) {
    throw refused(address, messageOf(error));
  }
}

/** Passes bytes on, and counts them. @param tooLarge a sentence for more than the limit */
function limitSize(max: number, tooLarge: (max: number) => string): { readonly through: Transform; size(): number } {
  let size = 0;
  const through = new Transform({
    transform(chunk: Buffer, _, pass) {
      size += chunk.length;
      if (size > max) pass(new Error(tooLarge(max)));
      else pass(null, chunk);
    },
  });
  return { through, size: () => size };
}

const notPublic = (host: string): Error =>
  new Error(`${host} is no public address: name the address itself to allow it`);

const refused = (address: string, reason: string): CmsError =>
  new CmsError("invalid", `${address} cannot be fetched: ${reason}.`);
