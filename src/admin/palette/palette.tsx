/** The palette (Ctrl-K, Cmd-K) finds screens, pages, files and everything that can be done; `?` lists the shortcuts. */
import { signal } from "@preact/signals";
import { useEffect, useId, useState } from "preact/hooks";
import { get } from "../api.ts";
import { chooseLanguage, LANGUAGES, text } from "../i18n.ts";
import { findMedia, fileName } from "../media/media-item.ts";
import type { MetaType } from "../meta/meta-type.ts";
import type { Collection } from "../pages/page-state.ts";
import { nameOfRow, type PageRow } from "../pages/list/page-row.ts";
import { maySee, shownSections } from "../navigation.tsx";
import { go } from "../router.ts";
import { signOut } from "../session.ts";
import { contentLanguage, languages } from "../site.ts";
import type { TextKey } from "../texts/en.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Icon } from "../ui/icon.tsx";
import { offeredCommands, type Command } from "./commands.ts";

/** In milliseconds: a pause in typing after which the palette follows. */
const TYPING_PAUSE = 80;
/** How many results of each kind are shown. */
const SHOWN = 8;

/** A command with what it leads to. */
interface Found extends Command {
  readonly detail: string;
}

const shown = signal<"palette" | "shortcuts" | undefined>(undefined);

/** How the keyboard of this system writes it. */
const OPENING_KEYS = /Mac|iP(?:hone|ad)/.test(navigator.platform) ? "⌘ K" : "Ctrl K";

export const PaletteButton = () => (
  <button class="palette-button" aria-keyshortcuts="Control+K Meta+K" onClick={() => (shown.value = "palette")}>
    <Icon name="search" />
    <span>{text("search")}</span> <kbd aria-hidden="true">{OPENING_KEYS}</kbd>
  </button>
);

export function Palette() {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const isPalette = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k";
      const isHelp = event.key === "?" && !isTyping(event.target);
      // In a text with selected words, the key makes a link.
      if ((!isPalette && !isHelp) || event.defaultPrevented || document.querySelector("dialog[open]")) return;
      event.preventDefault();
      shown.value = isPalette ? "palette" : "shortcuts";
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
  const close = (): void => void (shown.value = undefined);
  if (shown.value === "shortcuts") return <Shortcuts onClose={close} />;
  if (shown.value === "palette") return <Finder onClose={close} onShortcuts={() => (shown.value = "shortcuts")} />;
  return null;
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

interface FinderProps {
  readonly onClose: () => void;
  readonly onShortcuts: () => void;
}

function Finder({ onClose, onShortcuts }: FinderProps) {
  const id = useId();
  const [search, setSearch] = useState("");
  const [records, setRecords] = useState<readonly Found[]>([]);
  const [chosen, setChosen] = useState(0);
  const [own] = useState(() => ownCommands(onShortcuts));
  useEffect(() => {
    setChosen(0);
    if (search.trim() === "") return setRecords([]);
    const superseded = new AbortController();
    const timer = setTimeout(
      () =>
        void findRecords(search, superseded.signal).then(
          (found) => superseded.signal.aborted || setRecords(found),
          () => undefined, // the commands are still there
        ),
      TYPING_PAUSE,
    );
    return () => {
      clearTimeout(timer);
      superseded.abort();
    };
  }, [search]);
  const wanted = search.trim().toLowerCase().split(/\s+/);
  const commands = own.filter(({ name }) => wanted.every((word) => name.toLowerCase().includes(word)));
  const found = [...commands, ...records];
  const current = Math.min(chosen, Math.max(found.length - 1, 0));
  const run = (at: number): void => {
    const command = found[at];
    if (!command) return;
    onClose();
    command.run();
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === "ArrowDown") setChosen(Math.min(current + 1, found.length - 1));
    else if (event.key === "ArrowUp") setChosen(Math.max(current - 1, 0));
    else if (event.key === "Enter") run(current);
    else return;
    event.preventDefault();
  };
  useEffect(() => document.getElementById(`${id}-${current}`)?.scrollIntoView({ block: "nearest" }), [current]);
  return (
    <Dialog title={text("search")} onClose={onClose} isWide>
      <input
        type="text"
        class="wide"
        role="combobox"
        autofocus
        aria-label={text("paletteSearch")}
        placeholder={text("paletteSearch")}
        aria-expanded
        aria-autocomplete="list"
        list={undefined}
        aria-controls={`${id}-list`}
        aria-activedescendant={found.length > 0 ? `${id}-${current}` : undefined}
        onInput={({ currentTarget }) => setSearch(currentTarget.value)}
        onKeyDown={onKey}
      />
      <ul class="palette" role="listbox" id={`${id}-list`} aria-label={text("results")}>
        {found.map(({ name, detail }, at) => (
          <li
            key={`${at} ${name}`}
            id={`${id}-${at}`}
            role="option"
            aria-selected={at === current}
            onClick={() => run(at)}
          >
            {name} <span class="address">{detail}</span>
          </li>
        ))}
      </ul>
      <p class="foot" role="status">
        {found.length === 0 && text("nothingFound")}
      </p>
    </Dialog>
  );
}

