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
import { CmsError, messageOf } from "../errors.ts";
import { isPublicAddress } from "../model/ip-address.ts";
import { publicOnly, type Resolve } from "../model/public-lookup.ts";
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
}

export interface DownloadOptions {
  /** As `example.com`, with its port where that is unusual; a private address and `localhost` are reached if they are named. */
  readonly hosts: readonly string[];
  /** In bytes, of one file. */
  readonly maxSize: number;
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
  return {
    isAllowed,
    async fetch(address, target) {
      let next = address;
      for (let hops = 0; hops <= REDIRECTS_MAX; hops++) {
        const url = urlOf(next);
        if (!url || !isAllowed(url.href))
          throw refused(address, `${url?.host ?? next} is no host from which fetching is allowed`);
        const response = await ask(url, options);
        const { statusCode = 0, headers } = response;
        if (statusCode >= 300 && statusCode < 400 && headers.location !== undefined) {
          response.destroy();
          next = URL.canParse(headers.location, url.href) ? new URL(headers.location, url.href).href : headers.location;
          continue;
        }
        if (statusCode !== 200) {
          response.destroy();
          throw refused(address, `it answers ${statusCode}`);
        }
        return store(response, target, address, options);
      }
      throw refused(address, "it redirects too often");
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
  let size = 0;
  const limit = new Transform({
    transform(chunk: Buffer, _, pass) {
      size += chunk.length;
      if (size > maxSize) pass(new Error(`it is larger than ${maxSize} bytes, the setting API.MAX_UPLOAD`));
      else pass(null, chunk);
    },
  });
  try {
    await pipeline(response, limit, createWriteStream(target, { flags: "wx" }));
    return { file: target, size };
  } catch (error) {
    await rm(target, { force: true });
    throw refused(address, messageOf(error));
  }
}

const notPublic = (host: string): Error =>
  new Error(`${host} is no public address: name the address itself to allow it`);

const refused = (address: string, reason: string): CmsError =>
  new CmsError("invalid", `${address} cannot be fetched: ${reason}.`);
