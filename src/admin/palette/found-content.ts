/** What the search of the service finds, with the words around it and the screen on which it is changed. */
import { get } from "../api.ts";
import { text } from "../i18n.ts";
import type { MetaTypePayload } from "../../library/payloads.ts";
import { maySee } from "../navigation.tsx";
import { go } from "../router.ts";
import { contentLanguage } from "../site.ts";
import type { Command } from "./commands.ts";

/** A command with what it leads to. */
export interface Found extends Command {
  readonly detail: string;
  readonly passage?: Passage;
}

interface Passage {
  readonly field: string;
  readonly text: string;
  /** Start and end of each word that was found. */
  readonly marks: readonly (readonly [number, number])[];
}

/** A result, as the API has it. */
interface FoundItem {
  readonly model: string;
  readonly id: number;
  readonly language: string;
  readonly title: string;
  /** null for what is no page. */
  readonly status: string | null;
  readonly url: string | null;
  readonly meta_type?: number | null;
  readonly passages: readonly Passage[];
}

const ITEMS = 20;

export const leadingTo = (path: string, name: string, detail: string): Found => ({ name, detail, run: () => go(path) });

/** A record that is found in several languages is there once, in the one of the editor's content if it can be. */
export async function findContent(search: string, signal: AbortSignal): Promise<readonly Found[]> {
  const query = new URLSearchParams({ q: search, items: String(ITEMS) });
  const { items } = await get<{ readonly items: readonly FoundItem[] }>(`search/?${query}`, signal);
  const once = new Map<string, FoundItem>();
  for (const item of items) {
    const key = `${item.model} ${item.id}`;
    if (!once.has(key) || item.language === contentLanguage.value) once.set(key, item);
  }
  const found = [...once.values()];
  const wanted = search.trim().toLowerCase().split(/\s+/);
  const hasInstances = found.some(({ model }) => model === "metainstance");
  const types = hasInstances ? await get<readonly MetaTypePayload[]>("meta-types/", signal) : [];
  return found.flatMap((item) => {
    const screen = screenOf(item, types);
    if (!screen || !maySee(screen.section)) return [];
    const { title, passages } = item;
    const isNamed = wanted.every((word) => title.toLowerCase().includes(word));
    const passage = isNamed ? undefined : passages.find(({ marks }) => marks.length > 0);
    const path = passage && item.status !== null ? `${screen.path}&${placeIn(passage)}` : screen.path;
    return [{ ...leadingTo(path, title, screen.detail), ...(passage && { passage }) }];
  });
}

/** In characters, around what was found. */
const AROUND = 24;

/** Where the screen of a page leads to: its field, and what is selected there. */
function placeIn({ field, text: words, marks }: Passage): URLSearchParams {
  const [start, end] = marks[0]!;
  const from = Math.max(0, start - AROUND);
  const place = { field, words: words.slice(from, end + AROUND), at: start - from, length: end - start };
  return new URLSearchParams(Object.entries(place).map(([name, value]) => [name, String(value)]));
}

interface FoundScreen {
  readonly section: string;
  readonly path: string;
  readonly detail: string;
}

function screenOf(
  { model, id, language, title, status, url, meta_type: type }: FoundItem,
  types: readonly MetaTypePayload[],
): FoundScreen | undefined {
  if (status !== null) {
    const section = model === "article" ? "articles" : "pages";
    return { section, path: `${section}/${id}?lang=${language}`, detail: url ?? text(section) };
  }
  if (model === "metainstance")
    return type
      ? {
          section: "types",
          path: `types/${type}/instances/${id}`,
          detail: types.find((each) => each.id === type)?.name ?? "",
        }
      : undefined;
  if (model === "tag") return { section: "tags", path: `tags/${id}`, detail: text("tag") };
  if (model === "media") return { section: "media", path: `media?file=${id}`, detail: text("media") };
  if (model === "menu") return { section: "menus", path: `menus/${encodeURIComponent(title)}`, detail: text("menus") };
  return model === "content" ? { section: "blocks", path: `blocks/${id}`, detail: text("blocks") } : undefined;
}
