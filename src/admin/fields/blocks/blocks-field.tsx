/** The sections of a page: closed but for the one at work, added between any two, copied, hidden and put in order. */
import { useCallback, useContext, useRef, useState } from "preact/hooks";
import { text } from "../../i18n.ts";
import { isList, isRecord, type Json, type Values } from "../../json.ts";
import { Icon } from "../../ui/icon.tsx";
import { ItemList } from "../../ui/lists/item-list.tsx";
import { notify, notifyFailure } from "../../ui/notices.tsx";
import { emptyData } from "../empty-data.ts";
import type { Definitions, FieldDefinition } from "../definition.ts";
import type { FieldProps } from "../field.ts";
import { beginFields } from "../field-focus.ts";
import { FieldMessages, Help, Messages } from "../field-messages.tsx";
import { BlockConversion } from "./block-conversion.tsx";
import { BlockChooser } from "./block-chooser.tsx";
import { useCommands } from "../../palette/commands.ts";
import { blockTypes, copiedBlock, fieldsOfBlock, firstWords, newBlockId, typesOf } from "./block-types.ts";
import { useOpenSection } from "./open-section.ts";

/** What tells a text of the clipboard from others. */
const CLIPBOARD = "git-cms/blocks";

const idOf = (block: Json): string => (isRecord(block) ? String(block.id) : "");

/** The form of the fields of a block, which may have sections itself. */
type BlockForm = (props: {
  readonly definitions: Definitions;
  readonly path: string;
  readonly data: Values;
  readonly onChange: (data: Values) => void;
}) => preact.JSX.Element;

export function BlocksField({ definition, path, value, onChange, form }: FieldProps & { readonly form: BlockForm }) {
  const { label, maximum = Infinity } = definition;
  const blocks = isList(value) ? value : NO_BLOCKS;
  const types = typesOf(definition);
  const [open, setOpen] = useState<string | undefined>(undefined);
  /** Where the next block goes; undefined: none is being chosen. */
  const [place, setPlace] = useState<number | undefined>(undefined);
  const latest = useRef({ blocks, onChange });
  latest.current = { blocks, onChange };
  const insert = (at: number, added: readonly Values[]): void => {
    const { current } = latest;
    current.onChange([...current.blocks.slice(0, at), ...added, ...current.blocks.slice(at)]);
    const [first = {}] = added;
    setOpen(idOf(first));
    setPlace(undefined);
    beginFields(`${path}.${at}`, fieldsOfBlock(first), first);
  };
  const messages = Object.keys(useContext(FieldMessages));
  // What is refused is shown.
  const refused = blocks.findIndex((_, at) => messages.some((each) => each.startsWith(`${path}.${at}.`)));
  const shown = refused >= 0 && open === undefined ? idOf(blocks[refused]!) : open;
  useOpenSection(
    path,
    blocks.findIndex((block) => idOf(block) === shown && shown !== ""),
  );
  const draw = useCallback(
    (block: Json, at: number, change: (block: Json) => void) =>
      isRecord(block) ? (
        <Block
          {...{ block, at, change, form, definition }}
          path={`${path}.${at}`}
          isOpen={idOf(block) === shown}
          onToggle={() => setOpen(idOf(block) === shown ? "" : idOf(block))}
          onDuplicate={() => insert(at + 1, [copiedBlock(block)])}
          onInsert={() => setPlace(at + 1)}
        />
      ) : null,
    [path, shown, form, definition],
  );
  const isFull = blocks.length >= maximum;
  const adding = useRef<HTMLButtonElement>(null);
  // Of sections in sections, the button alone.
  const isInSection = /\.\d+\./.test(path);
  useCommands(isInSection ? [] : [{ name: text("addSection"), run: () => adding.current?.click() }]);
  const pasted = async (): Promise<void> => {
    try {
      const found = blocksIn(await navigator.clipboard.readText());
      const taken = found.filter((each) => types.some(({ name }) => name === each.type));
      if (taken.length === 0) return notify(text("nothingToPaste"));
      insert(place ?? blocks.length, taken.map(copiedBlock));
    } catch (error) {
      notifyFailure(error);
    }
  };
  return (
    <div data-field={path} class="blocks">
      <ItemList name={label} items={blocks} keyOf={idOf} onChange={onChange}>
        {draw}
      </ItemList>
      <button type="button" ref={adding} aria-disabled={isFull} onClick={() => !isFull && setPlace(blocks.length)}>
        {text("addSection")}
      </button>
      <Help path={path} />
      <Messages path={path} />
      {place !== undefined && !isFull && (
        <BlockChooser
          types={types}
          onChoose={({ name, schema }) => insert(place, [{ type: name, id: newBlockId(), ...emptyData(schema) }])}
          onPaste={() => void pasted()}
          onClose={() => setPlace(undefined)}
        />
      )}
    </div>
  );
}

