/** Checks of a built site, on its files alone. */

/** Text by path, as latin1. */
type Files = ReadonlyMap<string, string>;

const utf8 = (text: string): string => Buffer.from(text, "latin1").toString("utf8");

const pagesIn = (files: Files): [path: string, html: string][] =>
  [...files].filter(([path]) => path.endsWith(".html")).map(([path, text]) => [path, utf8(text)]);

/** The file that a plain host answers a path with. */
const fileAt = (path: string): string => decodeURIComponent(path.endsWith("/") ? `${path}index.html` : path).slice(1);

/** Every link, picture, style sheet and anchor of the site that leads nowhere: `page: address`. */
export function brokenLinks(files: Files): string[] {
  const names = new Set([...files.keys()].map((path) => Buffer.from(path, "utf8").toString()));
  return pagesIn(files).flatMap(([path, html]) => {
    const base = `http://site/${path.replace(/index\.html$/, "")}`;
    const addresses = [
      ...[...html.matchAll(/\s(?:href|src)="([^"]*)"/g)].map((match) => match[1]!),
      ...[...html.matchAll(/\ssrcset="([^"]*)"/gi)].flatMap((match) =>
        match[1]!.split(",").map((part) => part.trim().split(/\s+/)[0]!),
      ),
    ].map((address) => address.replaceAll("&amp;", "&"));
    return [...new Set(addresses)].flatMap((address) => {
      const url = new URL(address, base);
      if (url.host !== "site") return [];
      // A host redirects to the final slash.
      const file = [fileAt(url.pathname), fileAt(`${url.pathname}/`)].find((name) => names.has(name)) ?? "";
      const isThere = names.has(file);
      const id = decodeURIComponent(url.hash.slice(1));
      const hasAnchor = id === "" || !isThere || utf8(files.get(file)!).includes(`id="${id}"`);
      return isThere && hasAnchor ? [] : [`${path}: ${address}`];
    });
  });
}

/** Pages without one h1, with a skipped level of heading, a picture without alt text, or a skip link that leads nowhere. */
export function outlineProblems(files: Files): string[] {
  return pagesIn(files).flatMap(([path, html]) => {
    const levels = [...html.matchAll(/<h([1-6])[\s>]/g)].map((match) => Number(match[1]));
    const skipped = levels.some((level, at) => level > (levels[at - 1] ?? 0) + 1);
    const isBare = [...html.matchAll(/<img\b[^>]*>/g)].some(([tag]) => !/\salt[=\s/>]/.test(tag));
    const skip =
      /<body[^>]*>\s*(?:<div hidden[^>]*>[^]*?<\/div>\s*)?(?:<div id="__nuxt">)?(?:<!--[^>]*-->)*<a [^>]*href="#([\w-]+)"/.exec(
        html,
      )?.[1];
    return [
      ...(levels.filter((level) => level === 1).length === 1 ? [] : [`${path}: not one h1`]),
      ...(skipped ? [`${path}: headings ${levels.join(" ")}`] : []),
      ...(isBare ? [`${path}: a picture without alt`] : []),
      ...(skip !== undefined && html.includes(`id="${skip}"`) ? [] : [`${path}: no skip link`]),
      ...(/<html\s+lang="[a-z]/.test(html) ? [] : [`${path}: no language`]),
    ];
  });
}
