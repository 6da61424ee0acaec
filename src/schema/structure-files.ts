/** Schemas of the files of menus, content blocks, media, page models, meta types, releases and redirects. */
import { IDENTIFIER_MAX } from "../model/records/content.ts";
import { FOLDER_TITLE, MEDIA_TEXTS } from "../model/media/media-input.ts";
import { MENU_KEY_MAX } from "../model/records/menu.ts";
import { TYPE_FIELDS } from "../model/records/meta.ts";
import { RELEASE_ACTIONS } from "../model/page/release.ts";
import { definitionSchema } from "./components-meta.ts";
import { VARIANT } from "./components-media.ts";
import {
  FILE_ID,
  FILE_REFERENCE,
  fileFields,
  fileMoment,
  fileSchema,
  fileTranslations,
  mapping,
} from "./file-schema.ts";
import {
  ANYTHING,
  ANY_OBJECT,
  COUNT,
  FLAG,
  listOf,
  oneOfTexts,
  orNull,
  PATH,
  TEXT,
  text,
  told,
  type Schema,
} from "./json-schema.ts";
import type { SiteShape } from "./site-shape.ts";

const definition = (name: string): Schema => ({ $ref: `#/definitions/${name}` });

const LINK: Schema = {
  description: "A link to a page, which follows it, or to a fixed address.",
  anyOf: [
    {
      type: "object",
      properties: {
        link_type: { const: "RE" },
        url_node: told("Id or permalink of the page.", orNull(FILE_REFERENCE)),
      },
      required: ["link_type"],
    },
    { type: "object", properties: { link_type: { const: "ST" }, static: told("The address.", orNull(TEXT)) } },
  ],
};

const NODE = mapping(
  {
    id: told("Anything; kept as it is.", ANYTHING),
    title: orNull(TEXT),
    link: LINK,
    meta: told("Free-form data of the site.", orNull(ANY_OBJECT)),
    nodes: told("The entries below it.", orNull(listOf(definition("node")))),
  },
  ["link"],
);

export const menuFile = ({ codes }: SiteShape): Schema =>
  fileSchema(
    "Menu",
    "A menu: the entries of each language.",
    mapping({
      id: FILE_ID,
      key: told("Templates find the menu by it; the name of the file without it.", {
        type: "string",
        minLength: 1,
        maxLength: MENU_KEY_MAX,
      }),
      enabled: told("Kept for front ends; the menu is served all the same.", FLAG),
      translations: fileTranslations(codes, mapping({ nodes: orNull(listOf(definition("node"))) })),
    }),
    { node: NODE },
  );

export const contentFile = ({ codes }: SiteShape): Schema =>
  fileSchema(
    "Content block",
    "A text that belongs to a page or to the whole site.",
    mapping({
      id: FILE_ID,
      identifier: told("Templates find the block by it; the name of the file without it.", {
        type: "string",
        minLength: 1,
        maxLength: IDENTIFIER_MAX,
      }),
      page: told(
        "Id or permalink of the page; without it the block belongs to the whole site.",
        orNull(FILE_REFERENCE),
      ),
      translations: fileTranslations(
        codes,
        mapping({ content: told("HTML or Markdown, depending on the template.", orNull(TEXT)) }),
      ),
    }),
  );

export const mediaFile = (site: SiteShape): Schema =>
  fileSchema(
    "Media item",
    "The texts of a file: the record has the path of the file below media/, and .yaml.",
    mapping({
      id: FILE_ID,
      created: fileMoment("When it was added.", site),
      deleted_at: fileMoment("When it was moved to the trash, which hides its file.", site),
      aliases: told("Where the file used to be, below media/; these addresses redirect.", orNull(listOf(TEXT))),
      translations: fileTranslations(site.codes, mapping(fileFields(MEDIA_TEXTS, site))),
      renditions_config: told(
        "Renditions of this item alone; without it those of the settings.",
        orNull(listOf(VARIANT)),
      ),
      source: told("Written by the program: the blob that the renditions were made from.", TEXT),
      thumbnail: told("Written by the program.", orNull(TEXT)),
      renditions: {
        description: "Written by the program.",
        type: "object",
        additionalProperties: mapping({ format: TEXT, width: COUNT, height: COUNT, size: COUNT, file: TEXT }),
      },
    }),
  );

export const folderFile = (site: SiteShape): Schema =>
  fileSchema(
    "Media folder",
    "A folder of the media library.",
    mapping({
      id: FILE_ID,
      ...fileFields([FOLDER_TITLE], site),
      creation_date: fileMoment("When it was created.", site),
      last_modified: fileMoment("When it was last changed.", site),
    }),
  );

const FIELDS = told("The fields, in the order in which editors show them.", orNull(listOf(definition("field"))));
const DEFINITIONS = { field: definitionSchema(listOf(definition("field")), false) };

export const pageModelFile = (): Schema =>
  fileSchema(
    "Page model",
    "A kind of page with declared `template_data`. Pages name it as `model`: the name of this file.",
    mapping({
      parent_page_field: told(
        "The name of `parent_page` in payloads of its pages.",
        orNull({ type: "string", pattern: "^[a-z][a-z0-9_]{0,63}$" }),
      ),
      default_template: told("Template of its pages, below templates/.", orNull(TEXT)),
      inject_context: told("Module below the site's root that adds to the template context.", orNull(TEXT)),
      schema: FIELDS,
    }),
    DEFINITIONS,
  );

export const metaTypeFile = (site: SiteShape): Schema =>
  fileSchema(
    "Meta type",
    "A content type; its instances are below content/meta-instances/<key>/.",
    mapping({
      id: FILE_ID,
      ...fileFields(TYPE_FIELDS, site),
      created_at: fileMoment("When it was created.", site),
      updated_at: fileMoment("When it was last changed.", site),
      schema: FIELDS,
    }),
    DEFINITIONS,
  );

export const releaseFile = (site: SiteShape): Schema =>
  fileSchema(
    "Release",
    "Changes of pages that go live together. The name of the file is that of the release.",
    mapping({
      id: FILE_ID,
      comment: told("For people; it becomes part of the commit.", orNull(TEXT)),
      publish_at: fileMoment("When it is published; without it, not by itself.", site),
      published_at: fileMoment("Written by the program: when it was published.", site),
      items: told(
        "What happens to which pages.",
        listOf(
          mapping(
            {
              page: told("Id or permalink of the page.", FILE_REFERENCE),
              language: told(
                "The default language without it; `trash` concerns all.",
                orNull(oneOfTexts(...site.codes)),
              ),
              action: told("`publish` without it.", orNull(oneOfTexts(...RELEASE_ACTIONS))),
            },
            ["page"],
          ),
        ),
      ),
    }),
  );

export const redirectsFile = ({ codes }: SiteShape): Schema =>
  fileSchema("Redirects", "Addresses that lead elsewhere, in order.", {
    type: "array",
    items: mapping(
      {
        from: told("A path of the site.", { ...PATH, pattern: "^/(?!/)" }),
        to: told("A path of the site, or an absolute http or https address.", text("/about-us")),
        status: told("301: for good; 302: for now.", { type: "integer", enum: [301, 302], default: 301 }),
        language: told("The language of `from`; the default one without it.", orNull(oneOfTexts(...codes))),
      },
      ["from", "to"],
    ),
  });
