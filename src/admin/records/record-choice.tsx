/** The record that a reference names, and choosing another one. */
import { useState } from "preact/hooks";
import { text } from "../i18n.ts";
import type { FieldTarget } from "../../model/fields/definition.ts";
import { MediaPicker } from "../media/media-picker.tsx";
import { MediaWords } from "../media/media-words.tsx";
import { Icon } from "../ui/icon.tsx";
import { knownRecord, MEDIA_MODEL, remember } from "./known-records.ts";
import { RecordPicker } from "./record-picker.tsx";

interface RecordChoiceProps {
  readonly model: string;
  readonly target?: FieldTarget | undefined;
  /** The label of the field. */
  readonly name: string;
  readonly id: number | null;
  readonly onChoose: (id: number | null) => void;
}

export function RecordChoice({ model, target, name, id, onChoose }: RecordChoiceProps) {
  const [isChoosing, setChoosing] = useState(false);
  const record = id === null ? undefined : knownRecord(model, id);
  const choose = (chosen: number): void => {
    setChoosing(false);
    onChoose(chosen);
  };
  const isMedia = model === MEDIA_MODEL;
  return (
    <div class={id === null ? "choice empty" : "choice"}>
      {record?.picture && <img src={record.picture} alt="" loading="lazy" />}
      {id !== null && (
        <span class="chosen">
          <strong>{record?.name ?? "…"}</strong>
          {record && <span class="address">{record.detail}</span>}
        </span>
      )}
      <span class="actions">
        <button type="button" aria-label={text("chooseFor", { name })} onClick={() => setChoosing(true)}>
          {id === null && <Icon name={isMedia ? "image" : "search"} />}
          {text("choose")}
        </button>
        {id !== null && record?.picture && <MediaWords id={id} name={name} isMissing={record.lacksWords} />}
        {id !== null && (
          <button type="button" class="quiet" aria-label={text("clearFor", { name })} onClick={() => onChoose(null)}>
            {text("clear")}
          </button>
        )}
      </span>
      {isChoosing &&
        (isMedia ? (
          <MediaPicker
            title={name}
            onClose={() => setChoosing(false)}
            onChoose={(item) => choose(remember(MEDIA_MODEL, item).id)}
          />
        ) : (
          <RecordPicker
            model={model}
            target={target}
            title={name}
            onClose={() => setChoosing(false)}
            onChoose={([record]) => choose(record!.id)}
          />
        ))}
    </div>
  );
}
