/**
 * The files in `media/`, with the facts read from their bytes. `records/media.ts` joins them with their records.
 */
import { createHash } from "node:crypto";
import type { Entity, Kind } from "../record-type.ts";
import { isObject, own, type Json, type JsonObject } from "../../../model/input/json.ts";
import type { FileFacts } from "../../../model/media/media.ts";
import { isRasterFormat, typeByName } from "../../../model/media/media-type.ts";
import { ID_MAX } from "../../../model/input/id.ts";

export const MEDIA_DIR = "media";

export interface StoredMediaFile extends Entity {
  /** Path below `media/`. */
  readonly file: string;
  readonly facts: FileFacts;
}

/** The result of examining the bytes of a file, as the store caches it. */
export interface FoundMedia {
  /** null when the bytes have no known signature. */
  readonly mime: string | null;
  readonly image: FileFacts["image"];
  readonly trouble: FileFacts["trouble"];
}

export const toJson = (found: FoundMedia): JsonObject => ({ ...found, image: found.image && { ...found.image } });

/** @param except folders below `media/` for derivatives, whose files are not items */
export function mediaFiles(except: readonly string[]): Kind<StoredMediaFile> {
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

/** Not used by any reference; it only has to be unique. */
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

function imageOf(value: Json | undefined): FileFacts["image"] {
  if (!isObject(value)) return null;
  const { mode, width, height, format, raster } = value;
  return typeof mode === "string" &&
    typeof width === "number" &&
    typeof height === "number" &&
    typeof format === "string" &&
    isRasterFormat(raster)
    ? { mode, width, height, format, raster }
    : null;
}
