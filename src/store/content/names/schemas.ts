/** The fields of data whose type is a record, while references by name are resolved. */
import type { Definitions } from "../../../model/fields/definition.ts";
import type { Locales } from "../../../model/language/locale.ts";
import type { MetaType } from "../../../model/records/meta.ts";
import { ARTICLE_MODEL, PAGE_MODEL } from "../../../model/page/page.ts";
import { isReferenceName } from "../../../model/records/reference-name.ts";
import { META_TYPES } from "../../records/meta-types.ts";
import type { PageModel } from "../../../model/page/page-model.ts";
import { PAGE_MODELS } from "../../records/page-models.ts";
import { typesByKey } from "../indexes/meta-index.ts";
import { linkedSchema } from "../../records/block-types.ts";
import type { AnyKind, RecordSchemas } from "../../records/record-type.ts";
import { findNamed, type Tables } from "./targets.ts";

export function schemasOf(tables: Tables, locales: Locales): RecordSchemas {
  let models: ReadonlyMap<string, Definitions> | undefined;
  let types: ReadonlyMap<string, MetaType> | undefined;
  return {
    pageModel(name) {
      if (name === PAGE_MODEL || name === ARTICLE_MODEL) return undefined;
      models ??= new Map(
        (recordsOf(PAGE_MODELS) as readonly PageModel[]).map((model) => [model.name, linked(model.schema)]),
      );
      return models.get(name);
    },
    metaType({ meta_type: stated, folder }) {
      const id = isReferenceName(stated) ? findNamed(tables, locales, "cms.MetaType", stated).id : stated;
      if (id !== null) return linked((tables.get(META_TYPES)?.byId.get(id)?.record as MetaType | undefined)?.schema);
      types ??= typesByKey(recordsOf(META_TYPES) as readonly MetaType[]);
      return stated === null ? linked(types.get(folder)?.schema) : undefined;
    },
  };

  function linked<S extends Definitions | undefined>(schema: S): S {
    return (schema && linkedSchema({ all: (kind) => recordsOf(kind) as never }, schema)) as S;
  }

  function recordsOf(kind: AnyKind): readonly unknown[] {
    return tables.get(kind)?.all ?? [];
  }
}
