/** A dump of Django as the records of camomilla. */
import { basename } from "node:path";
import { isList, objectOf, own, type Json } from "../../model/input/json.ts";
import type { Remark, SourceId } from "../imported-site.ts";
import { readDumpFile, type DumpRow } from "./dump-file.ts";
import { languagesOf } from "./dump-languages.ts";
import { keyIn, modelKey, PAGE_TEXTS, sourceOf, textIn, type CamomillaRows, type DraftRow, type Row } from "./rows.ts";

const NAMED: ReadonlySet<string> = new Set(["name"]);
const CONTENT: ReadonlySet<string> = new Set(["content"]);
const NODES: ReadonlySet<string> = new Set(["nodes"]);
const MEDIA: ReadonlySet<string> = new Set(["title", "alt_text", "description"]);
const PERMALINK: ReadonlySet<string> = new Set(["permalink"]);
const NONE: ReadonlySet<string> = new Set();

/** Rows that have no content, or are read with others. */
const INNER =
  /^(?:contenttypes|sessions|admin|authtoken|sites|migrations|djsuperadmin)\.|^auth\.(?:permission|group)$|^camomilla\.(?:urlnode|draft|urlredirect|sitestate|siteepoch)$/;
const PAST = /^reversion\.|^camomilla\.contentversion$/;

/** @throws CmsError `invalid` with file and line where the file is no dump, or damaged */
export async function readDump(path: string): Promise<CamomillaRows> {
  const file = basename(path);
  const rows = await readDumpFile(path, file);
  const remarks: Remark[] = [];
  const languages = languagesOf(rows);
  const relations = relationsOf(rows);
  const of = (
    isIn: (row: DumpRow) => boolean,
    model: (row: DumpRow) => string,
    translated: ReadonlySet<string>,
  ): Row[] =>
    rows.filter(isIn).flatMap((row): Row[] => {
      const id = row.pk ?? relations.naturalKey(row);
      const place = { file, line: row.line };
      if (id === undefined) {
        remarks.push({ ...place, message: `A row of ${row.label} has no key: dump without --natural-primary.` });
        return [];
      }
      return [{ model: model(row), id, place, ...languages.part(row.fields, translated) }];
    });
  const named = (label: string, translated: ReadonlySet<string> = NONE): Row[] =>
    of(
      (row) => row.label === label,
      () => modelKey(label),
      translated,
    );
  const nodes = new Map(named("camomilla.urlnode", PERMALINK).map((node) => [node.id, node]));
  const ofNode = new Map<string, SourceId>();
  const pages = of(isPage, (row) => modelKey(row.label), PAGE_TEXTS).map((row) => {
    const node = keyIn(own(row.fields, "url_node"));
    if (node !== undefined) ofNode.set(node, sourceOf(row.model, row.id));
    return withPermalinks(row, node === undefined ? undefined : nodes.get(node));
  });
  remarks.push(...leftOut(rows, file));
  return {
    pages,
    tags: named("camomilla.tag", NAMED),
    media: named("camomilla.media", MEDIA),
    folders: named("camomilla.mediafolder"),
    menus: named("camomilla.menu", NODES),
    contents: named("camomilla.content", CONTENT).map(relations.owned),
    metaTypes: of(isMetaType, () => "metatype", NONE),
    metaInstances: of(isMetaInstance, () => "metainstance", NONE),
    users: of(isUser, () => "user", NONE).map(relations.withPermissions),
    drafts: named("camomilla.draft").flatMap((row): DraftRow[] => {
      const { fields } = relations.owned(row);
      const page = textIn(fields, "owner");
      if (page === "")
        remarks.push({ ...row.place, message: "A draft is of no page that is known, and is not imported." });
      return page === "" ? [] : [{ ...row, page, lang: textIn(fields, "language") }];
    }),
    redirects: named("camomilla.urlredirect"),
    languages: languages.codes,
    defaultLang: languages.defaultLang,
    pageOfNode: (id) => ofNode.get(id),
    remarks,
  };
}

/** Every page has a URL node, of whatever model and app it is. */
const isPage = ({ fields, label }: DumpRow): boolean => "url_node" in fields && !label.startsWith("camomilla.url");
const isUser = ({ fields }: DumpRow): boolean => "username" in fields && "password" in fields;
/** Of camomilla itself, later of structured_metaobjects. */
const isMetaType = ({ label, fields }: DumpRow): boolean => label.endsWith(".metatype") && "schema" in fields;
const isMetaInstance = ({ label, fields }: DumpRow): boolean => label.endsWith(".metainstance") && "data" in fields;

