/**
 * Files of an import. They are read, compared and encoded before the transaction, since that takes long; inside it they
 * get their paths.
 */
import { addItem, prepareUpload, replaceItem, type ProcessedUpload } from "../../actions/media/upload.ts";
import { usedPaths, type UsedMediaPaths } from "../../actions/media/transaction.ts";
import type { Context } from "../../actions/context.ts";
import { CmsError, messageOf } from "../../errors.ts";
import { objectOf } from "../../model/input/json.ts";
import { EMPTY_MEDIA_TEXT, type Media } from "../../model/media/media.ts";
import { folderName } from "../../model/media/media-name.ts";
import type { Reader } from "../../store/records/record-type.ts";
import { mediaIndex } from "../../store/content/indexes/media-index.ts";
import { MEDIA } from "../../store/records/media/media.ts";
import { prepareFile } from "../../store/git/objects/file-content.ts";
import { compare, noteWritten, type ImportRun } from "../import-run.ts";
import type { ImportedMedia, Remark } from "../imported-site.ts";
import { fingerprint, type Ledger } from "../ledger.ts";
import { outcomeOf } from "../plan.ts";
import { recordFingerprint } from "../record-fingerprint.ts";

/** A file of the source, ready to be compared and, where that needs it, to be stored. */
export interface ReadyMedia {
  readonly medium: ImportedMedia;
  /** Its imported data, for the comparison. */
  readonly data: object;
  /** undefined: it stays as it is, or a dry run. */
  readonly stored: ProcessedUpload | undefined;
  /** Why it cannot be imported: a sentence. */
  readonly refusal: string | undefined;
}

/**
 * Reads the files, and encodes those that have to be stored.
 *
 * @param onStep called before each file
 */
export async function readMedia(
  ctx: Context,
  media: readonly ImportedMedia[],
  ledger: Ledger,
  { force, dryRun }: { readonly force: boolean; readonly dryRun: boolean },
  onStep: (done: number, of: number, label: string) => void,
): Promise<ReadyMedia[]> {
  const ready: ReadyMedia[] = [];
  for (const [at, medium] of media.entries()) {
    onStep(at, media.length, medium.name);
    ready.push(await readOne(ctx, medium, ledger, force, dryRun));
  }
  return ready;
}

async function readOne(
  ctx: Context,
  medium: ImportedMedia,
  ledger: Ledger,
  force: boolean,
  dryRun: boolean,
): Promise<ReadyMedia> {
  const { name, folder, texts = {}, version, source, formerPaths, variants } = medium;
  const data = (bytes: string): object => ({ name, folder, texts, bytes, formerPaths, variants });
  try {
    const opened = version === undefined ? await medium.open() : undefined;
    const known = data(version ?? (opened ? (await prepareFile(opened.file)).oid : ""));
    const row = ledger.get(source);
    const now = row && recordFingerprint(ctx.store.current, row.kind, row.id, ctx.locales);
    const outcome = outcomeOf({ from: fingerprint(known), row, now }, force);
    const isStored = outcome === "created" || outcome === "updated";
    if (!isStored || dryRun) return { medium, data: known, stored: undefined, refusal: undefined };
    const stored = await prepareUpload(
      ctx,
      directoryFor(folder),
      { ...(opened ?? (await medium.open())), name },
      variants,
    );
    return { medium, data: known, stored, refusal: undefined };
  } catch (error) {
    if (!(error instanceof CmsError)) throw error;
    return { medium, data: {}, stored: undefined, refusal: refusalOf(error) };
  }
}

const refusalOf = (error: CmsError): string => {
  const { file } = error.fields;
  return Array.isArray(file) ? file.join(" ") : messageOf(error);
};

/** A path of the source as one that folders of the library can have. */
export const directoryFor = (folder: string): string =>
  folder
    .split("/")
    .filter((part) => part !== "" && part !== "." && part !== "..")
    .map(folderName)
    .join("/");

