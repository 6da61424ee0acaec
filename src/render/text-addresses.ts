/** The addresses in a text that became HTML: those that have moved are the present ones, so that no host has to redirect. */
import { decoded } from "../model/language/locale.ts";
import { decodeEntities, encodeAttribute } from "../model/text/html-tokens.ts";

/** A tag as `markdownHtml` and `richText` write it: without angle brackets in its attributes. */
const TAG = /<[a-z][^<>]*>/gi;
const ADDRESS = /( (?:href|src|poster)=")(\/(?!\/)[^"?#]*)/g;

/** @param moved where a page or file of a path is now; null for paths that have not moved */
export const withPresentAddresses = (html: string, moved: (path: string) => string | null): string =>
  html.replace(TAG, (tag) =>
    tag.replace(ADDRESS, (whole, before: string, path: string) => {
      const to = moved(decoded(decodeEntities(path)));
      return to === null ? whole : before + encodeAttribute(to);
    }),
  );
