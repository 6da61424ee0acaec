/** The addresses that files of `static/` cannot have. */
import type { Config } from "../config.ts";
import { trimEnd } from "../model/trim.ts";
import type { TakenAddresses } from "../model/static-file.ts";

/** The path below which the API always answers. */
export const API_ROOT = "/api/cms";

export const takenAddresses = ({ MEDIA, API, ADMIN }: Config): TakenAddresses => ({
  mediaUrl: MEDIA.URL,
  serviceRoots: [API_ROOT, ...API.ALIASES, ...(ADMIN.ENABLE ? [trimEnd(ADMIN.PATH, "/")] : [])],
});
