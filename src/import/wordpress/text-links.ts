/** Links of texts to what is imported with them. */
import type { Lang, Locales } from "../../model/language/locale.ts";
import type { SourceId } from "../imported-site.ts";
import { sourceLink } from "../texts/source-links.ts";
import { basePath, type TagAddresses } from "./tags.ts";
import { numberOf, type Posts } from "./posts.ts";
import { attachmentFinder, belowUploads } from "./uploads.ts";
import { postSource, type WordPressExport } from "./wxr.ts";

/** Where an address leads. */
export type LinkTarget =
  | { readonly entry: SourceId; readonly lang: Lang; readonly tail: string }
  | { readonly address: string };

export interface TextLinks {
  /**
   * @param lang that of the text
   * @returns undefined for an address elsewhere, which stays; "missing" for one on the site that leads to nothing that is here
   */
  target(address: string, lang: Lang): LinkTarget | "missing" | undefined;
  /** The address to write into a text in place of another. */
  rewrite(address: string, lang: Lang): string | "missing" | undefined;
  /** An address on the old site, with its host: what is not here may still be there. */
  absolute(address: string): string;
}

/** WordPress puts this element where a text was cut for lists. */
const PLACE_OF_MORE = /^#more-\d+$/;

export function textLinks(source: WordPressExport, posts: Posts, addresses: TagAddresses, locales: Locales): TextLinks {
  const base = basePath(source.link);
  const findFile = attachmentFinder([...posts.attachments.values()]);
  const attachmentPaths = new Map(
    [...posts.attachments.values()].flatMap(({ id, link }) => {
      const at = posts.site.locate(link);
      return at && numberOf(at.query) === undefined && at.path !== "/" ? [[at.path, id] as const] : [];
    }),
  );
  const listOf = (lang: Lang): string => (lang === locales.default ? "" : `/${lang}`) + addresses.posts;
  const lists = [addresses.category, addresses.post_tag, addresses.author];
  /** Whether a path is that of a list of posts, in any language. */
  const isList = (path: string): boolean =>
    lists.some((list) => path.startsWith(`${base}${list}/`)) ||
    locales.codes.some((lang) => lists.some((list) => path.startsWith(`${base}/${lang}${list}/`)));

  function target(address: string, lang: Lang): LinkTarget | "missing" | undefined {
    const at = posts.site.locate(address);
    if (!at) return undefined;
    const file = belowUploads(address);
    if (file !== undefined) {
      const item = findFile(file);
      return item ? { address: sourceLink(postSource(item.id)) } : "missing";
    }
    const id = numberOf(at.query);
    if (id !== undefined && posts.attachments.has(id)) return { address: sourceLink(postSource(id)) };
    const found = id === undefined ? posts.byPath(at.path) : posts.byId(id);
    if (found)
      return { entry: found.post.source, lang: found.lang, tail: PLACE_OF_MORE.test(at.fragment) ? "" : at.fragment };
    const attachment = attachmentPaths.get(at.path);
    if (attachment !== undefined) return { address: sourceLink(postSource(attachment)) };
    if (at.path === (base || "/")) return { address: `/${at.fragment}` };
    const prefix = locales.codes.find((code) => at.path === `${base}/${code}`);
    if (prefix !== undefined) return { address: prefix === locales.default ? "/" : `/${prefix}/` };
    if (isList(at.path)) return { address: listOf(lang) };
    return "missing";
  }
  return {
    target,
    absolute: (address) => (URL.canParse(address, source.link) ? new URL(address, source.link).href : address),
    rewrite(address, lang) {
      const found = target(address, lang);
      if (found === undefined || found === "missing") return found;
      return "entry" in found ? sourceLink(found.entry, { lang: found.lang, tail: found.tail }) : found.address;
    },
  };
}
