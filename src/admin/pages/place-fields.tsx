/** Where a page is on the site, and which template shows it; the same in every language. */
import { useEffect, useState } from "preact/hooks";
import { Labelled } from "../fields/field-messages.tsx";
import { ReferenceField } from "../fields/reference-fields.tsx";
import { text } from "../i18n.ts";
import { TextInput } from "./page-inputs.tsx";
import { pageTemplates } from "./page-models.ts";
import type { PageState } from "./page-state.ts";

export function PlaceFields({ page }: { page: PageState }) {
  const [templates, setTemplates] = useState<readonly string[]>([]);
  useEffect(() => void pageTemplates(page.collection).then(setTemplates), []);
  const { template, parent_page: parent, ordering } = page.values.value;
  const shown = typeof template === "string" ? template : "";
  return (
    <details>
      <summary>{text("placeAndTemplate")}</summary>
      <p class="hint">{text("everyLanguage")}</p>
      <ReferenceField
        definition={{ name: "parent_page", label: text("parentPage"), kind: "ref", target_model: "cms.Page" }}
        path="parent_page"
        value={parent}
        onChange={(value) => page.set("parent_page", value)}
      />
      <Labelled path="template" label={text("template")}>
        {(control) => (
          <select
            {...control}
            value={shown}
            onChange={({ currentTarget }) => page.set("template", currentTarget.value || null)}
          >
            <option value="">{text("defaultTemplate")}</option>
            {[...new Set([...(shown ? [shown] : []), ...templates])].map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        )}
      </Labelled>
      <Labelled path="ordering" label={text("ordering")} hint={text("orderingHint")}>
        {(control) => (
          <input
            {...control}
            type="number"
            class="short"
            min={0}
            value={Number(ordering ?? 0)}
            onInput={({ currentTarget: { value, valueAsNumber } }) =>
              value !== "" && page.set("ordering", valueAsNumber)
            }
          />
        )}
      </Labelled>
      <TextInput page={page} name="identifier" label={text("identifier")} hint={text("identifierHint")} />
    </details>
  );
}
