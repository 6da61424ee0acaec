/** A running camomilla, read through its interface. */
import { CmsError } from "../../errors.ts";
import { isList, isObject, objectOf, own, type Json, type JsonObject } from "../../model/input/json.ts";
import type { Downloads } from "../sources/download.ts";
import type { Remark } from "../imported-site.ts";
import { draftIn } from "./preview-draft.ts";
import {
  keyIn,
  modelKey,
  PAGE_TEXTS,
  sourceOf,
  sourceOfRow,
  textIn,
  type CamomillaRows,
  type DraftRow,
  type Row,
} from "./rows.ts";

export interface ServerReading {
  /** Absolute address of the interface, with its final slash: `https://old.example/api/camomilla/`. */
  readonly base: string;
  /** With the token. */
  readonly downloads: Downloads;
  /** Names of page models beside pages and articles, as their addresses have them: `home-page` for `models/home-page/`. */
  readonly models: readonly string[];
  onStep(step: string, done: number, of: number, label: string): void;
}

const PAGE_SIZE = 100;

interface Client {
  /** @throws CmsError `invalid` where it answers with an error, or with no JSON */
  get(path: string): Promise<Json>;
  /** undefined, with a remark, where it answers with an error. @param what of the site is missing then */
  find(path: string, what: string): Promise<Json | undefined>;
  list(path: string): Promise<readonly JsonObject[]>;
  /** None, with a remark, where it answers with an error. */
  findList(path: string, what: string): Promise<readonly JsonObject[]>;
}

/** @throws CmsError `invalid` where nothing answers, the token is refused, or the answers are not those of camomilla */
export async function readServer(reading: ServerReading): Promise<CamomillaRows> {
  const remarks: Remark[] = [];
  const client = openClient(reading, remarks);
  const row = rowsOf(reading.base);
  const step = (label: string): void => reading.onStep("Reading camomilla", 0, 0, label);
  step("languages");
  const languages = await client.find("languages/", "languages");
  const codes = languageCodes(languages);
  step("pages");
  const collections = await pageCollections(client, reading, remarks);
  const pages: { readonly row: Row; readonly payload: JsonObject; readonly path: string }[] = [];
  for (const { model, path } of collections)
    for (const payload of await client.list(path)) pages.push({ row: row(model, payload, PAGE_TEXTS), payload, path });
  const all = async (path: string, model: string, translated: ReadonlySet<string>, what: string): Promise<Row[]> => {
    step(what);
    return (await client.findList(path, what)).map((payload) => row(model, payload, translated));
  };
  const tags = await all("tags/", "tag", new Set(["name"]), "tags");
  const media = await all("media/", "media", new Set(["title", "alt_text", "description"]), "media");
  const menus = await all("menus/", "menu", new Set(["nodes"]), "menus");
  const contents = await all("contents/", "content", new Set(["content"]), "content blocks");
  const metaTypes = await all("meta-types/", "metatype", NONE, "meta types");
  const metaInstances =
    metaTypes.length > 0 ? await all("meta-instances/", "metainstance", NONE, "meta instances") : [];
  const users = await all("users/", "user", NONE, "users");
  const drafts = await readDrafts(client, pages, codes, reading, remarks);
  return {
    pages: pages.map((each) => each.row),
    tags,
    media,
    folders: await readFolders(client, row),
    menus,
    contents: contents.map(withOwner),
    metaTypes,
    metaInstances,
    users: withHashes(
      users,
      pages.map(({ payload }) => payload),
    ),
    drafts,
    redirects: await readRedirects(client, reading.base, codes),
    languages: codes,
    defaultLang: isObject(languages) ? textIn(languages, "language_code") || codes[0] : undefined,
    pageOfNode: () => undefined,
    remarks,
  };
}

/** Every camomilla has these. */
const REQUIRED = /^(?:|pages\/|articles\/)(?:\?|$)/;

const NONE: ReadonlySet<string> = new Set();