const withPermalinks = (row: Row, node: Row | undefined): Row => ({
  ...row,
  texts: objectOf(
    [...new Set([...Object.keys(row.texts), ...Object.keys(node?.texts ?? {})])].map(
      (lang) => [lang, { ...row.texts[lang], ...node?.texts[lang] }] as const,
    ),
  ),
});

interface Relations {
  naturalKey(row: DumpRow): string | undefined;
  /** With the source id of what a generic relation leads to as `owner`; "" where it leads nowhere. */
  owned(row: Row): Row;
  /** With all permissions of a user, those of groups among them, as `app.codename`. */
  withPermissions(row: Row): Row;
}

/** Relations are ids, or with `--natural-foreign` lists of what identifies the record. */
function relationsOf(rows: readonly DumpRow[]): Relations {
  const ids = (label: string): readonly DumpRow[] => rows.filter((row) => row.label === label && row.pk !== undefined);
  const types = new Map(
    ids("contenttypes.contenttype").map(({ pk, fields }) => [
      pk!,
      `${textIn(fields, "app_label")}.${textIn(fields, "model")}`,
    ]),
  );
  const labelOf = (type: Json | undefined): string | undefined => {
    if (isList(type)) return type.length === 2 ? type.join(".").toLowerCase() : undefined;
    const key = keyIn(type);
    return key === undefined ? undefined : types.get(key);
  };
  const permissionOf = (codename: Json | undefined, type: Json | undefined): string | undefined => {
    const label = labelOf(type);
    return label !== undefined && typeof codename === "string" ? `${label.split(".")[0]}.${codename}` : undefined;
  };
  const permissions = new Map(
    ids("auth.permission").map(({ pk, fields }) => [
      pk!,
      permissionOf(own(fields, "codename"), own(fields, "content_type")),
    ]),
  );
  const permissionsIn = (value: Json | undefined): string[] =>
    (isList(value) ? value : []).flatMap((each): string[] => {
      const known = isList(each) ? permissionOf(each[0], each.slice(1)) : permissions.get(keyIn(each) ?? "");
      return [known ?? UNKNOWN_PERMISSION];
    });
  const groups = new Map(
    rows
      .filter(({ label }) => label === "auth.group")
      .flatMap(({ pk, fields }) =>
        [pk, textIn(fields, "name")].map((key) => [key, permissionsIn(own(fields, "permissions"))]),
      ),
  );
  const groupsIn = (value: Json | undefined): string[] =>
    (isList(value) ? value : []).flatMap(
      (each) => groups.get(keyIn(isList(each) ? each[0] : each)) ?? [UNKNOWN_PERMISSION],
    );
  return {
    naturalKey: ({ fields }) => textIn(fields, "username") || undefined,
    owned(row) {
      const label = labelOf(own(row.fields, "content_type"));
      const key = keyIn(own(row.fields, "object_id"));
      const isNone = own(row.fields, "content_type") == null && key === undefined;
      const owner = label === undefined || key === undefined ? "" : sourceOf(modelKey(label), key);
      return { ...row, fields: { ...row.fields, owner: isNone ? null : owner } };
    },
    withPermissions(row) {
      const all = [...permissionsIn(own(row.fields, "user_permissions")), ...groupsIn(own(row.fields, "groups"))];
      return { ...row, fields: { ...row.fields, user_permissions: [...new Set(all)] } };
    },
  };
}

/** In place of a permission that the dump names by an id only. */
export const UNKNOWN_PERMISSION = "";

/** What is not carried of the whole dump. */
function* leftOut(rows: readonly DumpRow[], file: string): Generator<Remark> {
  const past = rows.filter(({ label }) => PAST.test(label));
  if (past.length > 0) {
    const message = `Revisions are not imported: ${past.length} rows, of which this is the first.`;
    yield { file, line: past[0]!.line, message };
  }
  const READ = /^camomilla\.(?:tag|media|mediafolder|menu|content)$/;
  const others = new Map<string, DumpRow[]>();
  for (const row of rows) {
    const { label } = row;
    if (INNER.test(label) || PAST.test(label) || READ.test(label)) continue;
    if (isPage(row) || isUser(row) || isMetaType(row) || isMetaInstance(row)) continue;
    others.set(label, [...(others.get(label) ?? []), row]);
  }
  for (const [label, [first, ...more]] of others) {
    const count = more.length + 1;
    const message = `Rows of ${label} are not of camomilla, and may be private: ${count} ${count === 1 ? "is" : "are"} not imported.`;
    yield { file, line: first!.line, message };
  }
}
