/** A long text: a plain control at first, an editor with Markdown in place once it is seen. */
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { placeOfPassage, type TextPassage } from "../../../model/review/passage.ts";
import type { ShownWords } from "../../../bridge/messages.ts";
import { onSite } from "../../api.ts";
import { text } from "../../i18n.ts";
import type { TextKey } from "../../texts/en.ts";
import { Icon } from "../../ui/icon.tsx";
import { CARET_AT_WORDS } from "../field-focus.ts";
import { Labelled } from "../field-messages.tsx";
import { SELECTION_ASKED, WORDS_SHOWN, type SelectionAsked } from "../../review/selected-words.ts";
import { useTextLanguage } from "../text-language.ts";
import { uploadFile } from "../../media/media-item.ts";
import { may } from "../../session.ts";
import { loadPart } from "../../ui/load-part.ts";
import { notifyFailure } from "../../ui/notices.tsx";
import type { MarkdownEditor } from "./markdown-editor.ts";
import type { Format } from "./markdown-format.ts";
import { LinkDialog, PictureDialog } from "./text-dialogs.tsx";
import type { TextFiles } from "./text-files.ts";

interface MarkdownProps {
  readonly path: string;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly isRequired?: boolean | undefined;
  readonly value: string;
  readonly onChange: (text: string) => void;
}

const FORMATS: readonly (readonly [Format, TextKey, sign: string])[] = [
  ["bold", "bold", "B"],
  ["italic", "italic", "I"],
  ["heading", "heading", "H"],
  ["list", "bulletList", "•"],
  ["numbered", "numberedList", "№"],
  ["quote", "quote", "❝"],
];

const FILES: TextFiles = {
  async upload(file, onProgress) {
    const { file: address } = await uploadFile(file, null, onProgress);
    return onSite(address);
  },
  onFailure: ({ name }, error) => notifyFailure(error, name),
  label: ({ name }) => text("uploadingFile", { name }),
};

export function MarkdownField({ path, label, hint, isRequired, value, onChange }: MarkdownProps) {
  const host = useRef<HTMLDivElement>(null);
  const [editor, setEditor] = useState<MarkdownEditor | undefined>(undefined);
  const [asked, setAsked] = useState<"link" | "picture" | undefined>(undefined);
  const [isSource, setSource] = useState(false);
  const latest = useRef({ value, onChange });
  latest.current = { value, onChange };
  const language = useTextLanguage();
  useEffect(() => {
    let opened: MarkdownEditor | undefined;
    let isGone = false;
    const seen = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      seen.disconnect();
      void loadPart(() => import("./markdown-editor.ts")).then(({ openMarkdownEditor }) => {
        if (isGone) return;
        const onTyped = (typed: string): void => latest.current.onChange(typed);
        opened = openMarkdownEditor(host.current!, {
          label,
          text: latest.current.value,
          language,
          isReadOnly: host.current!.closest("fieldset:disabled") !== null,
          onTyped,
          files: may("add_media") ? FILES : undefined,
          onLink: () => setAsked("link"),
          onPicture: () => setAsked("picture"),
          onSource: () => setSource((was) => !was),
        });
        const plain = host.current!.parentElement!.querySelector("textarea");
        if (plain && plain === document.activeElement) opened.takeOver(plain);
        setEditor(opened);
      }, notifyFailure);
    });
    seen.observe(host.current!.parentElement!);
    return () => {
      isGone = true;
      seen.disconnect();
      opened?.close();
    };
  }, []);
  // Before the next key: an effect after painting would show a text that is older than what was typed since.
  useLayoutEffect(() => editor?.show(value), [editor, value]);
  useLayoutEffect(() => editor?.showSource(isSource), [editor, isSource]);
  useEffect(() => {
    if (!editor) return;
    const answers: Readonly<Record<string, (event: Event) => void>> = {
      [CARET_AT_WORDS](event) {
        const { detail: words } = event as CustomEvent<ShownWords | null>;
        if (words) editor.goTo(words);
        else editor.showCaret();
      },
      [SELECTION_ASKED]: (event) => void ((event as CustomEvent<SelectionAsked>).detail.selected = editor.selected()),
      [WORDS_SHOWN](event) {
        const place = placeOfPassage(editor.selected().text, (event as CustomEvent<TextPassage>).detail);
        if (place) editor.select(place.start, place.end);
      },
    };
    const { current } = host;
    for (const [name, answer] of Object.entries(answers)) current?.addEventListener(name, answer);
    return () => {
      for (const [name, answer] of Object.entries(answers)) current?.removeEventListener(name, answer);
    };
  }, [editor]);
  const close = (): void => setAsked(undefined);
  /** The focus is at the caret again once the dialog is closed. */
  const ask = (what: typeof asked): void => {
    editor?.focus();
    setAsked(what);
  };
  return (
    <>
      <Labelled path={path} label={label} hint={hint} isRequired={isRequired}>
        {(control) => (
          <div class="markdown">
            {editor && (
              <Toolbar label={label} editor={editor}>
                <Tool name="link" sign="↗" onClick={() => ask("link")} />
                <Tool name="picture" sign={<Icon name="image" />} onClick={() => ask("picture")} />
                <Tool
                  name="markdownSource"
                  sign="</>"
                  isPressed={isSource}
                  onClick={() => {
                    setSource(!isSource);
                    editor.focus();
                  }}
                />
              </Toolbar>
            )}
            {!editor && (
              <textarea
                {...control}
                rows={6}
                value={value}
                onInput={({ currentTarget }) => onChange(currentTarget.value)}
              />
            )}
            <div ref={host} class="markdown-text" />
          </div>
        )}
      </Labelled>
      {editor && asked === "link" && (
        <LinkDialog
          headings={editor.headings()}
          words={wordsOf(editor.selected())}
          present={editor.addressAtCaret()}
          onClose={close}
          onChoose={(link) => {
            close();
            editor.link(link);
          }}
        />
      )}
      {editor && asked === "picture" && (
        <PictureDialog
          picture={editor.pictureAtCaret()}
          onClose={close}
          onChoose={(picture) => {
            close();
            editor.putPicture(picture);
          }}
        />
      )}
    </>
  );
}

