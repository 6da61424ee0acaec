/** Parts of the form of a page. */
import type { Definitions, FieldDefinition } from "../../fields/definition.ts";
import { text } from "../../i18n.ts";
import { useOwnValues } from "../../records/own-values.ts";
import { RecordFields } from "../../records/record-fields.tsx";
import { PAGE_FIELDS } from "../page-fields.ts";
import { pageTemplates } from "../page-models.ts";
import { templateName } from "./template-name.ts";
import type { PageState } from "../page-state.ts";
import { SocialCard } from "./social-card.tsx";
import { useLoaded } from "../../ui/loaded.ts";

/** @param name of a field of the table */
export function pageField(name: string): FieldDefinition {
  const { label, hint, ...definition } = PAGE_FIELDS[name]!;
  return { ...definition, name, label: text(label), ...(hint && { hint: text(hint) }) };
}

/** What a page may list. Keys that the form does not know stay as they are. */
const listFields = (): Definitions => [
  {
    name: "of",
    label: text("listOf"),
    kind: "select",
    required: true,
    choices: (["articles", "pages", "instances"] as const).map((value) => ({ value, label: text(value) })),
  },
  { name: "model", label: text("targetPageModel"), show_if: { of: "pages" } },
  { name: "type", label: text("targetType"), show_if: { of: "instances" } },
  { name: "size", label: text("listSize"), kind: "integer", minimum: 1, maximum: 100 },
  { name: "where", label: text("listWhere"), hint: text("listWhereHint") },
  { name: "sort", label: text("listSort"), hint: text("listSortHint") },
  {
    name: "each",
    label: text("listEach"),
    kind: "select",
    show_if: { of: ["articles", "pages"] },
    choices: [
      { value: "tags", label: text("tags") },
      { value: "authors", label: text("author") },
      { value: "year", label: text("listYear") },
    ],
  },
];

interface PageFieldsProps {
  readonly page: PageState;
  readonly names: readonly string[];
}

export const PageFields = ({ page, names }: PageFieldsProps) => (
  <RecordFields record={page} definitions={names.map(pageField)} />
);

/** What search engines and social networks show of a page. */
export function SearchFields({ page }: { page: PageState }) {
  const {
    title,
    description,
    og_title: ogTitle,
    og_description: ogDescription,
  } = useOwnValues(page, ["title", "description", "og_title", "og_description"]);
  return (
    <details>
      <summary>{text("searchAndSocial")}</summary>
      <figure class="snippet">
        <figcaption>{text("searchResult")}</figcaption>
        <p>{page.record.value.routerlink}</p>
        <strong>{String(ogTitle || title || "")}</strong>
        <p>{String(ogDescription || description || "")}</p>
      </figure>
      <SocialCard page={page} />
      <PageFields page={page} names={["indexable", "breadcrumbs_title", "keywords", "canonical", "robots"]} />
      <PageFields page={page} names={["og_title", "og_description", "og_type", "og_url", "og_image"]} />
    </details>
  );
}

/** Where a page is on the site, and which template shows it; the same in every language. */
export function PlaceFields({ page }: { page: PageState }) {
  const templates = useLoaded(() => pageTemplates(page.collection)) ?? [];
  const { template } = useOwnValues(page, ["template"]);
  const names = new Set([...(typeof template === "string" ? [template] : []), ...templates]);
  const choices = [...names].map((name) => ({ value: name, label: templateName(name, [...names]) }));
  return (
    <details>
      <summary>{text("placeAndTemplate")}</summary>
      <p class="hint">{text("everyLanguage")}</p>
      <RecordFields
        record={page}
        definitions={[
          { ...pageField("parent_page"), ...(page.collection === "articles" && { target_model: "cms.UrlNode" }) },
          { ...pageField("template"), kind: "select", choices, placeholder: text("defaultTemplate") },
          pageField("ordering"),
          pageField("identifier"),
          { ...pageField("paginate"), help: text("paginateHint"), children: listFields() },
        ]}
      />
    </details>
  );
}
