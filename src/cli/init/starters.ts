/** The starters of `cms init`: what they are, and where their files are. */
import { UsageError } from "../command.ts";
import type { Lang } from "../../model/language/locale.ts";

export interface Starter {
  /** Below the program. */
  readonly folder: string;
  /** One line for help and questions. */
  readonly about: string;
  /**
   * Whether every text is copied into languages that it is not written in. Otherwise only the home page is, and the content
   * needs one of its own languages as the default one.
   */
  readonly isFullyCopied: boolean;
}

export const STARTERS: Readonly<Record<string, Starter>> = {
  lighthouse: { folder: ".", about: "the example: every kind of content, explained by using it", isFullyCopied: false },
  business: {
    folder: "examples/starters/business",
    about: "a small company: services, about, contact",
    isFullyCopied: true,
  },
  blog: { folder: "examples/starters/blog", about: "articles with pictures, subjects and a feed", isFullyCopied: true },
};

/** One home page and one template for each kind of page: `--bare-site`, and where the lighthouse is in no language of the site. */
export const BARE_SITE: Starter = { folder: "examples/starters/bare", about: "", isFullyCopied: true };

/** @throws UsageError for a name that no starter has */
export function starterNamed(name: string): Starter {
  const found = Object.hasOwn(STARTERS, name) ? STARTERS[name] : undefined;
  if (!found) throw new UsageError(`There is no starter "${name}": take ${Object.keys(STARTERS).join(", ")}.`);
  return found;
}

/** The languages that starters are written in. */
export const STARTER_LANGUAGES: readonly Lang[] = ["en", "it"];
