/** Files of the media library, as the API serves them. */
import type { MediaPayload } from "../../library/payloads.ts";
import type { MediaText } from "../../model/media/media.ts";
import { ApiError, API, csrfToken, get, refusal, type RecordLink } from "../api.ts";
import { uiLanguage } from "../i18n.ts";
import { contentLanguage } from "../site.ts";
import type { Json } from "../json.ts";
import type { PageOf } from "../ui/loaded.ts";

export type MediaItem = Omit<MediaPayload, "renditions_config" | "srcset" | "translations"> & {
  readonly [key: string]: Json;
  readonly translations: { readonly [lang: string]: Pick<MediaText, keyof MediaText> };
  readonly links: readonly (RecordLink & { readonly [key: string]: Json })[];
};

const SHOWN = 40;

/**
 * @param page from 1
 * @param place only files of a folder, with null those in none; absent: of every folder; or those in the trash, or pictures alone
 */
export function findMedia(
  search: string,
  page: number,
  signal: AbortSignal,
  place: { readonly folder?: number | null; readonly isTrash?: boolean; readonly isPicture?: boolean } = {},
): Promise<PageOf<MediaItem>> {
  const query = new URLSearchParams({
    search,
    page: String(page),
    items: String(SHOWN),
    language: contentLanguage.value,
  });
  if (place.isPicture) query.append("fltr", "mime_type__startswith=image/");
  if (place.isTrash) query.append("fltr", "trashed=true");
  else if (place.folder === null) query.append("fltr", "folder__isnull=true");
  else if (place.folder !== undefined) query.append("fltr", `folder=${place.folder}`);
  return get<PageOf<MediaItem>>(`media/?${query}`, signal);
}

/** A file that is not in the trash has no `deleted_at`. */
export const isInTrash = ({ deleted_at: since }: MediaItem): boolean => typeof since === "string";

/** @param bytes @returns such as `133 kB` */
export const showSize = (bytes: number): string =>
  new Intl.NumberFormat(uiLanguage.value, {
    style: "unit",
    unit: bytes < 1_000_000 ? "kilobyte" : "megabyte",
    maximumFractionDigits: bytes < 1_000_000 ? 0 : 1,
  }).format(bytes / (bytes < 1_000_000 ? 1_000 : 1_000_000));

export const fileName = ({ file }: Pick<MediaItem, "file">): string => decodeURIComponent(file.replace(/^.*\//, ""));

/** Called with the share that was sent, from 0 to 1. */
type OnProgress = (share: number) => void;

/** @throws ApiError */
export function uploadFile(file: File, folder: number | null, onProgress: OnProgress): Promise<MediaItem> {
  const form = new FormData();
  form.append("file", file);
  if (folder !== null) form.append("folder", String(folder));
  return sendForm("POST", "media/", form, onProgress);
}

/** The new file keeps the address of the old one. @throws ApiError */
export function replaceFile(id: number, file: File, onProgress: OnProgress): Promise<MediaItem> {
  const form = new FormData();
  form.append("file", file);
  form.append("same_url", "true");
  return sendForm("PATCH", `media/${id}/`, form, onProgress);
}

/** `fetch` cannot tell how much of a body was sent. */
const sendForm = (method: string, path: string, form: FormData, onProgress: OnProgress): Promise<MediaItem> =>
  new Promise((done, fail) => {
    const request = new XMLHttpRequest();
    request.open(method, API + path);
    request.setRequestHeader("x-csrftoken", csrfToken());
    request.setRequestHeader("accept", "application/json");
    request.responseType = "json";
    request.upload.addEventListener("progress", ({ loaded, total }) => onProgress(total === 0 ? 1 : loaded / total));
    request.addEventListener("load", () => {
      if (request.status < 300) return done(request.response as MediaItem);
      fail(refusal(request, request.response));
    });
    request.addEventListener("error", () => fail(new ApiError(0, "")));
    request.send(form);
  });
