/** What public answers are made from. */
import type { Call } from "../request/route.ts";

/** A public view of a snapshot, as caches need it. Its language is replaced by that of the path later. */
export function publicView(call: Call) {
  const content = call.ctx.store.current;
  return { ...call.view("public", { content, lang: call.ctx.locales.default }), content };
}
