/** Schemas of the files of menus, content blocks, media, page models, block types, roles and redirects. */
import { IDENTIFIER_MAX } from "../model/records/content.ts";
import { MEDIA_TEXTS } from "../model/media/media-input.ts";
import { MENU_KEY_MAX } from "../model/records/menu.ts";
import { BLOCK_ICONS } from "../model/records/block-icons.ts";
import { BLOCK_TYPE_FIELDS } from "../model/records/block-type.ts";
import { ACTIONS, STATES } from "../model/access/rule.ts";
import { VARIANT } from "./components/media.ts";
import {
  FILE_ID,
  FILE_REFERENCE,
  fileFields,
  fileMoment,
  fileSchema,
  fileTranslations,
  mapping,
} from "./file-schema.ts";
import * as s from "./json-schema.ts";
import { LIST_SCHEMA } from "./list-schema.ts";
import type { SiteShape } from "./site-shape.ts";
import { DEFINITIONS, DECLARED_FIELDS } from "./table-files.ts";

const definition = (name: string): s.Schema => ({ $ref: `#/definitions/${name}` });

const LINK: s.Schema = {
  description: "A link to a page, which follows it, or to a fixed address.",
  anyOf: [
    {
      type: "object",
      properties: {
        link_type: { const: "RE" },
        url_node: s.told("Id or permalink of the page.", s.orNull(FILE_REFERENCE)),
      },
      required: ["link_type"],
    },
    { type: "object", properties: { link_type: { const: "ST" }, static: s.told("The address.", s.orNull(s.TEXT)) } },
  ],
};

const NODE = mapping(
  {
    id: s.told("Anything; kept as it is.", s.ANYTHING),
    title: s.orNull(s.TEXT),
    link: LINK,
    meta: s.told("Free-form data of the site.", s.orNull(s.ANY_OBJECT)),
    nodes: s.told("The entries below it.", s.orNull(s.listOf(definition("node")))),
  },
  ["link"],
);

export const menuFile = ({ codes }: SiteShape): s.Schema =>
  fileSchema(
    "Menu",
    "A menu: the entries of each language.",
    mapping({
      id: FILE_ID,
      key: s.told("Templates find the menu by it; the name of the file without it.", {
        type: "string",
        minLength: 1,
        maxLength: MENU_KEY_MAX,
      }),
      enabled: s.told("Kept for front ends; the menu is served all the same.", s.FLAG),
      translations: fileTranslations(codes, mapping({ nodes: s.orNull(s.listOf(definition("node"))) })),
    }),
    { node: NODE },
  );

export const contentFile = ({ codes }: SiteShape): s.Schema =>
  fileSchema(
    "Content block",
    "A text that belongs to a page or to the whole site.",
    mapping({
      id: FILE_ID,
      identifier: s.told("Templates find the block by it; the name of the file without it.", {
        type: "string",
        minLength: 1,
        maxLength: IDENTIFIER_MAX,
      }),
      page: s.told(
        "Id or permalink of the page; without it the block belongs to the whole site.",
        s.orNull(FILE_REFERENCE),
      ),
      translations: fileTranslations(
        codes,
        mapping({ content: s.told("HTML or Markdown, depending on the template.", s.orNull(s.TEXT)) }),
      ),
    }),
  );

export const mediaFile = (site: SiteShape): s.Schema =>
  fileSchema(
    "Media item",
    "The texts of a file: the record has the path of the file below media/, and .yaml.",
    mapping({
      id: FILE_ID,
      created: fileMoment("When it was added.", site),
      deleted_at: fileMoment("When it was moved to the trash, which hides its file.", site),
      aliases: s.told("Where the file used to be, below media/; these addresses redirect.", s.orNull(s.listOf(s.TEXT))),
      translations: fileTranslations(site.codes, mapping(fileFields(MEDIA_TEXTS, site))),
      renditions_config: s.told(
        "Renditions of this item alone; without it those of the settings.",
        s.orNull(s.listOf(VARIANT)),
      ),
      source: s.told("Written by the program: the blob that the renditions were made from.", s.TEXT),
      thumbnail: s.told("Written by the program.", s.orNull(s.TEXT)),
      renditions: {
        description: "Written by the program.",
        type: "object",
        additionalProperties: mapping({ format: s.TEXT, width: s.COUNT, height: s.COUNT, size: s.COUNT, file: s.TEXT }),
      },
    }),
  );

export const pageModelFile = (): s.Schema =>
  fileSchema(
    "Page model",
    "A kind of page with declared `template_data`. Pages name it as `model`: the name of this file.",
    mapping({
      parent_page_field: s.told(
        "The name of `parent_page` in payloads of its pages.",
        s.orNull({ type: "string", pattern: "^[a-z][a-z0-9_]{0,63}$" }),
      ),
      default_template: s.told("Template of its pages, below templates/.", s.orNull(s.TEXT)),
      inject_context: s.told("Module below the site's root that adds to the template context.", s.orNull(s.TEXT)),
      paginate: s.told("What its pages list, a number of items to a page.", s.orNull(LIST_SCHEMA)),
      schema: DECLARED_FIELDS,
    }),
    DEFINITIONS,
  );

export const blockTypeFile = (site: SiteShape): s.Schema =>
  fileSchema(
    "Block type",
    "A kind of section. Blocks name it as `type`: the name of this file.",
    mapping({ ...fileFields(BLOCK_TYPE_FIELDS, site), icon: s.oneOfTexts(...BLOCK_ICONS), schema: DECLARED_FIELDS }),
    DEFINITIONS,
  );

export const rolesFile = ({ codes }: SiteShape): s.Schema =>
  fileSchema(
    "Roles",
    "What accounts with a role may do.",
    mapping(
      {
        roles: s.byName(
          mapping({ label: s.TEXT, rules: s.listOf(mapping(ruleProperties(codes), ["may"])) }, ["rules"]),
          "By name, in lower case. A built-in one (reader, author, editor, administrator) is replaced.",
        ),
      },
      ["roles"],
    ),
  );

const ruleProperties = (codes: readonly string[]): s.Schemas => ({
  may: s.listOf(s.oneOfTexts(...ACTIONS)),
  models: s.told("page, article, media, tag, menu, a page model; all content without it.", s.listOf(s.TEXT)),
  below: s.told("Permalink or id of a page: it, and the pages below it.", FILE_REFERENCE),
  languages: s.listOf(s.oneOfTexts(...codes)),
  fields: s.told("They narrow `edit` alone.", s.listOf(s.TEXT)),
  when: s.told("The state of the language before the change.", s.oneOfTexts(...STATES)),
});

export const redirectsFile = ({ codes }: SiteShape): s.Schema =>
  fileSchema("Redirects", "Addresses that lead elsewhere, in order.", {
    type: "array",
    items: mapping(
      {
        from: s.told("A path of the site.", { ...s.PATH, pattern: "^/(?!/)" }),
        to: s.told("A path of the site, or an absolute http or https address.", s.text("/about-us")),
        status: s.told("301: for good; 302: for now.", { type: "integer", enum: [301, 302], default: 301 }),
        language: s.told("The language of `from`; the default one without it.", s.orNull(s.oneOfTexts(...codes))),
      },
      ["from", "to"],
    ),
  });
