/** The form of one page in one language. */
import { DataForm } from "../fields/data-form.tsx";
import { FreeField } from "../fields/kinds/free-data.tsx";
import { MarkdownField } from "../fields/markdown/markdown-field.tsx";
import { text } from "../i18n.ts";
import { isRecord, type Json } from "../json.ts";
import { useOwnValues } from "../records/own-values.ts";
import { RecordFields, useIsLocked } from "../records/record-fields.tsx";
import { mayEdit } from "../session.ts";
import { AddressCheck } from "./address-check.tsx";
import { CopyTexts } from "./copy-texts.tsx";
import type { PageState } from "./page-state.ts";
import { pageField, PageFields } from "./settings/page-parts.tsx";
import { OwnSettings } from "./settings/page-settings.tsx";

export interface PageFormProps {
  readonly page: PageState;
  /** The name of its language, where it is beside the form of another one, which has what all languages share. */
  readonly besideAs?: string;
  /** Why the account may change nothing here. */
  readonly mayNotEdit?: string | null | undefined;
}

export function PageForm({ page, besideAs, mayNotEdit }: PageFormProps) {
  const isTextLocked = useIsLocked()("template_data");
  return (
    <fieldset
      class="form"
      disabled={!mayEdit(page.collection) || Boolean(mayNotEdit)}
      aria-label={besideAs ?? text("formOf")}
    >
      <CopyTexts page={page} />
      <PageFields page={page} names={["title"]} />
      <AddressCheck page={page} />
      <PageFields page={page} names={["description"]} />
      {page.collection === "articles" && (
        <RecordFields record={page} definitions={[{ ...pageField("content"), label: text("text") }]} />
      )}
      {isTextLocked ? (
        <fieldset class="bare" disabled>
          <Content page={page} />
        </fieldset>
      ) : (
        <Content page={page} />
      )}
      {besideAs !== undefined && <OwnSettings page={page} />}
    </fieldset>
  );
}

function Content({ page }: { page: PageState }) {
  const { template_data: data = null } = useOwnValues(page, ["template_data"]);
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
  const values = isRecord(data) ? data : {};
  const { body = "", ...others } = values;
  // The text of an article is `content`. A page's is here, where a Markdown file and the starters have it.
  const isArticle = page.collection === "articles";
  if (isArticle && Object.keys(values).length === 0) return null;
  if (isArticle || typeof body !== "string" || Object.keys(others).length > 0)
    return <FreeField name={text("content")} path="template_data" value={data} onChange={change} />;
  return (
    <MarkdownField
      path="template_data.body"
      label={text("text")}
      value={body}
      onChange={(typed) => change(typed === "" ? {} : { body: typed })}
    />
  );
}
