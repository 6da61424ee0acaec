/** Changes the kind of a section into another one that has some of its fields; what would be lost is shown first. */
import { useState } from "preact/hooks";
import { text } from "../../i18n.ts";
import type { Values } from "../../json.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { BlockChooser } from "./block-chooser.tsx";
import { fieldsOfBlock, type BlockType } from "./block-types.ts";
import { convertedBlock, isRelated, type Converted } from "./converted-block.ts";

interface ConversionProps {
  readonly block: Values;
  /** Those that may be in its place. */
  readonly types: readonly BlockType[];
  readonly onConvert: (block: Values) => void;
}

export function BlockConversion({ block, types, onConvert }: ConversionProps) {
  const [isChoosing, setChoosing] = useState(false);
  const [asked, setAsked] = useState<(Converted & { readonly label: string }) | undefined>(undefined);
  const fields = fieldsOfBlock(block);
  const others = types.filter(({ name, schema }) => name !== block.type && isRelated(fields, schema));
  if (others.length === 0) return null;
  const choose = (type: BlockType): void => {
    setChoosing(false);
    const converted = convertedBlock(block, fields, type);
    if (converted.lost.length === 0) onConvert(converted.block);
    else setAsked({ ...converted, label: type.label });
  };
  return (
    <>
      <button type="button" onClick={() => setChoosing(true)}>
        {text("convertSection")}
      </button>
      {isChoosing && <BlockChooser types={others} onChoose={choose} onClose={() => setChoosing(false)} />}
      {asked && (
        <FormDialog
          title={text("convertInto", { type: asked.label })}
          verb={text("convert")}
          isDanger
          onClose={() => setAsked(undefined)}
          onSubmit={() => {
            setAsked(undefined);
            onConvert(asked.block);
          }}
        >
          <p>{text("convertLoses")}</p>
          <dl class="losses">
            {asked.lost.map(({ name, label }) => (
              <div key={name}>
                <dt>{label}</dt>
                <dd>
                  <ShownLoss value={block[name] ?? null} />
                </dd>
              </div>
            ))}
          </dl>
        </FormDialog>
      )}
    </>
  );
}

/** In characters. */
const SHOWN_MAX = 120;

function ShownLoss({ value }: { value: Values[string] }) {
  const shown = typeof value === "object" ? JSON.stringify(value) : String(value);
  return <>{shown.length > SHOWN_MAX ? `${shown.slice(0, SHOWN_MAX)}…` : shown}</>;
}
