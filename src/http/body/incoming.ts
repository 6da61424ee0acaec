/**
 * Streams of request bodies.
 *
 * They are read from Node's stream where there is one: the web stream, when cancelled, would destroy the connection
 * before the answer is sent.
 */
import { IncomingMessage } from "node:http";
import { finished, Readable } from "node:stream";
import { CmsError } from "../../errors.ts";

/** The body of a request; null without one. */
export function bodyStream(request: Request): Readable | null {
  const incoming = (request as { runtime?: { node?: { req?: unknown } } }).runtime?.node?.req;
  if (incoming instanceof IncomingMessage) return incoming;
  return request.body && Readable.fromWeb(request.body as Parameters<typeof Readable.fromWeb>[0]);
}

/**
 * Passes the chunks of a stream to a function until the stream ends or the function throws. After that the rest is read
 * and dropped, so that the client can finish sending and read the answer.
 *
 * @param onChunk may return a promise; the next chunk waits for it
 * @throws CmsError `invalid` when the client disconnects before the body is complete; any error of `onChunk`
 */
export async function readChunks(
  stream: Readable,
  onChunk: (chunk: Uint8Array) => Promise<void> | void,
): Promise<void> {
  let failure: { readonly error: unknown } | undefined;
  let pending: Promise<void> = Promise.resolve();
  await new Promise<void>((resolve) => {
    const stop = (error: unknown): void => {
      failure ??= { error };
      stream.off("data", onData);
      resolve();
    };
    const onData = (chunk: Uint8Array): void => {
      try {
        const done = onChunk(chunk);
        if (!done) return;
        stream.pause();
        pending = done.then(() => void stream.resume(), stop);
      } catch (error) {
        stop(error);
      }
    };
    // `finished` reports errors too, but an error event without a listener would end the process.
    stream.on("error", () => undefined);
    stream.on("data", onData);
    // A body that was completely received ends even while the stream is paused: the last chunk may still be pending.
    finished(stream, { writable: false }, (error) =>
      error ? stop(incompleteBody(error)) : void pending.then(resolve),
    );
  });
  if (!failure) return;
  if (stream instanceof IncomingMessage) stream.resume();
  else stream.destroy();
  throw failure.error;
}

const incompleteBody = (cause: unknown): CmsError =>
  new CmsError("invalid", "The request body ended before it was complete.", { cause });
