/** Files of the media library, as the API serves them. */
import { ApiError, API, csrfToken, get } from "../api.ts";
import { contentLanguage } from "../site.ts";
import type { Json } from "../json.ts";

export const MEDIA_MODEL = "cms.Media";

export interface MediaText {
  readonly alt_text: string | null;
  readonly title: string | null;
  readonly description: string | null;
}

export interface MediaItem {
  readonly [key: string]: Json;
  readonly id: number;
  readonly title: string | null;
  readonly file: string;
  readonly thumbnail: string | null;
  readonly mime_type: string;
  readonly is_image: boolean;
  /** In bytes. */
  readonly size: number;
  readonly folder: number | null;
  readonly image_props: { readonly width?: number; readonly height?: number };
  readonly translations: Readonly<Record<string, MediaText & { readonly [key: string]: Json }>>;
}

export interface MediaPage {
  readonly items: readonly MediaItem[];
  readonly paginator: { readonly count: number; readonly page: number; readonly has_next: boolean };
}

const SHOWN = 40;

/** @param page from 1 */
export function findMedia(search: string, page: number, signal: AbortSignal): Promise<MediaPage> {
  const query = { search, page: String(page), items: String(SHOWN), language: contentLanguage.value };
  return get<MediaPage>(`media/?${new URLSearchParams(query)}`, signal);
}

export const fileName = ({ file }: Pick<MediaItem, "file">): string => decodeURIComponent(file.replace(/^.*\//, ""));

/**
 * Uploads one file. `fetch` cannot tell how much of a body was sent.
 *
 * @param onProgress from 0 to 1
 * @throws ApiError
 */
export const uploadFile = (
  file: File,
  folder: number | null,
  onProgress: (share: number) => void,
): Promise<MediaItem> =>
  new Promise((done, fail) => {
    const form = new FormData();
    form.append("file", file);
    if (folder !== null) form.append("folder", String(folder));
    const request = new XMLHttpRequest();
    request.open("POST", `${API}media/`);
    request.setRequestHeader("x-csrftoken", csrfToken());
    request.setRequestHeader("accept", "application/json");
    request.responseType = "json";
    request.upload.addEventListener("progress", ({ loaded, total }) => onProgress(total === 0 ? 1 : loaded / total));
    request.addEventListener("load", () => {
      if (request.status < 300) return done(request.response as MediaItem);
      fail(new ApiError(request.status, messageIn(request.response) ?? request.statusText));
    });
    request.addEventListener("error", () => fail(new ApiError(0, "")));
    request.send(form);
  });

/** The first message in the body of a refusal. */
function messageIn(body: unknown): string | undefined {
  if (typeof body === "string") return body;
  if (typeof body !== "object" || body === null) return undefined;
  return Object.values(body).map(messageIn).find(Boolean);
}