function openClient({ base, downloads }: ServerReading, remarks: Remark[]): Client {
  const ask = async (path: string): Promise<{ status: number; body: Json | undefined }> => {
    const { status, text } = await downloads.read(base + path);
    return { status, body: parsed(text) };
  };
  const failure = (path: string, status: number): CmsError => {
    const hint =
      status === 401 || status === 403
        ? ": give the token of an account that may read everything with --token"
        : REQUIRED.test(path)
          ? ": is this the interface of camomilla?"
          : "";
    return new CmsError("invalid", `${base}${path} answers ${status}${hint}`);
  };
  const get = async (path: string): Promise<Json> => {
    const { status, body } = await ask(path);
    if (status !== 200) throw failure(path, status);
    if (body === undefined) throw new CmsError("invalid", `${base + path} does not answer with JSON.`);
    return body;
  };
  const list = async (path: string): Promise<readonly JsonObject[]> => {
    const found = new Map<string, JsonObject>();
    for (let page = 1; ; page++) {
      const body = await get(`${path}?items=${PAGE_SIZE}&page=${page}`);
      // Lists of meta types and instances know no pages.
      const items = isObject(body) ? own(body, "items") : body;
      if (!isList(items)) throw new CmsError("invalid", `${base + path} does not answer with a list.`);
      // A page beyond the last is the last: records that are deleted meanwhile must not hold this up.
      const before = found.size;
      for (const item of items) if (isObject(item)) found.set(keyIn(own(item, "id")) ?? `${found.size}`, item);
      const paginator = isObject(body) ? own(body, "paginator") : undefined;
      const hasNext = isObject(paginator) && own(paginator, "has_next") === true;
      if (!hasNext || found.size === before) return [...found.values()];
    }
  };
  const orRemark = async <T>(what: string, read: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof CmsError) || error.code !== "invalid") throw error;
      remarks.push({ file: base, message: `The ${what} are not imported: ${error.message}.` });
      return undefined;
    }
  };
  return {
    get,
    list,
    find: (path, what) => orRemark(what, () => get(path)),
    findList: async (path, what) => (await orRemark(what, () => list(path))) ?? [],
  };
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** Payloads as rows: what differs by language is below `translations`, and flat where the site has one language only. */
const rowsOf =
  (base: string) =>
  (model: string, payload: JsonObject, translated: ReadonlySet<string>): Row => {
    const stated = own(payload, "translations");
    const texts = isObject(stated)
      ? Object.entries(stated).filter((entry): entry is [string, JsonObject] => isObject(entry[1]))
      : [["", objectOf(Object.entries(payload).filter(([name]) => translated.has(name)))] as const];
    const id = keyIn(own(payload, "id")) ?? "";
    return {
      model,
      id,
      place: { file: `${base}${model}/${id}` },
      fields: objectOf(Object.entries(payload).filter(([name]) => name !== "translations" && !translated.has(name))),
      texts: translated.size > 0 ? objectOf(texts) : {},
    };
  };

function languageCodes(languages: Json | undefined): readonly string[] {
  const listed = isObject(languages) ? own(languages, "languages") : undefined;
  return isList(listed) ? listed.flatMap((each) => (isObject(each) ? (keyIn(each) ?? []) : [])) : [];
}

interface Collection {
  readonly model: string;
  readonly path: string;
}

/** Those of camomilla, and of other page models where their addresses are known. */
async function pageCollections(
  client: Client,
  { base, models }: ServerReading,
  remarks: Remark[],
): Promise<Collection[]> {
  const types = await client.find("menus/page_types/", "page models");
  const labels = (isList(types) ? types : [])
    .filter(isObject)
    .map((type) => `${textIn(type, "app_label")}.${textIn(type, "model")}`.toLowerCase())
    .filter((label) => modelKey(label) === label);
  const root = await client.get("");
  const listed = Object.keys(isObject(root) ? root : {}).flatMap((key) =>
    key.startsWith("models/") ? [key.slice(7)] : [],
  );
  const names = [...new Set([...models, ...listed])];
  const plain = (name: string): string => name.replaceAll("-", "").toLowerCase();
  const labelOf = (name: string): string | undefined =>
    labels.find((label) => label.slice(label.indexOf(".") + 1) === plain(name));
  for (const label of labels)
    if (!names.some((name) => labelOf(name) === label)) {
      const message = `Pages of the model ${label} are at no address that is known: name it with --model.`;
      remarks.push({ file: base, message });
    }
  return [
    { model: "page", path: "pages/" },
    { model: "article", path: "articles/" },
    ...names.map((name) => ({ model: labelOf(name) ?? `models.${plain(name)}`, path: `models/${name}/` })),
  ];
}

