/** The client of front ends: what it asks, what it keeps, and what it does while a service is busy. */
import { describe, expect, it } from "vitest";
import {
  cmsField,
  createClient,
  draftAt,
  picture,
  redirectLines,
  type SiteManifest,
} from "../../src/front-ends/client.ts";

interface Asked {
  readonly path: string;
  readonly headers: Record<string, string>;
}

/** A client whose requests are answered in turn by `answers`, each a response or a failure of the network. */
function clientOf(answers: (path: string, count: number) => Response | Error, token?: string) {
  const asked: Asked[] = [];
  const waited: number[] = [];
  const client = createClient({
    url: "http://cms.test/",
    token,
    fetch: async (input, init) => {
      const path = String(input).slice("http://cms.test/api/cms/".length);
      asked.push({ path, headers: init?.headers as Record<string, string> });
      const answer = answers(path, asked.filter((each) => each.path === path).length);
      if (answer instanceof Error) throw answer;
      return answer;
    },
    wait: async (ms) => void waited.push(ms),
  });
  return { client, asked, waited };
}

const json = (value: unknown, init?: ResponseInit): Response => Response.json(value, init);

describe("requests", () => {
  it.each([
    ["about/", "pages-router/about/"],
    ["/about/", "pages-router/about/"],
    ["/", "pages-router/"],
  ])("asks for the page at %s by the router", async (path, expected) => {
    const { client, asked } = clientOf(() => json({ title: "About" }));
    expect(await client.page(path)).toEqual({ title: "About" });
    expect(asked.map((each) => each.path)).toEqual([expected]);
  });

  it("answers null for what is not there, and throws what the service refuses", async () => {
    expect(await clientOf(() => json({}, { status: 404 })).client.page("/no/")).toBeNull();
    await expect(clientOf(() => json({ detail: "No" }, { status: 403 })).client.page("/no/")).rejects.toThrow(
      'http://cms.test/api/cms/pages-router/no/ answered 403: {"detail":"No"}',
    );
  });

  it("sends the ETag of the last answer, and keeps what is unchanged", async () => {
    const { client, asked } = clientOf((_, count) =>
      count === 1 ? json({ a: 1 }, { headers: { etag: '"1"' } }) : new Response(null, { status: 304 }),
    );
    expect(await client.get("languages")).toEqual({ a: 1 });
    expect(await client.get("languages")).toEqual({ a: 1 });
    expect(asked.map(({ headers }) => headers["If-None-Match"])).toEqual([undefined, '"1"']);
  });

  it("sends the token for drafts alone, and never keeps one", async () => {
    const { client, asked } = clientOf(() => json({ title: "A" }, { headers: { etag: '"1"' } }), "secret");
    await client.page("/a/");
    await client.draft("/a/", new URLSearchParams({ key: "k" }));
    await client.draft("/a/");
    expect(asked).toEqual([
      { path: "pages-router/a/", headers: {} },
      { path: "pages-router-preview/a/?key=k&paths=1", headers: { Authorization: "Token secret" } },
      { path: "pages-router-preview/a/?paths=1", headers: { Authorization: "Token secret" } },
    ]);
  });
});

describe("a busy service", () => {
  const refused = new TypeError("fetch failed", { cause: new Error("connect ECONNREFUSED") });

  it.each<[string, Response | Error, number]>([
    ["restarts", refused, 250],
    ["asks to wait", new Response(null, { status: 429, headers: { "retry-after": "2" } }), 2000],
    [
      "asks to wait for a day, half a minute",
      new Response(null, { status: 503, headers: { "retry-after": "86400" } }),
      30_000,
    ],
    ["is overloaded", new Response(null, { status: 502 }), 250],
  ])("is asked again where it %s", async (_, first, ms) => {
    const { client, waited } = clientOf((_path, count) => (count === 1 ? first : json({ a: 1 })));
    expect(await client.get("x")).toEqual({ a: 1 });
    expect(waited).toEqual([ms]);
  });

  it("is asked five times, with longer and longer pauses", async () => {
    const { client, asked, waited } = clientOf(() => refused);
    await expect(client.get("x")).rejects.toThrow(
      "http://cms.test/api/cms/x did not answer: Error: connect ECONNREFUSED",
    );
    expect([asked.length, waited]).toEqual([5, [250, 500, 1000, 2000]]);
  });

  it("gets eight requests at a time", async () => {
    let running = 0;
    let most = 0;
    const client = createClient({
      url: "http://cms.test",
      fetch: async () => {
        most = Math.max(most, ++running);
        await new Promise((resolve) => setImmediate(resolve));
        running--;
        return json({});
      },
    });
    await Promise.all(Array.from({ length: 50 }, (_, at) => client.page(`/${at}/`)));
    expect([most, running]).toEqual([8, 0]);
  });
});

