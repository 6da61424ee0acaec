/** Every read of a site: the paths of all GET routes and of the site itself, with the ids and addresses that it has. */
import { API_ROUTES } from "../../src/http/routes/api-routes.ts";
import type { TestSite } from "../site.ts";

/** Of accounts, or of the process that answers: no part of the content. */
const PRIVATE = /^(users|permissions|profiles|autosaves|hooks|sync|settings|docs|openapi)|\/autosave$/;

/** What is there is one of a few small numbers; the others are 404 in both. */
const PARAMETERS: Readonly<Record<string, readonly (string | number)[]>> = {
  id: [1, 2, 3, 100, 101, 300],
  key: ["main"],
  name: ["spring"],
  model: ["card"],
  type: [1],
};

const PUBLIC_PATHS = ["/", "/a/", "/b/", "/c/", "/d/", "/p1/", "/p2/", "/p3/", "/it/a/", "/it/b/", "/it/p1/"];
const QUERIES = ["items=2", "sort=title", "search=two", "fltr=status=PUB", "language=it"];

export function paths(): string[] {
  const routes = API_ROUTES.filter(
    ({ method, path }) => method === "GET" && !PRIVATE.test(path) && !/:version/.test(path),
  );
  const api = routes.flatMap(({ path }) => {
    const name = /:(\w+)/.exec(path)?.[1];
    const values = name === undefined ? [""] : (PARAMETERS[name] ?? []);
    return values.map((value) => `api:${path.replace(/:\w+/, String(value))}/`);
  });
  return [
    ...new Set(api.map((path) => path.replace(/:\w+/g, "1").replace(/^api1/, "api:").replace("api://", "api:"))),
    ...QUERIES.map((query) => `api:pages/?${query}`),
    "api:pages-router/changes",
    ...PUBLIC_PATHS.flatMap((path) => [
      `api:pages-router${path}?included_translations=all`,
      `api:pages-router-preview${path}`,
      path,
      `${path}index.json`,
    ]),
    ...["/sitemap.xml", "/robots.txt", "/feed.xml", "/style.css", "/a"],
    ...["note.txt", "by-hand.png", "photo.png", "photo_thumb.png"].map((file) => `/media/${file}`),
  ];
}

/** The answers as staff, by path. @param content a parameter that names other content, as `at=main` */
export async function answers({ ask }: TestSite, content = ""): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const path of paths()) {
    const asked = content === "" ? path : `${path}${path.includes("?") ? "&" : "?"}${content}`;
    const { status, bytes, headers } = await ask("GET", asked, { as: "staff" });
    const location = headers.get("location")?.replace(/[?&](at|as_of|release)=[^&]*$/, "");
    found.set(path, [status, location, Buffer.from(bytes).toString("latin1")].join("\n"));
  }
  return found;
}
