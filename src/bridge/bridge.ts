/** The bridge between a page of a front end and the editor of one service: what visitors load, which does nothing for them. */
import { showBar } from "./bar.ts";
import type { BridgeOptions } from "./framed.ts";

export type { BridgeOptions } from "./framed.ts";
export type { PreviewedPage } from "./messages.ts";

/** @returns a function that ends the connection */
export function connect(options: BridgeOptions): () => void {
  const closed = new AbortController();
  connectBy(options.service, closed.signal, async () => {
    const { talk } = await import("./framed.ts");
    if (!closed.signal.aborted) talk(options, closed.signal);
  });
  return () => closed.abort();
}

/** @param talk is called directly in a frame of the top page, never deeper */
export function connectBy(service: string, signal: AbortSignal, talk: () => unknown): void {
  if (window.parent === window) showBar(service, signal);
  else if (window.parent === window.top) talk();
}