const NO_BLOCKS: readonly Json[] = [];

interface BlockProps {
  /** The field that the block is in. */
  readonly definition: FieldDefinition;
  readonly block: Values;
  readonly form: BlockForm;
  readonly at: number;
  readonly path: string;
  readonly isOpen: boolean;
  readonly change: (block: Json) => void;
  readonly onToggle: () => void;
  readonly onDuplicate: () => void;
  readonly onInsert: () => void;
}

function Block({ block, form: Form, at, path, isOpen, change, ...props }: BlockProps) {
  const { definition, onToggle, onDuplicate, onInsert } = props;
  const type = blockTypes.value.find(({ name }) => name === block.type);
  const isHidden = block.hidden === true;
  const isRefused = Object.keys(useContext(FieldMessages)).some((each) => each.startsWith(`${path}.`));
  const label = type?.label ?? text("unknownSection", { name: String(block.type) });
  return (
    <section data-field={path} class={isOpen ? "block open" : "block"}>
      <button
        type="button"
        class="block-head"
        aria-expanded={isOpen}
        onClick={({ currentTarget: { parentElement: section }, isTrusted }) => {
          onToggle();
          // What the preview or a message leads to in it comes into sight by itself.
          if (isTrusted) requestAnimationFrame(() => section!.scrollIntoView({ block: "nearest" }));
        }}
      >
        <Icon name={type?.icon ?? "block"} />
        <strong>{label}</strong>
        {!isOpen && <span class="block-words">{firstWords(block)}</span>}
        {isRefused && <span class="badge refused">{text("refusedSection")}</span>}
        {isHidden && <span class="badge">{text("hiddenSection")}</span>}
      </button>
      {isOpen && (
        <div class="block-form" key={idOf(block)}>
          <Form definitions={fieldsOfBlock(block)} path={path} data={block} onChange={change} />
          <div class="actions">
            <button type="button" onClick={onDuplicate}>
              {text("duplicate")}
            </button>
            <button type="button" onClick={() => void copy(block)}>
              {text("copySection")}
            </button>
            <button type="button" onClick={() => change(withHidden(block, !isHidden))}>
              {text(isHidden ? "showSection" : "hideSection")}
            </button>
            <BlockConversion block={block} types={typesOf(definition)} onConvert={change} />
          </div>
        </div>
      )}
      <button type="button" class="between" aria-label={text("addSectionAfter", { number: at + 1 })} onClick={onInsert}>
        +
      </button>
    </section>
  );
}

function withHidden(block: Values, isHidden: boolean): Values {
  const { type = null, id = null, hidden: _, ...fields } = block;
  if (!isHidden) return { type, id, ...fields };
  return { type, id, hidden: true, ...fields };
}

async function copy(block: Values): Promise<void> {
  try {
    await navigator.clipboard.writeText(JSON.stringify({ kind: CLIPBOARD, blocks: [block] }));
    notify(text("sectionCopied"));
  } catch (error) {
    notifyFailure(error);
  }
}

/** The blocks in a text of the clipboard, which may come from anywhere. */
function blocksIn(clipboard: string): readonly Values[] {
  try {
    const found = JSON.parse(clipboard) as Json;
    return isRecord(found) && found.kind === CLIPBOARD && isList(found.blocks) ? found.blocks.filter(isRecord) : [];
  } catch {
    return [];
  }
}