/** In characters: more are no name of a page. */
const WORDS_MAX = 60;

/** The selected words, as far as a page may be called so. */
function wordsOf({ text: all, start, end }: ReturnType<MarkdownEditor["selected"]>): string {
  const words = all.slice(start, end).trim();
  return words.length > WORDS_MAX || words.includes("\n") ? "" : words;
}

interface ToolbarProps {
  readonly label: string;
  readonly editor: MarkdownEditor;
  /** The tools that are no formats. */
  readonly children: ComponentChildren;
}

/** One stop for Tab; arrows lead from one tool to the next. */
function Toolbar({ label, editor, children }: ToolbarProps) {
  const bar = useRef<HTMLDivElement>(null);
  const reached = useRef(0);
  const reach = (to: number): void => {
    const tools = [...(bar.current?.querySelectorAll("button") ?? [])];
    reached.current = (to + tools.length) % tools.length;
    for (const [at, tool] of tools.entries()) tool.tabIndex = at === reached.current ? 0 : -1;
  };
  useLayoutEffect(() => reach(reached.current));
  const lead = (event: KeyboardEvent): void => {
    const steps: Record<string, number> = {
      ArrowRight: 1,
      ArrowLeft: -1,
      Home: -reached.current,
      End: -1 - reached.current,
    };
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    reach(reached.current + step);
    bar.current?.querySelector<HTMLElement>("button[tabindex='0']")?.focus();
  };
  return (
    <div class="toolbar" role="toolbar" aria-label={text("formatOf", { name: label })} ref={bar} onKeyDown={lead}>
      {FORMATS.map(([format, key, sign]) => (
        <Tool
          key={format}
          name={key}
          sign={<span class={`format-${format}`}>{sign}</span>}
          onClick={() => editor.apply(format)}
        />
      ))}
      {children}
    </div>
  );
}

interface ToolProps {
  readonly name: TextKey;
  readonly sign: ComponentChildren;
  /** Absent for a tool that is not switched on and off. */
  readonly isPressed?: boolean;
  readonly onClick: () => void;
}

const Tool = ({ name, sign, isPressed, onClick }: ToolProps) => (
  <button
    type="button"
    class="quiet"
    title={text(name)}
    aria-label={text(name)}
    aria-pressed={isPressed}
    onClick={onClick}
  >
    <span aria-hidden="true">{sign}</span>
  </button>
);
