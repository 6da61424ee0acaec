/** The bridge between a page of a front end and the editor of one service: what visitors load, which does nothing for them. */
import type { BridgeOptions } from "./framed.ts";

export type { BridgeOptions } from "./framed.ts";
export type { PreviewedPage } from "./messages.ts";

/** Only directly in a frame of the top page, never deeper. */
export const isFramed = (): boolean => window.parent !== window && window.parent === window.top;

/** @returns a function that ends the connection */
export function connect(options: BridgeOptions): () => void {
  const closed = new AbortController();
  if (isFramed())
    void import("./framed.ts").then(({ talk }) => {
      if (!closed.signal.aborted) talk(options, closed.signal);
    });
  return () => closed.abort();
}
