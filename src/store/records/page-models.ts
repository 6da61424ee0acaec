/** Custom page models on disk: `content/page-models/<name>.yaml`, which only people write. */
import { own, type Json } from "../../model/input/json.ts";
import { canonicalModelName } from "../../model/records/model-names.ts";
import { ARTICLE_MODEL, PAGE_MODEL } from "../../model/page/page.ts";
import { PARENT_FIELD, type PageModel } from "../../model/page/page-model.ts";
import { readPaginate, storedPaginate } from "../../model/page/paginate.ts";
import { readDefinitions, storedDefinitions } from "../../model/records/schema.ts";
import { withLinkedSchema } from "./block-types.ts";
import { type Reader } from "./record-type.ts";
import { derivedId, oneFileKind, type FileErrors } from "./fields.ts";

const DIR = "content/page-models";
const NAME = /^[a-z][a-z0-9_-]{0,63}$/i;
const FIELD = /^[a-z][a-z0-9_]{0,63}$/;

export const PAGE_MODELS = oneFileKind<PageModel>({
  name: "PageModel",
  dir: DIR,
  order: () => [["parent_page_field", "default_template", "inject_context", "paginate", "schema"]],
  read(data, { base, errors, locales: { fieldKinds } }) {
    const name = base.slice(base.lastIndexOf("/") + 1);
    if (!NAME.test(name) || name === PAGE_MODEL || name === ARTICLE_MODEL) {
      errors.name = [
        `"${name}" cannot name a page model: letters, digits, - and _ after a letter, and not "${PAGE_MODEL}" or "${ARTICLE_MODEL}".`,
      ];
    }
    const text = (key: string, fits: (value: string) => boolean, expected: string): string | null => {
      const value: Json | undefined = own(data, key);
      if (value === undefined || value === null) return null;
      if (typeof value === "string" && fits(value)) return value;
      errors[key] = [expected];
      return null;
    };
    const read = readDefinitions(own(data, "schema") ?? [], canonicalModelName, fieldKinds);
    if ("errors" in read) errors.schema = read.errors as FileErrors;
    const sent = own(data, "paginate") ?? null;
    const list = sent === null ? { paginate: null } : readPaginate(sent);
    if ("errors" in list) errors.paginate = list.errors;
    return {
      id: derivedId(base),
      name,
      schema: "definitions" in read ? read.definitions : [],
      parent_page_field:
        text(
          "parent_page_field",
          (value) => FIELD.test(value),
          "A field name is expected: small letters, digits and _.",
        ) ?? PARENT_FIELD,
      default_template: text("default_template", isInside, "The path of a template below templates/ is expected."),
      inject_context: text("inject_context", isInside, "The path of a module below the site's root is expected."),
      paginate: "paginate" in list ? list.paginate : null,
    };
  },
  write(model) {
    return {
      ...(model.parent_page_field !== PARENT_FIELD && { parent_page_field: model.parent_page_field }),
      ...(model.default_template !== null && { default_template: model.default_template }),
      ...(model.inject_context !== null && { inject_context: model.inject_context }),
      ...(model.paginate !== null && { paginate: storedPaginate(model.paginate) }),
      schema: storedDefinitions(model.schema),
    };
  },
  newBase: (model) => `${DIR}/${model.name}`,
});

/** The custom model of a page; undefined for a plain page, an article, and a model whose file does not exist. */
export const findPageModel = (reader: Reader, name: string): PageModel | undefined =>
  linked(
    reader,
    reader.all(PAGE_MODELS).find((model) => model.name === name),
  );

const linked = (reader: Reader, model: PageModel | undefined): PageModel | undefined =>
  model && withLinkedSchema(reader, model);

const isInside = (path: string): boolean =>
  path.split("/").every((segment) => segment !== "" && !segment.startsWith(".")) && !/[\\\0]/.test(path);
