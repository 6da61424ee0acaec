/** Schemas of declared records, links, menus and content blocks. */
import { IDENTIFIER_MAX } from "../model/content.ts";
import { MENU_KEY_MAX } from "../model/menu.ts";
import { SAFE_ADDRESS } from "../model/link.ts";
import { textFieldsOf } from "../model/record.ts";
import { RECORDS } from "../model/records.ts";
import { exampleOf } from "./example.ts";
import { sentRecord, servedFields, valueOf, type ShownTargets } from "./fields.ts";
import {
  ANYTHING,
  ANY_OBJECT,
  byLanguage,
  FLAG,
  ID,
  joined,
  listOf,
  MOMENT,
  orNull,
  part,
  record,
  ref,
  TEXT,
  text,
  told,
  withExample,
  type Schema,
  type Schemas,
} from "./json-schema.ts";
import type { SiteShape } from "./site-shape.ts";

const shown: ShownTargets = (target) => (target === "cms.Media" ? ref("NestedMedia") : undefined);

/** `Tag`, `NestedTag` and `TagInput`, and the same of every other declared record. */
export function recordSchemas({ codes }: SiteShape): Schemas {
  return Object.assign(
    {},
    ...RECORDS.map((of): Schemas => {
      const { name, label, fields } = of;
      const texts = textFieldsOf(of);
      const example = Object.fromEntries(
        fields
          .filter((row) => row.required)
          .map((row) => [row.name, row.type === "text" ? "Boats" : exampleOf(valueOf(row))]),
      );
      const required = fields.filter((row) => row.required && !row.translated).map((row) => row.name);
      return {
        [`${name}Fields`]: part({ id: ID, ...servedFields(fields, shown) }),
        [`Nested${name}`]: joined(`The ${label} inside another payload, in its language.`, ref(`${name}Fields`)),
        [name]: joined(
          `A ${label}.`,
          ref(`${name}Fields`),
          ...(texts.length > 0 ? [part({ translations: byLanguage(codes, record(servedFields(texts))) })] : []),
        ),
        [`${name}Input`]: told(`A ${label}, as it is written.`, withExample(sentRecord(fields, codes), example)),
        [`New${name}`]: told(`A new ${label}.`, withExample(sentRecord(fields, codes, { required }), example)),
      };
    }),
  );
}

const ADDRESS = told("http, https, mailto, tel, or a path of this site.", {
  type: "string",
  pattern: SAFE_ADDRESS.source,
  examples: ["https://example.org/"],
});

export function structureSchemas(site: SiteShape): Schemas {
  return { ...linkSchemas, ...menuSchemas(site), ...contentSchemas(site) };
}

const linkSchemas: Schemas = {
  Link: {
    description: "A link to a page (RE), which follows it, or to a fixed address (ST), with its present address.",
    anyOf: [
      record({
        link_type: { const: "RE" },
        url_node: orNull(
          record({ id: ID, permalink: orNull(text("/about-us")), related_name: orNull(text("cms_page")) }),
        ),
        url: told("null: the page does not exist, or is hidden from the reader.", orNull(text("/about-us/"))),
      }),
      record({ link_type: { const: "ST" }, static: orNull(TEXT), url: orNull(TEXT) }),
    ],
  },
  LinkInput: {
    description: "A link to a page by its id (RE), or to a fixed address (ST).",
    anyOf: [
      part({ link_type: { const: "RE" }, url_node: orNull(ID) }),
      part({ link_type: { const: "ST" }, static: orNull(ADDRESS) }, { optional: ["link_type"] }),
    ],
  },
};

const nodeOf = (name: string, link: Schema): Schema =>
  record(
    {
      id: told("Anything; kept as it was sent.", ANYTHING),
      title: orNull(TEXT),
      link,
      meta: told("Free-form data of the site.", ANY_OBJECT),
      nodes: told("The entries below it.", listOf(ref(name))),
    },
    { optional: ["id", "title", "meta", "nodes"], description: "An entry of a menu." },
  );

function menuSchemas({ codes }: SiteShape): Schemas {
  const nodes = listOf(ref("MenuNode"));
  const inputNodes = listOf(ref("MenuNodeInput"));
  const input = sentRecord([], codes, {
    texts: { nodes: told("The entries.", inputNodes) },
    others: {
      key: told("Templates find the menu by it; unique.", {
        type: "string",
        minLength: 1,
        maxLength: MENU_KEY_MAX,
        examples: ["main"],
      }),
      enabled: FLAG,
    },
  });
  return {
    MenuNode: nodeOf("MenuNode", ref("Link")),
    MenuNodeInput: nodeOf("MenuNodeInput", ref("LinkInput")),
    MenuFields: part({
      id: ID,
      key: text("main"),
      available_classes: record({}),
      enabled: FLAG,
      translations: byLanguage(codes, record({ nodes })),
    }),
    Menu: joined("A menu, with its entries in one language.", ref("MenuFields"), part({ nodes })),
    ListedMenu: joined("A menu in a list.", ref("MenuFields")),
    MenuInput: told(
      "A menu, as it is written.",
      withExample(input, {
        key: "main",
        nodes: [
          { title: "About us", link: { link_type: "RE", url_node: 12 } },
          { title: "Forecast", link: { link_type: "ST", static: "https://example.org/" } },
        ],
      }),
    ),
  };
}

function contentSchemas({ codes }: SiteShape): Schemas {
  const identifier = told("Templates find the block by it; unique on its page.", {
    type: "string",
    minLength: 1,
    maxLength: IDENTIFIER_MAX,
    examples: ["notice"],
  });
  const others = {
    identifier,
    object_id: told("Id of the page; null: the whole site.", orNull(ID)),
    content_type: told("Id of the page's model, as payloads have it.", orNull(ID)),
  };
  const example = { identifier: "notice", content: "<p>Closed on Mondays.</p>" };
  const texts = [{ name: "content", type: "text", translated: true, help: "The text: HTML or Markdown." } as const];
  return {
    Content: record(
      {
        id: ID,
        identifier: text("notice"),
        content: told("The text, with fallback to the default language.", TEXT),
        object_id: others.object_id,
        content_type: orNull(record({ id: ID, app_label: text("cms"), model: text("page") })),
        translations: byLanguage(codes, record({ content: TEXT })),
      },
      { description: "A text that belongs to a page or to the whole site." },
    ),
    ContentInput: told(
      "A content block, as it is written.",
      withExample(sentRecord(texts, codes, { others }), { content: example.content }),
    ),
    NewContent: told(
      "A new content block.",
      withExample(sentRecord(texts, codes, { others, required: ["identifier"] }), example),
    ),
    ContentText: record({ content: TEXT }),
    ContentVersions: record({
      versions: listOf(record({ created_at: MOMENT, data: told("The replaced text.", TEXT) })),
    }),
  };
}