/** Verbs of the screen that is open, then screens, then what is possible everywhere. */
function ownCommands(onShortcuts: () => void): Found[] {
  const everywhere: readonly Command[] = [
    ...languages.value.map((language) => ({
      name: text("contentIn", { language: language.name }),
      run: () => go(`pages?lang=${language.id}`),
    })),
    { name: text("shortcuts"), run: onShortcuts },
    ...Object.entries(LANGUAGES).map(([code, { name }]) => ({
      name: `Editor: ${name}`,
      run: () => chooseLanguage(code),
    })),
    { name: text("signOut"), run: () => void signOut() },
  ];
  return [
    ...offeredCommands().map((command) => ({ ...command, detail: text("onThisScreen") })),
    ...shownSections().map(({ path, name }) => ({
      name: text(name),
      detail: text("goTo"),
      run: () => go(path),
    })),
    ...everywhere.map((command) => ({ ...command, detail: "" })),
  ];
}

interface Instance {
  readonly id: number;
  readonly identifier: string;
  /** null: its type is gone, and no screen shows it. */
  readonly meta_type: number | null;
}

const leadingTo = (path: string, name: string, detail: string): Found => ({ name, detail, run: () => go(path) });

async function findRecords(search: string, signal: AbortSignal): Promise<Found[]> {
  const lang = contentLanguage.value;
  const listed = async <T,>(list: string, more: Readonly<Record<string, string>> = {}): Promise<readonly T[]> => {
    const query = new URLSearchParams({ search, items: String(SHOWN), language: lang, ...more });
    return (await get<{ readonly items: readonly T[] }>(`${list}/?${query}`, signal)).items;
  };
  /** The search finds words of texts, too: what is called so comes first. */
  const titledFirst = async (collection: Collection): Promise<readonly PageRow[]> => {
    const fields = "id,title,permalink";
    const fltr = `title__icontains="${search.trim().replaceAll('"', "")}"`;
    const both = [listed<PageRow>(collection, { fields, fltr, search: "" }), listed<PageRow>(collection, { fields })];
    const found = (await Promise.all(both)).flat();
    return [...new Map(found.map((row) => [row.id, row])).values()].slice(0, SHOWN);
  };
  const wanted = search.trim().toLowerCase();
  const sections: Readonly<Record<string, () => Promise<readonly Found[]>>> = {
    pages: async () =>
      (await titledFirst("pages")).map((row) =>
        leadingTo(`pages/${row.id}?lang=${lang}`, nameOfRow(row), row.permalink ?? text("pages")),
      ),
    articles: async () =>
      (await titledFirst("articles")).map((row) =>
        leadingTo(`articles/${row.id}?lang=${lang}`, nameOfRow(row), text("articles")),
      ),
    tags: async () =>
      (await listed<{ id: number; name: string | null }>("tags")).map(({ id, name }) =>
        leadingTo(`tags/${id}`, name || `#${id}`, text("tag")),
      ),
    async types() {
      const [types, instances] = await Promise.all([
        get<readonly MetaType[]>("meta-types/", signal),
        listed<Instance>("meta-instances"),
      ]);
      return instances.flatMap(({ id, identifier, meta_type: type }) => {
        const name = types.find((each) => each.id === type)?.name ?? "";
        return type === null ? [] : [leadingTo(`types/${type}/instances/${id}`, identifier || `#${id}`, name)];
      });
    },
    releases: async () =>
      (await listed<{ name: string }>("releases")).map(({ name }) =>
        leadingTo(`releases/${name}`, name, text("release")),
      ),
    settings: async () =>
      (await get<readonly { setting: string }[]>("settings/", signal))
        .filter(({ setting }) => setting.toLowerCase().includes(wanted))
        .slice(0, SHOWN)
        .map(({ setting }) => leadingTo(`settings?search=${encodeURIComponent(setting)}`, setting, text("setting"))),
    media: async () =>
      (await findMedia(search, 1, signal)).items
        .slice(0, SHOWN)
        .map((item) => leadingTo(`media?file=${item.id}`, item.title || fileName(item), text("media"))),
  };
  const parts = Object.entries(sections).filter(([section]) => maySee(section));
  return (await Promise.all(parts.map(([, find]) => find().catch((): readonly Found[] => [])))).flat();
}

const SHORTCUTS: readonly (readonly [keys: string, TextKey])[] = [
  ["Ctrl K, ⌘ K", "search"],
  ["?", "shortcuts"],
  ["Ctrl S, ⌘ S", "save"],
  ["Ctrl B, ⌘ B", "bold"],
  ["Ctrl I, ⌘ I", "italic"],
  ["Ctrl Alt 2, ⌘ ⌥ 2", "heading"],
  ["Ctrl Shift 8, ⌘ ⇧ 8", "bulletList"],
  ["Ctrl Shift 7, ⌘ ⇧ 7", "numberedList"],
  ["Ctrl Shift 9, ⌘ ⇧ 9", "quote"],
  ["Ctrl K, ⌘ K", "linkOfSelection"],
  ["Ctrl /, ⌘ /", "markdownSource"],
  ["↑ ↓ ← →", "shortcutRows"],
  ["Alt ↑ ↓ ← →", "shortcutMove"],
  ["Space", "shortcutSelect"],
  ["Esc", "close"],
];

const Shortcuts = ({ onClose }: { onClose: () => void }) => (
  <Dialog title={text("shortcuts")} onClose={onClose}>
    <dl class="shortcuts">
      {SHORTCUTS.map(([keys, key]) => (
        <div key={key}>
          <dt>
            <kbd>{keys}</kbd>
          </dt>
          <dd>{text(key)}</dd>
        </div>
      ))}
    </dl>
    <button onClick={onClose}>{text("close")}</button>
  </Dialog>
);
