/** The form of one page in one language. */
import { DataForm } from "../fields/data-form.tsx";
import { FieldMessages } from "../fields/field-messages.tsx";
import { FreeField } from "../fields/free-data.tsx";
import { text } from "../i18n.ts";
import { isRecord, type Json } from "../json.ts";
import { may } from "../session.ts";
import { CopyTexts } from "./copy-texts.tsx";
import { FlagInput, LongInput, TextInput } from "./page-inputs.tsx";
import type { PageState } from "./page-state.ts";
import { PlaceFields } from "./place-fields.tsx";
import { SearchFields } from "./search-fields.tsx";

export function PageForm({ page }: { page: PageState }) {
  const { template_data: data = null, autopermalink } = page.values.value;
  return (
    <FieldMessages.Provider value={page.errors.value}>
      <fieldset class="form" disabled={!may("change_page")} aria-label={text("formOf")}>
        <CopyTexts page={page} />
        <TextInput page={page} name="title" label={text("title")} />
        <FlagInput page={page} name="autopermalink" label={text("automaticAddress")} />
        {autopermalink !== true && <TextInput page={page} name="permalink" label={text("address")} />}
        <p class="address">{page.record.value.routerlink}</p>
        <LongInput page={page} name="description" label={text("description")} hint={text("descriptionHint")} />
        <Content page={page} data={data} />
        <SearchFields page={page} />
        <PlaceFields page={page} />
      </fieldset>
    </FieldMessages.Provider>
  );
}

function Content({ page, data }: { page: PageState; data: Json }) {
  const change = (next: Json): void => page.set("template_data", next);
  if (page.model)
    return (
      <fieldset>
        <legend>{text("content")}</legend>
        <DataForm
          definitions={page.model.schema}
          path="template_data"
          data={isRecord(data) ? data : {}}
          onChange={change}
        />
      </fieldset>
    );
  if (data === null || Object.keys(data).length === 0) return null;
  return <FreeField name={text("content")} value={data} onChange={change} />;
}