/** Stores one file. @returns its item, if that was changed */
export function writeMedia(run: ImportRun, { medium, data, stored, refusal }: ReadyMedia): Media | undefined {
  const { source, name, place } = medium;
  const remark = (message: string): void => run.report.remark({ ...place, message } satisfies Remark);
  if (refusal !== undefined) {
    const row = run.ledger.get(source);
    if (row) run.rows.set(source, row);
    remark(`${name} is not imported: ${refusal}`);
    run.report.add({ source, kind: MEDIA.name, id: null, outcome: "failed", title: name });
    return undefined;
  }
  const { outcome, row, from, isKept } = compare(run, { source, title: name }, data);
  if (isKept) return undefined;
  const { library } = run;
  const report = { source, kind: MEDIA.name, outcome, title: name };
  if (!stored) {
    run.report.add({ ...report, id: row?.id ?? null });
    rehearseMedia(run, medium);
    return undefined;
  }
  const before = row && library.tx.find(MEDIA, row.id);
  const translations = { ...before?.translations, ...textsOf(medium) };
  const aliases = freeAliases(run, medium, before);
  const config = medium.variants ?? before?.renditions_config ?? null;
  const media = before
    ? replaceItem(library, { ...before, translations, aliases, renditions_config: config }, stored)
    : addItem(library, directoryFor(medium.folder), stored, translations, { created: medium.created, aliases, config });
  noteWritten(run, source, MEDIA.name, media.id, from);
  run.report.add({ ...report, id: media.id });
  return media;
}

/** The former paths of an item: those that another file has cannot redirect. */
function freeAliases(run: ImportRun, { formerPaths = [], place }: ImportedMedia, before: Media | undefined): string[] {
  const paths = usedPaths(run.library);
  const own = before?.aliases ?? [];
  const free = formerPaths.filter((path) => {
    if (own.includes(path) || path === before?.file) return false;
    if (!paths.isUsed(path)) return true;
    run.report.remark({ ...place, message: `${path} does not redirect here: another file has this address.` });
    return false;
  });
  return [...own, ...free];
}

/** In a dry run, pages can refer to the item that would be there. */
function rehearseMedia({ ids, library: { tx } }: ImportRun, medium: ImportedMedia): void {
  if (ids.has(medium.source)) return;
  const file = [directoryFor(medium.folder), medium.name].filter((part) => part !== "").join("/");
  const facts = {
    aliases: [],
    created: tx.now,
    deleted_at: null,
    renditions_config: null,
    derivatives: null,
    facts: null,
  };
  ids.set(medium.source, tx.put(MEDIA, { id: tx.newId(), file, translations: textsOf(medium), ...facts }).id);
}

const textsOf = ({ texts = {} }: ImportedMedia): Media["translations"] =>
  objectOf(Object.entries(texts).map(([lang, text]) => [lang, { ...EMPTY_MEDIA_TEXT, ...text }] as const));

/** The used paths of the library and of the items that the transaction adds; `mediaIndex` would read all for each. */
export function openUsedPaths(content: Reader): UsedMediaPaths & { add(media: Media): void } {
  const index = mediaIndex(content);
  const files = new Set<string>();
  const owners = new Map<string, Media>();
  const folders = new Map<string, Media>();
  return {
    isUsed: (path) => index.isUsed(path) || files.has(path.toLowerCase()),
    ownerOf: (derivative) => owners.get(derivative) ?? index.ownerOf(derivative),
    ownerOfFolder: (folder) => folders.get(folder.toLowerCase()) ?? index.ownerOfFolder(folder),
    add(media) {
      const derivatives = media.derivatives;
      const thumbnail = derivatives?.thumbnail ?? null;
      for (const file of [media.file, ...(thumbnail === null ? [] : [thumbnail])]) {
        // With its directories, whose names a file must not have.
        const parts = file.toLowerCase().split("/");
        for (let at = 1; at <= parts.length; at++) files.add(parts.slice(0, at).join("/"));
      }
      if (thumbnail !== null) owners.set(thumbnail, media);
      for (const { file } of derivatives?.renditions ?? []) {
        owners.set(file, media);
        folders.set(file.slice(0, file.lastIndexOf("/")).toLowerCase(), media);
      }
    },
  };
}
