/** The form of one page in one language. */
import { useState } from "preact/hooks";
import { DataForm } from "../fields/data-form.tsx";
import { Refusals } from "../fields/field-messages.tsx";
import { FreeField } from "../fields/kinds/free-data.tsx";
import { MarkdownField } from "../fields/markdown/markdown-field.tsx";
import { SourceContext, type Source } from "../fields/source-text.tsx";
import { TextLanguage } from "../fields/text-language.ts";
import { text } from "../i18n.ts";
import { isRecord, type Json } from "../json.ts";
import { RecordFields } from "../records/record-fields.tsx";
import { mayEdit } from "../session.ts";
import { AddressCheck } from "./address-check.tsx";
import { PageBlocks } from "./page-blocks.tsx";
import { CopyTexts } from "./copy-texts.tsx";
import type { PageState } from "./page-state.ts";
import { pageField, PageFields, PlaceFields, SearchFields } from "./page-parts.tsx";
import { SourceChoice } from "./source-choice.tsx";

export interface PageFormProps {
  readonly page: PageState;
  /** The name of its language, where it is beside the form of another one, which has what all languages share. */
  readonly besideAs?: string;
  /** The language whose form is beside this one. */
  readonly beside?: string | undefined;
  readonly onBeside?: (lang: string | undefined) => void;
}

export function PageForm({ page, besideAs, beside, onBeside }: PageFormProps) {
  const { template_data: data = null, autopermalink } = page.values.value;
  const [source, setSource] = useState<Source | undefined>(undefined);
  return (
    <Refusals errors={page.errors.value}>
      <SourceContext.Provider value={source}>
        <TextLanguage.Provider value={page.lang}>
          <fieldset class="form" disabled={!mayEdit(page.collection)} aria-label={besideAs ?? text("formOf")}>
            <CopyTexts page={page} />
            {onBeside && <SourceChoice {...{ page, source, beside, onBeside }} onChoose={setSource} />}
            <PageFields page={page} names={["title", "autopermalink"]} />
            {autopermalink !== true && <PageFields page={page} names={["permalink"]} />}
            <p class="address">{page.record.value.routerlink}</p>
            <AddressCheck page={page} />
            <PageFields page={page} names={["description"]} />
            {page.collection === "articles" && (
              <>
                <RecordFields record={page} definitions={[{ ...pageField("content"), label: text("text") }]} />
                <PageFields page={page} names={["tags", "highlight_image", "author"]} />
              </>
            )}
            <Content page={page} data={data} />
            {besideAs === undefined && <PageBlocks page={page} />}
            <SearchFields page={page} />
            {besideAs === undefined && <PlaceFields page={page} />}
          </fieldset>
        </TextLanguage.Provider>
      </SourceContext.Provider>
    </Refusals>
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
