/** Which pages this browser has open in which of its tabs: they ask each other, so a hidden tab answers, too. */
import { signal } from "@preact/signals";

/** Names this tab, as long as it is open. */
export const TAB = [...crypto.getRandomValues(new Uint8Array(8))]
  .map((byte) => byte.toString(16).padStart(2, "0"))
  .join("");

interface Message {
  readonly says: "ask" | "open" | "closed";
  /** The page and language. */
  readonly key: string;
  readonly tab: string;
}

/** In milliseconds: other tabs answer in a few. */
const ANSWER_MS = 150;

const channel = new BroadcastChannel("git-cms.tabs");
const openHere = new Map<string, number>();
const others = signal<ReadonlyMap<string, ReadonlySet<string>>>(new Map());

const say = (says: Message["says"], key: string): void =>
  channel.postMessage({ says, key, tab: TAB } satisfies Message);

channel.addEventListener("message", ({ data: { says, key, tab } }: MessageEvent<Message>) => {
  const tabs = new Set(others.value.get(key));
  if (says === "closed") tabs.delete(tab);
  else tabs.add(tab);
  if (says !== "ask" || openHere.has(key)) others.value = new Map([...others.value, [key, tabs]]);
  if (says === "ask" && openHere.has(key)) say("open", key);
});
addEventListener("pagehide", () => [...openHere.keys()].forEach((key) => say("closed", key)));

/** The other tabs that have it open now. */
export const otherTabs = (key: string): ReadonlySet<string> => others.value.get(key) ?? new Set();

/** Asks the other tabs whether they have it open, and answers them from now on. @returns those that have it open */
export async function enterTab(key: string): Promise<ReadonlySet<string>> {
  openHere.set(key, (openHere.get(key) ?? 0) + 1);
  others.value = new Map([...others.value, [key, new Set()]]);
  say("ask", key);
  await new Promise((done) => setTimeout(done, ANSWER_MS));
  return otherTabs(key);
}

export function leaveTab(key: string): void {
  const left = (openHere.get(key) ?? 0) - 1;
  if (left > 0) return void openHere.set(key, left);
  openHere.delete(key);
  say("closed", key);
}
