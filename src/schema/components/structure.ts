/** Schemas of declared records, links, menus and content blocks. */
import { IDENTIFIER_MAX } from "../../model/records/content.ts";
import { MENU_KEY_MAX } from "../../model/records/menu.ts";
import { SAFE_ADDRESS } from "../../model/address/link.ts";
import { textFieldsOf } from "../../model/records/record.ts";
import { RECORDS } from "../../model/records/records.ts";
import { exampleOf } from "../example.ts";
import { sentRecord, servedFields, valueOf, type ShownTargets } from "../fields.ts";
import * as s from "../json-schema.ts";
import { releaseSchemas } from "./releases.ts";
import { reviewSchemas } from "./review.ts";
import type { SiteShape } from "../site-shape.ts";

const shown: ShownTargets = (target) => (target === "cms.Media" ? s.ref("NestedMedia") : undefined);

/** `Tag`, `NestedTag` and `TagInput`, and the same of every other declared record. */
export function recordSchemas({ codes }: SiteShape): s.Schemas {
  return Object.assign(
    {},
    ...RECORDS.map((of): s.Schemas => {
      const { name, label, fields } = of;
      const texts = textFieldsOf(of);
      const example = Object.fromEntries(
        fields
          .filter((row) => row.required)
          .map((row) => [row.name, row.type === "text" ? "Boats" : exampleOf(valueOf(row))]),
      );
      const required = fields.filter((row) => row.required && !row.translated).map((row) => row.name);
      return {
        [`${name}Fields`]: s.part({ id: s.ID, ...servedFields(fields, shown) }),
        [`Nested${name}`]: s.joined(`The ${label} inside another payload, in its language.`, s.ref(`${name}Fields`)),
        [name]: s.joined(
          `A ${label}.`,
          s.ref(`${name}Fields`),
          ...(texts.length > 0 ? [s.part({ translations: s.byLanguage(codes, s.record(servedFields(texts))) })] : []),
        ),
        [`${name}Input`]: s.told(`A ${label}, as it is written.`, s.withExample(sentRecord(fields, codes), example)),
        [`New${name}`]: s.told(`A new ${label}.`, s.withExample(sentRecord(fields, codes, { required }), example)),
      };
    }),
  );
}

const ADDRESS = s.told("A path of this site, or an address of any scheme that cannot run code.", {
  type: "string",
  pattern: SAFE_ADDRESS.source,
  examples: ["https://example.org/"],
});

export function structureSchemas(site: SiteShape): s.Schemas {
  return {
    ...linkSchemas,
    ...menuSchemas(site),
    ...contentSchemas(site),
    ...releaseSchemas(site),
    ...reviewSchemas(site),
  };
}

const linkSchemas: s.Schemas = {
  Link: {
    description: "A link to a page (RE), which follows it, or to a fixed address (ST), with its present address.",
    anyOf: [
      s.record({
        link_type: { const: "RE" },
        url_node: s.orNull(
          s.record({ id: s.ID, permalink: s.orNull(s.text("/about-us")), related_name: s.orNull(s.text("cms_page")) }),
        ),
        url: s.told("null: the page does not exist, or is hidden from the reader.", s.orNull(s.text("/about-us/"))),
      }),
      s.record({ link_type: { const: "ST" }, static: s.orNull(s.TEXT), url: s.orNull(s.TEXT) }),
    ],
  },
  LinkInput: {
    description: "A link to a page by its id (RE), or to a fixed address (ST).",
    anyOf: [
      s.part({ link_type: { const: "RE" }, url_node: s.orNull(s.ID) }),
      s.part({ link_type: { const: "ST" }, static: s.orNull(ADDRESS) }, { optional: ["link_type"] }),
    ],
  },
};

const nodeOf = (name: string, link: s.Schema): s.Schema =>
  s.record(
    {
      id: s.told("Anything; kept as it was sent.", s.ANYTHING),
      title: s.orNull(s.TEXT),
      link,
      meta: s.told("Free-form data of the site.", s.ANY_OBJECT),
      nodes: s.told("The entries below it.", s.listOf(s.ref(name))),
    },
    { optional: ["id", "title", "meta", "nodes"], description: "An entry of a menu." },
  );

function menuSchemas({ codes }: SiteShape): s.Schemas {
  const nodes = s.listOf(s.ref("MenuNode"));
  const inputNodes = s.listOf(s.ref("MenuNodeInput"));
  const input = sentRecord([], codes, {
    texts: { nodes: s.told("The entries.", inputNodes) },
    others: {
      key: s.told("Templates find the menu by it; unique.", {
        type: "string",
        minLength: 1,
        maxLength: MENU_KEY_MAX,
        examples: ["main"],
      }),
      enabled: s.FLAG,
    },
  });
  return {
    MenuNode: nodeOf("MenuNode", s.ref("Link")),
    MenuNodeInput: nodeOf("MenuNodeInput", s.ref("LinkInput")),
    MenuFields: s.part({
      id: s.ID,
      key: s.text("main"),
      available_classes: s.record({}),
      enabled: s.FLAG,
      translations: s.byLanguage(codes, s.record({ nodes })),
    }),
    Menu: s.joined("A menu, with its entries in one language.", s.ref("MenuFields"), s.part({ nodes })),
    ListedMenu: s.joined("A menu in a list.", s.ref("MenuFields")),
    MenuInput: s.told(
      "A menu, as it is written.",
      s.withExample(input, {
        key: "main",
        nodes: [
          { title: "About us", link: { link_type: "RE", url_node: 12 } },
          { title: "Forecast", link: { link_type: "ST", static: "https://example.org/" } },
        ],
      }),
    ),
  };
}

function contentSchemas({ codes }: SiteShape): s.Schemas {
  const identifier = s.told("Templates find the block by it; unique on its page.", {
    type: "string",
    minLength: 1,
    maxLength: IDENTIFIER_MAX,
    examples: ["notice"],
  });
  const others = {
    identifier,
    object_id: s.told("Id of the page; null: the whole site.", s.orNull(s.ID)),
    content_type: s.told("Id of the page's model, as payloads have it.", s.orNull(s.ID)),
  };
  const example = { identifier: "notice", content: "<p>Closed on Mondays.</p>" };
  const texts = [{ name: "content", type: "text", translated: true, help: "The text: HTML or Markdown." } as const];
  return {
    Content: s.recordOf("A text that belongs to a page or to the whole site.", {
      id: s.ID,
      identifier: s.text("notice"),
      content: s.told("The text, with fallback to the default language.", s.TEXT),
      object_id: others.object_id,
      content_type: s.orNull(s.record({ id: s.ID, app_label: s.text("cms"), model: s.text("page") })),
      translations: s.byLanguage(codes, s.record({ content: s.TEXT })),
    }),
    ContentInput: s.told(
      "A content block, as it is written.",
      s.withExample(sentRecord(texts, codes, { others }), { content: example.content }),
    ),
    NewContent: s.told(
      "A new content block.",
      s.withExample(sentRecord(texts, codes, { others, required: ["identifier"] }), example),
    ),
    ContentText: s.record({ content: s.TEXT }),
    ContentVersions: s.record({
      versions: s.listOf(s.record({ created_at: s.MOMENT, data: s.told("The replaced text.", s.TEXT) })),
    }),
  };
}
