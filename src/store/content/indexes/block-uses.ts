/** Where a block type is used: by fields that name it, and by blocks of it in stored data, drafts included. */
import type { Definitions } from "../../../model/fields/definition.ts";
import { isObject, own, type Json, type JsonObject } from "../../../model/input/json.ts";
import { langSuffix } from "../../../model/language/locale.ts";
import type { Page } from "../../../model/page/page.ts";
import type { PageModel } from "../../../model/page/page-model.ts";
import type { DeclaredBlockType } from "../../../model/records/block-type.ts";
import type { MetaInstance, MetaType } from "../../../model/records/meta.ts";
import { blocksIn } from "../../../model/records/schema.ts";
import { BLOCK_TYPES, blockTypesIn } from "../../records/block-types.ts";
import { META_INSTANCES } from "../../records/meta-instances.ts";
import { META_TYPES } from "../../records/meta-types.ts";
import { findPageModel, PAGE_MODELS } from "../../records/page-models.ts";
import type { Reader } from "../../records/record-type.ts";
import { typeOf } from "./meta-index.ts";
import { listedTypesIn, mayHaveBlocks, type UseLink } from "./record-uses.ts";

/** A place in a record. */
export interface BlockUse extends UseLink {
  /** Keys from the record on, joined by dots: `template_data_en.sections.1`. */
  readonly path: string;
}

/** All uses, those of one record together. In a request, await `loadUses` before it. @param mediaUrl the setting `MEDIA.URL` */
export function* blockUses(reader: Reader, type: DeclaredBlockType, mediaUrl: string): Generator<readonly BlockUse[]> {
  const others = blockTypesIn(reader).filter(({ name }) => name !== type.name);
  const isLast = type.category !== "" && !others.some(({ category }) => category === type.category);
  const names = [type.name, ...(isLast ? [`@${type.category}`] : [])];
  for (const kind of [PAGE_MODELS, META_TYPES, BLOCK_TYPES])
    for (const declared of reader.all<PageModel | MetaType | DeclaredBlockType>(kind)) {
      if (declared.id === type.id) continue;
      const link = { model: kind.name, name: `(${kind.name}) ${declared.name}`, id: declared.id };
      yield fieldsNaming(declared.schema, names).map((path) => ({ ...link, path: `schema.${path}` }));
    }
  for (const { kind, record, link } of mayHaveBlocks(reader, type.name, mediaUrl)) {
    const places =
      kind === META_INSTANCES ? dataOfInstance(reader, record as MetaInstance) : dataOfPage(reader, record as Page);
    yield places.flatMap(({ path, schema, data }) =>
      [...placesIn(schema, data, type.name)].map((inner) => ({ ...link, path: [...path, ...inner].join(".") })),
    );
  }
}

/** The paths of fields whose `types` have one of the names. */
function fieldsNaming(schema: Definitions, names: readonly string[]): readonly string[] {
  return schema.flatMap(({ types = [], children = [] }, at) => [
    ...[...types.entries()].flatMap(([index, name]) => (names.includes(name) ? [`${at}.types.${index}`] : [])),
    ...fieldsNaming(children, names).map((path) => `${at}.children.${path}`),
  ]);
}

interface DataPlace {
  readonly path: readonly string[];
  /** undefined: templates may show whatever the data has as blocks. */
  readonly schema: Definitions | undefined;
  readonly data: Json;
}

const dataOfInstance = (reader: Reader, instance: MetaInstance): readonly DataPlace[] => [
  { path: ["data"], schema: typeOf(reader, instance)?.schema, data: instance.data },
];

function dataOfPage(reader: Reader, page: Page): readonly DataPlace[] {
  const schema = findPageModel(reader, page.model)?.schema;
  const inTexts = (texts: Json | object | undefined, above: readonly string[]): readonly DataPlace[] =>
    Object.entries(texts ?? {}).flatMap(([lang, text]: [string, JsonObject]) => {
      const data = isObject(text) ? own(text, "template_data") : undefined;
      return data === undefined ? [] : [{ path: [...above, `template_data_${langSuffix(lang)}`], schema, data }];
    });
  const inDraft = ([lang, { payload }]: [string, Page["drafts"][string]]): readonly DataPlace[] => {
    const above = ["drafts", lang];
    const flat = Object.entries(payload).filter(([key]) => /^template_data(?:_|$)/.test(key));
    return [
      ...inTexts(own(payload, "translations"), above),
      ...flat.map(([key, data]) => ({ path: [...above, key], schema, data })),
    ];
  };
  return [...inTexts(page.translations, []), ...Object.entries(page.drafts).flatMap(inDraft)];
}

function placesIn(schema: Definitions | undefined, data: Json, type: string): readonly (readonly string[])[] {
  if (schema) return isObject(data) ? [...blocksIn(schema, data, type)] : [];
  return [...listedTypesIn(data)].filter((each) => each.type === type).map(({ path }) => path);
}
