/**
 * The bytes of a request as they arrive.
 *
 * They are read from Node's stream where there is one. Its web counterpart, given up in the middle, would destroy the
 * connection before the answer is out.
 */
import { IncomingMessage } from "node:http";
import { finished, Readable } from "node:stream";
import { CmsError } from "../errors.ts";

/** The body of a request; null for one that has none. */
export function bodyStream(request: Request): Readable | null {
  const incoming = (request as { runtime?: { node?: { req?: unknown } } }).runtime?.node?.req;
  if (incoming instanceof IncomingMessage) return incoming;
  return request.body && Readable.fromWeb(request.body as Parameters<typeof Readable.fromWeb>[0]);
}

/**
 * Hands over a stream's bytes until it ends or the taker has had enough; what comes after that is read and dropped,
 * so that the client can finish sending and hear the answer.
 *
 * @param take may return a promise, and gets no more before it is settled. What it throws ends the reading.
 * @throws CmsError `invalid` when the client goes away before the body is complete
 */
export async function takeAll(stream: Readable, take: (chunk: Uint8Array) => Promise<void> | void): Promise<void> {
  let failure: { readonly error: unknown } | undefined;
  await new Promise<void>((resolve) => {
    const stop = (error: unknown): void => {
      failure ??= { error };
      stream.off("data", onData);
      resolve();
    };
    const onData = (chunk: Uint8Array): void => {
      try {
        const taken = take(chunk);
        if (!taken) return;
        stream.pause();
        taken.then(() => stream.resume(), stop);
      } catch (error) {
        stop(error);
      }
    };
    stream.on("error", () => undefined); // told by `finished` too; without a listener it would end the process
    stream.on("data", onData);
    finished(stream, { writable: false }, (error) => (error ? stop(cutOff(error)) : resolve()));
  });
  if (!failure) return;
  if (stream instanceof IncomingMessage) stream.resume();
  else stream.destroy();
  throw failure.error;
}

const cutOff = (cause: unknown): CmsError =>
  new CmsError("invalid", "The request body ended before it was complete.", { cause });
