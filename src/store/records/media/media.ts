/**
 * Media on disk: the original is `media/**\/<file>`, its record `content/media/**\/<file>.yaml`.
 *
 * A file without a record is an item, too, with an id derived from its path until a write stores one. A record without
 * a file is a problem.
 */
import { derived } from "../../../memo.ts";
import type { FieldErrors } from "../../../errors.ts";
import { UNDATED } from "../../../model/time/instant.ts";
import { isObject, own, type Json, type JsonObject } from "../../../model/input/json.ts";
import {
  EMPTY_MEDIA_TEXT,
  derivativeFiles,
  type Derivatives,
  type Media,
  type Rendition,
} from "../../../model/media/media.ts";
import { fileName } from "../../../model/media/media-name.ts";
import { typeByName } from "../../../model/media/media-type.ts";
import { MEDIA_TEXTS } from "../../../model/media/media-input.ts";
import type { Problem } from "../../../model/text/problem.ts";
import type { Variant } from "../../../model/media/renditions.ts";
import { readVariants } from "../../../model/media/variants.ts";
import type { Base, Entity } from "../record-type.ts";
import {
  derivedId,
  oneFileKind,
  readFields,
  readId,
  readMapping,
  readMoment,
  readTranslations,
  writeFields,
  writeTranslations,
  type FileErrors,
} from "../fields.ts";
import { MEDIA_DIR, type StoredMediaFile } from "./media-files.ts";

const DIR = "content/media";

export const POINTER_PROBLEM = "This is a Git LFS pointer, not the file: run `git lfs pull`.";
const TROUBLES = {
  pointer: POINTER_PROBLEM,
  broken: "This image cannot be read: it is damaged, or has too many pixels.",
};
const NO_IMAGE = "Its name is that of an image, but its content is not: it is empty, or of another type.";
const KEYS = [
  "id",
  "created",
  "deleted_at",
  "aliases",
  "translations",
  "renditions_config",
  "source",
  "thumbnail",
  "renditions",
];
const RENDITION_KEYS = ["format", "width", "height", "size", "file"];

export const MEDIA = oneFileKind<Media>({
  name: "Media",
  dir: DIR,
  order: () => [KEYS, [], [...MEDIA_TEXTS.map((row) => row.name), ...RENDITION_KEYS], ["*"]],
  split(path) {
    const match = /^(content\/media\/.+)(\.ya?ml)$/.exec(path);
    return match && !match[1]!.endsWith("/_folder") ? { base: match[1]!, part: match[2]! } : undefined;
  },
  read(data, { base, errors, locales }) {
    if (own(data, "file") !== undefined)
      errors.file = ["The file is named by the record's own path; remove this line."];
    const translations = readTranslations(data, errors, locales, (texts) => ({
      ...EMPTY_MEDIA_TEXT,
      ...readFields(MEDIA_TEXTS, texts, errors, locales),
    }));
    return {
      id: readId(data, base, errors),
      file: base.slice(DIR.length + 1),
      aliases: readAliases(own(data, "aliases"), errors),
      created: readMoment(data, "created", errors, locales) ?? UNDATED,
      deleted_at: readMoment(data, "deleted_at", errors, locales),
      translations,
      renditions_config: readConfig(own(data, "renditions_config"), errors),
      derivatives: readDerivatives(data, errors),
      facts: null,
    };
  },
  write(media, locales) {
    return {
      id: media.id,
      created: media.created,
      ...(media.deleted_at !== null && { deleted_at: media.deleted_at }),
      ...(media.aliases.length > 0 && { aliases: [...media.aliases] }),
      ...writeTranslations(locales, (lang) =>
        writeFields(MEDIA_TEXTS, media.translations[lang] ?? EMPTY_MEDIA_TEXT, EMPTY_MEDIA_TEXT),
      ),
      ...(media.renditions_config && { renditions_config: media.renditions_config.map((variant) => ({ ...variant })) }),
      ...(media.derivatives && writeDerivatives(media.derivatives)),
    };
  },
  baseOf,
  newBase: baseOf,
  namesOf: ({ file, aliases }) => [...new Set([file, fileName(file), ...aliases, ...aliases.map(fileName)])],
  derives: { from: MEDIA_DIR, derive: joinFiles },
});

