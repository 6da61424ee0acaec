/** The palette (Ctrl-K, Cmd-K) finds screens, pages, files and everything that can be done; `?` lists the shortcuts. */
import { signal } from "@preact/signals";
import { useEffect, useId, useState } from "preact/hooks";
import { get } from "../api.ts";
import { chooseLanguage, LANGUAGES, text } from "../i18n.ts";
import { maySee, shownSections } from "../navigation.tsx";
import { askForNewPage } from "../pages/new-page.tsx";
import { go } from "../router.ts";
import { may, signOut } from "../session.ts";
import { languages } from "../site.ts";
import type { TextKey } from "../texts/en.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Icon } from "../ui/icon.tsx";
import { offeredCommands, type Command } from "./commands.ts";
import { findContent, leadingTo, type Found } from "./found-content.ts";

/** In milliseconds: a pause in typing after which the palette follows. */
const TYPING_PAUSE = 80;
/** How many results of each kind are shown. */
const SHOWN = 8;

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
        {found.map(({ name, detail, passage }, at) => (
          <li
            key={`${at} ${name}`}
            id={`${id}-${at}`}
            role="option"
            aria-selected={at === current}
            onClick={() => run(at)}
          >
            {name} <span class="address">{detail}</span>
            {passage && <Words {...passage} />}
          </li>
        ))}
      </ul>
      <p class="foot" role="status">
        {found.length === 0 && text("nothingFound")}
      </p>
    </Dialog>
  );
}

/** The words around what was found. */
function Words({ text: words, marks }: NonNullable<Found["passage"]>) {
  const parts = marks.flatMap(([start, end], at) => [
    words.slice(at === 0 ? 0 : marks[at - 1]![1], start),
    <mark key={start}>{words.slice(start, end)}</mark>,
  ]);
  return (
    <small>
      {parts}
      {words.slice(marks.at(-1)?.[1])}
    </small>
  );
}

/** Verbs of the screen that is open, then screens, then what is possible everywhere. */
function ownCommands(onShortcuts: () => void): Found[] {
  const everywhere: readonly Command[] = [
    ...(may("add_page") ? [{ name: text("newPage"), run: () => void askForNewPage() }] : []),
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

async function findRecords(search: string, signal: AbortSignal): Promise<Found[]> {
  const wanted = search.trim().toLowerCase();
  const sections: Readonly<Record<string, () => Promise<readonly Found[]>>> = {
    releases: async () => {
      const query = new URLSearchParams({ search, items: String(SHOWN) });
      const { items } = await get<{ readonly items: readonly { readonly name: string }[] }>(
        `releases/?${query}`,
        signal,
      );
      return items.map(({ name }) => leadingTo(`releases/${name}`, name, text("release")));
    },
    settings: async () =>
      (await get<readonly { setting: string }[]>("settings/", signal))
        .filter(({ setting }) => setting.toLowerCase().includes(wanted))
        .slice(0, SHOWN)
        .map(({ setting }) => leadingTo(`settings?search=${encodeURIComponent(setting)}`, setting, text("setting"))),
  };
  const others = Object.entries(sections).flatMap(([section, find]) => (maySee(section) ? [find] : []));
  const all = [() => findContent(search, signal), ...others];
  return (await Promise.all(all.map((find) => find().catch((): readonly Found[] => [])))).flat();
}

const SHORTCUTS: readonly (readonly [keys: string, TextKey])[] = [
  ["Ctrl K, ⌘ K", "search"],
  ["?", "shortcuts"],
  ["Ctrl S, ⌘ S", "save"],
  ["Ctrl Alt M, ⌘ ⌥ M", "commentOnWords"],
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