async function readFolders(client: Client, row: ReturnType<typeof rowsOf>): Promise<Row[]> {
  const rows = new Map<string, Row>();
  const below = async (path: string): Promise<void> => {
    const listing = await client.find(`media-folders/${path}?items=1`, "media folders");
    const folders = isObject(listing) ? own(listing, "folders") : undefined;
    for (const folder of isList(folders) ? folders : []) {
      const found = isObject(folder) ? row("mediafolder", folder, NONE) : undefined;
      if (!found || rows.has(found.id)) continue;
      rows.set(found.id, found);
      await below(`${found.id}/`);
    }
  };
  await below("");
  return [...rows.values()];
}

function withOwner(row: Row): Row {
  const type = own(row.fields, "content_type");
  const id = keyIn(own(row.fields, "object_id"));
  const label = isObject(type) ? `${textIn(type, "app_label")}.${textIn(type, "model")}` : "";
  const owner =
    type == null && id === undefined ? null : label === "" || id === undefined ? "" : sourceOf(modelKey(label), id);
  return { ...row, fields: { ...row.fields, owner } };
}

/** camomilla before 6.7 shows authors of articles with their hashes; lists of users never have them. */
function withHashes(users: readonly Row[], articles: readonly JsonObject[]): readonly Row[] {
  const hashes = new Map<string, string>();
  for (const article of articles) {
    const author = own(article, "author");
    const key = keyIn(author);
    const hash = isObject(author) ? textIn(author, "password") : "";
    if (key !== undefined && hash !== "") hashes.set(key, hash);
  }
  return users.map((row) => {
    const password = textIn(row.fields, "password") || hashes.get(row.id);
    return password === undefined ? row : { ...row, fields: { ...row.fields, password } };
  });
}

/** Drafts are shown in previews only: laid over the page, so what differs from it is drafted. */
async function readDrafts(
  client: Client,
  pages: readonly { readonly row: Row; readonly payload: JsonObject; readonly path: string }[],
  codes: readonly string[],
  { onStep, base }: ServerReading,
  remarks: Remark[],
): Promise<DraftRow[]> {
  const drafts: DraftRow[] = [];
  const without = new Set<string>();
  for (const [at, { row, payload, path }] of pages.entries()) {
    onStep("Reading drafts", at, pages.length, textIn(payload, "title"));
    for (const lang of codes.length > 0 ? codes : [""]) {
      if (without.has(path)) break;
      let preview: Json;
      try {
        preview = await client.get(`${path}${row.id}/preview/${lang === "" ? "" : `?language=${lang}`}`);
      } catch (error) {
        if (!(error instanceof CmsError) || error.code !== "invalid") throw error;
        without.add(path); // articles have no drafts before 6.7
        if (path === "pages/") remarks.push({ file: base, message: `Drafts are not imported: ${error.message}` });
        break;
      }
      const serialized =
        isObject(preview) && own(preview, "has_draft") === true ? draftIn(preview, payload) : undefined;
      if (serialized === undefined || !isObject(preview)) continue;
      const scheduled_for = own(preview, "draft_scheduled_for") ?? null;
      if (scheduled_for === null && own(preview, "has_scheduled_draft") === undefined)
        remarks.push({
          ...row.place,
          message: `The draft in ${lang} has no moment in this version of the interface: one that is scheduled is imported without it.`,
        });
      drafts.push({ ...row, texts: {}, page: sourceOfRow(row), lang, fields: { serialized, scheduled_for } });
    }
  }
  return drafts;
}

/** Since 6.6 the manifest lists them; before, only a dump does. */
async function readRedirects(client: Client, base: string, codes: readonly string[]): Promise<Row[]> {
  const manifest = await client.find("pages-router/changes", "redirects");
  const listed = isObject(manifest) ? own(manifest, "redirects") : undefined;
  return (isList(listed) ? listed : []).filter(isObject).map((redirect, at): Row => {
    const from = textIn(redirect, "from");
    const to = textIn(redirect, "to");
    const lang = codes.find((code) => from.startsWith(`/${code}/`));
    const without = (path: string): string =>
      lang !== undefined && path.startsWith(`/${lang}/`) ? path.slice(lang.length + 1) : path;
    return {
      model: "urlredirect",
      id: `${at}`,
      place: { file: `${base}pages-router/changes` },
      fields: {
        language_code: lang ?? null,
        from_url: without(from),
        to_url: without(to),
        permanent: own(redirect, "status") !== 302,
      },
      texts: {},
    };
  });
}
