/**
 * The files of the library as they lie in `media/`: what their bytes are, never what anybody says of them.
 *
 * They are looked at, not parsed. `kinds/media.ts` joins them with the records beside them.
 */
import { createHash } from "node:crypto";
import type { Entity, Kind } from "../record-type.ts";
import { isObject, own, type Json, type JsonObject } from "../../../model/json.ts";
import type { FileFacts } from "../../../model/media.ts";
import { typeByName } from "../../../model/media-type.ts";
import { ID_MAX } from "../../../model/page-input.ts";

export const MEDIA_DIR = "media";

export interface MediaFile extends Entity {
  /** Path below `media/`. */
  readonly file: string;
  readonly facts: FileFacts;
}

/** What is found out of a file's bytes, as the store keeps it. */
export interface Found {
  /** By the bytes; null where they do not tell. */
  readonly mime: string | null;
  readonly image: FileFacts["image"];
  readonly trouble: FileFacts["trouble"];
}

export const toJson = (found: Found): JsonObject => ({ ...found, image: found.image && { ...found.image } });

/**
 * @param except folders below `media/` whose files are made here, and are nobody's originals
 */
export function mediaFiles(except: readonly string[]): Kind<MediaFile> {
  const outside = except.map((folder) => `${MEDIA_DIR}/${folder}`);
  return {
    name: "MediaFile",
    dir: MEDIA_DIR,
    opaque: true,
    except: outside,
    order: () => [],
    split(path) {
      if (!path.startsWith(`${MEDIA_DIR}/`) || path.split("/").some((name) => name.startsWith("."))) return undefined;
      return outside.some((folder) => path.startsWith(`${folder}/`)) ? undefined : { base: path, part: "" };
    },
    fromFiles(base, files) {
      const { data } = [...files.values()][0]!;
      const file = base.slice(MEDIA_DIR.length + 1);
      return { id: idOf(base), file, facts: factsOf(file, data) };
    },
    toFiles: () => new Map(),
    newBase: ({ file }) => `${MEDIA_DIR}/${file}`,
  };
}

/** Nobody ever names one by it; it only has to differ from others'. */
const idOf = (base: string): number => (createHash("sha256").update(base).digest().readUInt32BE(4) % ID_MAX) + 1;

function factsOf(file: string, data: JsonObject): FileFacts {
  const text = (key: string): string | undefined => {
    const value = own(data, key);
    return typeof value === "string" ? value : undefined;
  };
  return {
    oid: text("oid") ?? "",
    size: Number(own(data, "size") ?? 0),
    mime_type: text("mime") ?? typeByName(file).mime,
    image: imageOf(own(data, "image")),
    trouble: TROUBLES.find((each) => each === own(data, "trouble")) ?? null,
  };
}

const TROUBLES = ["pointer", "broken"] as const;

const imageOf = (value: Json | undefined): FileFacts["image"] =>
  isObject(value) ? (value as unknown as FileFacts["image"]) : null;
