/**
 * Files that are pasted or dropped into a text: each is uploaded, and its Markdown put where it was dropped.
 *
 * Until all of them are there, a sign that is no part of the text holds the place: what is typed meanwhile moves it along.
 */
import { StateEffect, StateField, type Extension } from "@codemirror/state";
import { Decoration, EditorView, WidgetType, type DecorationSet } from "@codemirror/view";
import { linkMarkdown, pictureMarkdown } from "../../../model/text/markdown-links.ts";

export interface TextFiles {
  /** Sends one file. @param onProgress the share that was sent, from 0 to 1 @returns its address @throws when it fails */
  upload(file: File, onProgress: (share: number) => void): Promise<string>;
  /** Says why a file could not be sent; the text stays as it is. */
  onFailure(file: File, error: unknown): void;
  /** The label of the progress. */
  label(file: File): string;
}

interface Place {
  readonly sign: UploadSign;
  readonly at: number;
}

const begin = StateEffect.define<Place>();
const end = StateEffect.define<UploadSign>();

class UploadSign extends WidgetType {
  readonly element = document.createElement("span");
  readonly #label = document.createElement("span");
  readonly #bar = document.createElement("progress");

  constructor() {
    super();
    this.element.className = "cm-upload";
    this.element.setAttribute("role", "status");
    this.element.append(this.#label, " ", this.#bar);
  }

  show(label: string, share: number): void {
    if (this.#label.textContent !== label) this.#label.textContent = label;
    this.#bar.setAttribute("aria-label", label);
    this.#bar.value = share;
  }

  override toDOM(): HTMLElement {
    return this.element;
  }

  override eq(other: UploadSign): boolean {
    return this === other;
  }
}

const signs = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(set, transaction) {
    let next = set.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (effect.is(begin)) {
        const { sign, at } = effect.value;
        next = next.update({ add: [Decoration.widget({ widget: sign, side: 1 }).range(at)] });
      } else if (effect.is(end)) next = next.update({ filter: (_from, _to, { spec }) => spec.widget !== effect.value });
    }
    return next;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** What `insertFiles` needs in an editor. */
export const uploadSigns: Extension = [
  signs,
  EditorView.theme({
    ".cm-upload": { color: "var(--soft)", padding: "0 .25rem" },
    ".cm-upload progress": { verticalAlign: "middle", maxWidth: "8rem" },
  }),
];

/** @param at a position in the text */
export async function insertFiles(
  view: EditorView,
  files: readonly File[],
  at: number,
  options: TextFiles,
): Promise<void> {
  const sign = new UploadSign();
  view.dispatch({ effects: begin.of({ sign, at }) });
  const texts: string[] = [];
  for (const file of files) {
    const label = options.label(file);
    sign.show(label, 0);
    try {
      const address = await options.upload(file, (share) => sign.show(label, share));
      texts.push(markdownOfFile(file, address));
    } catch (error) {
      options.onFailure(file, error);
    }
  }
  // The screen was left: the files are in the library.
  if (!view.dom.isConnected) return;
  const { doc, selection } = view.state;
  // The place is gone where the whole text was replaced.
  const place = placeOf(view, sign) ?? Math.min(at, doc.length);
  const insert = texts.join("\n\n");
  view.dispatch({
    effects: end.of(sign),
    ...(insert !== "" && { changes: { from: place, insert }, userEvent: "input.paste" }),
    ...(selection.main.empty && selection.main.head === place && { selection: { anchor: place + insert.length } }),
  });
}

function placeOf(view: EditorView, sign: UploadSign): number | undefined {
  let place: number | undefined;
  view.state.field(signs).between(0, view.state.doc.length, (from, _to, { spec }) => {
    if (spec.widget === sign) place = from;
  });
  return place;
}

/** A picture, described by the words of its file's name, or a link to another file. */
function markdownOfFile({ name, type }: File, address: string): string {
  if (!type.startsWith("image/")) return linkMarkdown(name, address);
  const words = name.slice(0, name.lastIndexOf(".")).replaceAll(/[-_]/g, " ").trim();
  return pictureMarkdown({ address, alt: NAMES_OF_CLIPBOARDS.has(words) ? "" : words, caption: "" });
}

/** Names that browsers give to pictures without one. */
const NAMES_OF_CLIPBOARDS: ReadonlySet<string> = new Set(["image", "unknown", ""]);
