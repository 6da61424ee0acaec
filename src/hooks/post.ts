/** Sends one delivery: a POST that follows no redirect, reads a limited answer, and reaches public addresses only. */
import { lookup } from "node:dns";
import { request as requestHttp, type IncomingMessage } from "node:http";
import { request as requestHttps } from "node:https";
import { isIP } from "node:net";
import { isPublicAddress } from "../model/hooks/ip-address.ts";
import { publicOnly, type Resolve } from "../model/hooks/public-lookup.ts";

export interface Delivered {
  readonly status: number;
  /** The beginning of the answer's body. */
  readonly text: string;
}

export interface PostOptions {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Whether loopback and private addresses are allowed. */
  readonly isPrivate: boolean;
  /** Ends the request, whatever it waits for. */
  readonly signal: AbortSignal;
  /** Resolves names; all addresses of a name. */
  readonly resolve?: Resolve;
}

/** Bytes of the answer that are read. */
const ANSWER_MAX = 64 * 1024;

/** @throws Error with a sentence for people when there is no answer, or the address is not allowed */
export function post(
  url: URL,
  { headers, body, isPrivate, signal, resolve = lookup }: PostOptions,
): Promise<Delivered> {
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  if (!isPrivate && isIP(host) > 0 && !isPublicAddress(host)) return Promise.reject(notAllowed(host));
  const send = url.protocol === "https:" ? requestHttps : requestHttp;
  return new Promise((answer, fail) => {
    const request = send(url, {
      method: "POST",
      headers: { ...headers, "content-length": Buffer.byteLength(body) },
      agent: false, // a connection of its own, so that every one is checked
      signal,
      ...(!isPrivate && { lookup: publicOnly(resolve, notAllowed) }),
    });
    request.on("error", fail);
    request.on("response", (response) => readAnswer(response).then(answer, fail));
    // Without a listener, Node closes the connection and emits nothing: the delivery would never end.
    request.on("upgrade", ({ statusCode = 0 }, socket) => {
      socket.destroy();
      answer({ status: statusCode, text: "" });
    });
    request.end(body);
  });
}

function readAnswer(response: IncomingMessage): Promise<Delivered> {
  return new Promise((answer, fail) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const end = (): void => {
      const text = Buffer.concat(chunks).subarray(0, ANSWER_MAX).toString("utf8");
      answer({ status: response.statusCode ?? 0, text });
    };
    response.on("error", fail);
    response.on("end", end);
    response.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size < ANSWER_MAX) return;
      end();
      response.destroy();
    });
  });
}

const notAllowed = (host: string): Error =>
  new Error(`${host} is no public address: such listeners need PRIVATE: true in their hook.`);