describe("changed pages", () => {
  const manifest: SiteManifest = {
    epoch: "e",
    urls: [
      { path: "/a/", language_code: "en", hash: "1" },
      { path: "/b/", language_code: "en", hash: "2" },
      { path: "/moved/", language_code: "en", hash: "3" },
    ],
    redirects: [{ from: "/old/", to: "/a/", status: 301 }],
  };

  it("are those whose hash is not known; one that moves meanwhile is left out", async () => {
    const { client, asked } = clientOf((path) =>
      path.endsWith("changes")
        ? json(manifest)
        : json(path.endsWith("moved/") ? { redirect: "/c/", status: 301 } : { path }),
    );
    const found: string[] = [];
    expect(
      await client.changed(
        new Map([
          ["/a/", "1"],
          ["/b/", "old"],
        ]),
        ({ path }) => found.push(path),
      ),
    ).toEqual(manifest);
    expect(found).toEqual(["/b/"]);
    expect(asked.map(({ path }) => path)).toEqual(["pages-router/changes", "pages-router/b/", "pages-router/moved/"]);
  });

  it("have the redirects of the manifest beside them", () => expect(redirectLines(manifest)).toBe("/old/ /a/ 301\n"));
});

describe("the draft of a preview route", () => {
  const respond = async (answer: Response | Error) => {
    const { client, asked } = clientOf(() => answer);
    return { found: await draftAt(client, new URL("http://front.test/preview/a/?key=k")), asked };
  };

  it("is at the path behind the route, with its query", async () => {
    const { found, asked } = await respond(json({ title: "A" }));
    expect([found, asked[0]?.path]).toEqual([{ title: "A" }, "pages-router-preview/a/?key=k&paths=1"]);
  });

  it.each<[string, Response | Error, number, string | null]>([
    ["a redirect of the page", json({ redirect: "/b/", status: 301 }), 302, "/preview/b/"],
    ["nothing", json({}, { status: 404 }), 404, null],
    ["a refusal", json({}, { status: 401 }), 401, null],
    ["no service", new TypeError("fetch failed"), 502, null],
  ])("answers %s as such", async (_, answer, status, location) => {
    const { found } = await respond(answer);
    if (!(found instanceof Response)) throw new Error("It is a page.");
    expect([found.status, found.headers.get("location")]).toEqual([status, location]);
  });
});

describe("the field of an element", () => {
  const page = { paths: { "template_data.lead": "string" } };

  it.each([
    ["a preview", page, "template_data.lead", { "data-cms-field": "template_data.lead" }],
    ["a preview without the field", page, "template_data.none", {}],
    ["a preview, by a name of every object", page, "constructor", {}],
    ["a public page", { title: "A" }, "template_data.lead", {}],
  ])("of %s", (_, shown, path, expected) => expect(cmsField(shown, path)).toEqual(expected));
});

describe("a picture", () => {
  const rendition = (url: string, width: number, format: string) => ({ url, width, format });
  const media = {
    file: "/m/a.jpg",
    alt_text: "A cup",
    image_props: { width: 2000, height: 1250 },
    renditions: {
      "lg-webp": rendition("/lg.webp", 1600, "webp"),
      "sm-webp": rendition("/sm.webp", 400, "webp"),
      "sm-avif": rendition("/sm.avif", 400, "avif"),
    },
  };

  it("has a source for each format, narrow renditions first", () =>
    expect(picture(media, { sizes: "8rem", isFirst: true })).toEqual({
      sources: [
        { type: "image/avif", srcset: "/sm.avif 400w", sizes: "8rem" },
        { type: "image/webp", srcset: "/sm.webp 400w, /lg.webp 1600w", sizes: "8rem" },
      ],
      img: { src: "/m/a.jpg", alt: "A cup", width: 2000, height: 1250, loading: "eager" },
    }));

  it("without renditions is the file, with another text where one is given", () =>
    expect(picture({ ...media, renditions: {} }, { alt: "" })).toEqual({
      sources: [],
      img: { src: "/m/a.jpg", alt: "", width: 2000, height: 1250, loading: "lazy" },
    }));
});
