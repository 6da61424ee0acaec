/**
 * Which names of files and which addresses of pages are possible: on every system that may hold a clone or the built site,
 * and beside everything else that the site answers. Manifest, sitemap, router, HTML route and build leave out what is not,
 * and `cms check` names it.
 */
import { findLang, firstSegment, splitLang, type Lang, type Locales } from "../language/locale.ts";

/** The path below which the API always answers. */
export const API_ROOT = "/api/cms";
/** The script by which a page in a frame of the editor talks with it. */
export const BRIDGE_PATH = `${API_ROOT}/bridge.js`;
/** The bar of editors, for front ends. */
export const BAR_PATH = `${API_ROOT}/bridge-bar.html`;
/** Below the API, but of the editor: the script, what it loads in a frame, and the bar. */
export const isOfBridge = (path: string): boolean =>
  [BRIDGE_PATH, BAR_PATH, `${API_ROOT}/bridge-frame.js`].includes(path);

/** Paths of the service, which answer no page. */
export const SERVICE_PATHS = ["/healthz", "/readyz", "/metrics"];

/** Paths of the public router; with a final slash they are pages. */
const ROUTER_PATHS = ["/changes", "/publish-due"];

/** First segments that no page gets, whatever the settings, since the service may answer below them. */
const SERVICE_NAMES = ["api", "preview"];

/** In bytes of UTF-8, of all file systems. */
const NAME_BYTES_MAX = 255;

/** Device names, which Windows reserves with any extension: a clone there has no file of such a name. */
const DEVICE = /^(?:con|prn|aux|nul|(?:com|lpt)[\d¹²³])(?: *\.| *$)/i;
/** Characters that Windows takes for a drive, a stream or a pattern, and ends that it drops. */
const UNPORTABLE = /[\\/:*?"<>|\p{Cc}]|[. ]$/u;

/** @param name of a file or folder, without its path */
export const isDeviceName = (name: string): boolean => DEVICE.test(name);

/** A name for a file that every system can hold. @param name without other characters that some system refuses */
export const possibleName = (name: string): string => (isDeviceName(name) ? `${name}-file` : name);

/** Whether no file system can hold a file or folder of the name. */
export const isTooLongName = (name: string): boolean =>
  name.length * 3 > NAME_BYTES_MAX && Buffer.byteLength(name) > NAME_BYTES_MAX;

/** Why some system can hold no file or folder of this name; undefined where all can. */
export function nameError(name: string): string | undefined {
  if (isDeviceName(name)) return `"${name}" is the name of a device on Windows.`;
  if (UNPORTABLE.test(name)) return `${JSON.stringify(name)} has a character that Windows does not allow there.`;
  if (isTooLongName(name)) return `A name in it has more than ${NAME_BYTES_MAX} bytes.`;
  return undefined;
}

/** Equal for paths that some file systems do not distinguish: by case or Unicode form. */
export const folded = (path: string): string => (FOLDED.test(path) ? path : path.normalize("NFC").toLowerCase());
const FOLDED = /^[a-z0-9/_-]*$/;

/** Why another part of the site answers at an address or below it; undefined where none does. @param address with the prefix of its language */
export function outsideError(address: string, { taken }: Pick<Locales, "taken">): string | undefined {
  if (taken === undefined) return undefined;
  const path = `${folded(address)}/`;
  if (path.startsWith(folded(taken.mediaUrl))) return `Addresses below ${taken.mediaUrl} belong to the media library.`;
  const root = taken.serviceRoots.find((each) => path.startsWith(`${folded(each)}/`));
  return root === undefined ? undefined : `Addresses below ${root} belong to the service.`;
}

/** Why no page can be at a permalink of a language, in the canonical form; undefined where one can. */
export function addressError(locales: Locales, lang: Lang, permalink: string): string | undefined {
  if (permalink !== "/")
    for (const name of permalink.slice(1).split("/")) {
      const error = nameError(name);
      if (error !== undefined) return error;
    }
  if (lang !== locales.default) return outsideError(`/${lang}${permalink}`, locales);
  if (permalink === "/") return undefined;
  const first = firstSegment(permalink);
  if (findLang(locales, first) !== undefined) return `Addresses below /${first} are those of a language.`;
  if (SERVICE_PATHS.includes(permalink) || (locales.taken?.appendSlash === false && ROUTER_PATHS.includes(permalink)))
    return `The address ${permalink} belongs to the service.`;
  return outsideError(permalink, locales);
}

/**
 * Why a page must not be given a permalink, in any language: the default language may become another one. Pages that have
 * it already are judged by `addressError`.
 */
export function permalinkError(locales: Locales, permalink: string): string | undefined {
  const first = firstSegment(permalink);
  if (first !== "" && findLang(locales, first) !== undefined) return "A permalink cannot begin with a language code.";
  const { mediaUrl = "", serviceRoots = [] } = locales.taken ?? {};
  if (
    first !== "" &&
    [
      ...SERVICE_NAMES,
      ...[mediaUrl, ...serviceRoots].map((path) => folded(firstSegment(splitLang(locales, path).rest))),
    ].includes(first)
  )
    return `A permalink cannot begin with /${first}: other addresses of the site do.`;
  return addressError(locales, locales.default, permalink);
}

/**
 * Whether an automatic permalink must not be used, so that it gets a number (DECISIONS.md, Pages). Below a permalink at
 * which no page can be, a number would not help.
 */
export function isReserved(locales: Locales, permalink: string): boolean {
  if (ROUTER_PATHS.includes(permalink)) return true;
  const above = permalink.slice(0, permalink.lastIndexOf("/"));
  if (above === "") return permalinkError(locales, permalink) !== undefined;
  const isPossible = (each: string): boolean => addressError(locales, locales.default, each) === undefined;
  return !isPossible(permalink) && isPossible(above);
}
