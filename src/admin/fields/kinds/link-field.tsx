/** A link: to a page of the site, which is followed when it moves, or to any address. */
import { useId } from "preact/hooks";
import { text } from "../../i18n.ts";
import { isRecord, type Json } from "../../json.ts";
import { LINK_TARGET } from "../../records/known-records.ts";
import { RecordChoice } from "../../records/record-choice.tsx";
import type { FieldProps } from "../field.ts";
import { Labelled, LabelledParts, Messages } from "../field-messages.tsx";

export function LinkField({ definition: { label, required, isNeverNull }, path, value, onChange }: FieldProps) {
  const name = useId();
  const link = isRecord(value) ? value : { link_type: "RE" };
  const isPage = link.link_type === "RE";
  const kind = (type: string, shown: string) => (
    <label class="flag">
      <input
        type="radio"
        name={name}
        checked={link.link_type === type}
        onChange={() => onChange(type === "RE" ? { link_type: type, url_node: null } : { link_type: type, static: "" })}
      />
      {shown}
    </label>
  );
  return (
    <LabelledParts path={path} label={label} isRequired={required}>
      <div class="choices">
        {kind("RE", text("linkToPage"))}
        {kind("ST", text("linkToAddress"))}
      </div>
      {isPage ? (
        <>
          <RecordChoice
            model={LINK_TARGET}
            name={label}
            id={typeof link.url_node === "number" ? link.url_node : null}
            onChoose={(id): void => onChange({ link_type: "RE", url_node: id } satisfies Json)}
          />
          <Messages path={`${path}.url_node`} />
        </>
      ) : (
        <Labelled path={`${path}.static`} label={text("address")}>
          {(control) => (
            <input
              {...control}
              value={String(link.static ?? "")}
              placeholder="https://"
              onInput={({ currentTarget: { value: typed } }) =>
                onChange(typed === "" && required && !isNeverNull ? null : { link_type: "ST", static: typed })
              }
            />
          )}
        </Labelled>
      )}
    </LabelledParts>
  );
}
