/** Addresses of an old site on the web: which of them lead to the site itself, and to which path. */

export interface OldSite {
  /** The path of an address on the site, percent-decoded where it can be, with query and fragment; undefined elsewhere. */
  locate(address: string): OldAddress | undefined;
}

export interface OldAddress {
  /** With its first slash, without final ones; "/" for the home page. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** With its `#`; "" for none. */
  readonly fragment: string;
}

/**
 * @param home absolute address of the site; with `www.` and without, and with either scheme, it is the same site
 * @returns a site that has no addresses where that is none
 */
export function oldSite(home: string): OldSite {
  const host = hostOf(home);
  return {
    locate(address) {
      if (host === undefined || !/^(?:https?:)?\/\/|^\/(?!\/)/i.test(address)) return undefined;
      const url = URL.canParse(address, home) ? new URL(address, home) : undefined;
      if (!url || hostOf(url.href) !== host) return undefined;
      return { path: oldPathOf(url.pathname), query: url.searchParams, fragment: url.hash };
    },
  };
}

function hostOf(address: string): string | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol !== "http:" && url?.protocol !== "https:") return undefined;
  // The port of a site under development counts, the usual ones are "".
  return `${url.hostname.replace(/^www\./, "")}:${url.port}`;
}

/** A path of an URL, decoded, without slashes at its end. */
export function oldPathOf(pathname: string): string {
  let end = pathname.length;
  while (end > 1 && pathname[end - 1] === "/") end--;
  try {
    return decodeURIComponent(pathname.slice(0, end));
  } catch {
    return pathname.slice(0, end);
  }
}