function baseOf({ file }: Media): Base {
  return `${DIR}/${file}`;
}

/** Joins files with their records. Derivatives are not items, even in the folders of the originals. */
function joinFiles(
  own: ReadonlyMap<Base, Media>,
  others: readonly Entity[],
): { records: Map<Base, Media>; problems: Problem[] } {
  const files = new Map((others as readonly StoredMediaFile[]).map((each) => [each.file, each]));
  const derivatives = new Set([...own.values()].flatMap(derivativeFiles));
  const records = new Map<Base, Media>();
  const problems: Problem[] = [];
  for (const [base, media] of own) {
    const found = files.get(media.file);
    const facts = found?.facts ?? null;
    records.set(base, media.facts === facts ? media : { ...media, facts });
    if (!found)
      problems.push({
        path: `${base}.yaml`,
        message: `There is no file ${MEDIA_DIR}/${media.file}: put it there, or remove this record.`,
      });
  }
  for (const each of files.values()) {
    const { file, facts } = each;
    const base = `${DIR}/${file}`;
    const isDerivative = derivatives.has(file); // nothing has read its content
    const isMisnamed = !isDerivative && !facts.image && typeByName(file).raster !== undefined;
    const trouble = facts.trouble ? TROUBLES[facts.trouble] : isMisnamed && NO_IMAGE;
    if (trouble) problems.push({ path: `${MEDIA_DIR}/${file}`, message: trouble });
    if (records.has(base) || isDerivative) continue;
    records.set(base, itemOf(each));
  }
  return { records, problems };
}

/** The items of files without a record, so that each is the same object as long as its file does not change. */
const itemOf = derived(({ file, facts }: StoredMediaFile): Media => ({
  id: derivedId(`${DIR}/${file}`),
  file,
  aliases: [],
  created: UNDATED,
  deleted_at: null,
  translations: {},
  renditions_config: null,
  derivatives: null,
  facts,
}));

function readAliases(value: Json | undefined, errors: FileErrors): readonly string[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value) && value.every((path: Json) => isSafePath(path))) return value as readonly string[];
  errors.aliases = ["A list of paths below media/ is expected, where the file used to be."];
  return [];
}

function readConfig(value: Json | undefined, errors: FileErrors): readonly Variant[] | null {
  const read = readVariants(value ?? null);
  if ("variants" in read) return read.variants?.length ? read.variants : null;
  errors.renditions_config = read.errors as FieldErrors & FileErrors;
  return null;
}

/** Only the program writes these keys: invalid ones are ignored, and the derivatives generated again. */
function readDerivatives(data: JsonObject, errors: FileErrors): Derivatives | null {
  const source = own(data, "source");
  if (typeof source !== "string") return null;
  const thumbnail = own(data, "thumbnail");
  const renditions = Object.entries(readMapping(data, "renditions", errors)).flatMap(
    ([name, value]) => readRendition(name, value) ?? [],
  );
  return { source, thumbnail: isSafePath(thumbnail) ? thumbnail : null, renditions };
}

function readRendition(name: string, value: Json): Rendition | undefined {
  if (!isObject(value)) return undefined;
  const [format, file] = [own(value, "format"), own(value, "file")];
  const [width, height, size] = ["width", "height", "size"].map((key) => own(value, key));
  const isWhole = [width, height, size].every((each) => Number.isInteger(each) && (each as number) > 0);
  return isWhole && typeof format === "string" && isSafePath(file)
    ? ({ name, format, width, height, size, file } as Rendition)
    : undefined;
}

/** Whether a path stays below `media/`: the file is served, and removed with the item. */
const isSafePath = (value: Json | undefined): value is string =>
  typeof value === "string" &&
  value.split("/").every((segment) => segment !== "" && !segment.startsWith(".") && !/[\\\0]/.test(segment));

const writeDerivatives = ({ source, thumbnail, renditions }: Derivatives): JsonObject => ({
  source,
  ...(thumbnail !== null && { thumbnail }),
  ...(renditions.length > 0 && { renditions: Object.fromEntries(renditions.map(({ name, ...rest }) => [name, rest])) }),
});
