import { expect, it } from "vitest";
import { memorySite } from "../../site.ts";

const FILE = `# Addresses that never were pages of ours.
- from: /press # in print
  to: /logbook
  status: 302
- { from: /prenota, to: /dormire, language: it }
`;

it("a redirect is added and removed; every other byte of the file stays", async () => {
  const { ask, repo } = await memorySite({ "content/redirects.yaml": FILE });
  const as = "superuser";
  const list = async () => (await ask("GET", "api:redirects/", { as })).body;
  const text = async () => new TextDecoder().decode((await repo.read("content/redirects.yaml"))?.bytes);
  const press = { from: "/press", to: "/logbook", status: 302, language: null };
  const prenota = { from: "/prenota", to: "/dormire", status: 301, language: "it" };
  expect(await list()).toEqual([press, prenota]);

  const made = await ask("POST", "api:redirects/", { as, body: { from: "/it/libro", to: "https://example.org/a" } });
  const libro = { from: "/libro", to: "https://example.org/a", status: 301, language: "it" };
  expect([made.status, made.body]).toEqual([201, libro]);
  expect(await list()).toEqual([press, prenota, libro]);
  expect(await text()).toContain(FILE);
  expect((await ask("GET", "/it/libro")).headers.get("location")).toBe("https://example.org/a");

  const removed = await ask("DELETE", "api:redirects/?from=/libro&source_language=it", { as });
  expect(removed.status).toBe(204);
  expect(await text()).toBe(FILE);
  expect((await ask("DELETE", "api:redirects/?from=/prenota", { as })).status).toBe(404);
  expect((await ask("DELETE", "api:redirects/?from=/it/prenota", { as })).status).toBe(204);
  expect((await ask("DELETE", "api:redirects/?from=/press", { as })).status).toBe(204);
  expect([await list(), await repo.read("content/redirects.yaml")]).toEqual([[], undefined]);
  expect((await ask("POST", "api:redirects/", { as, body: { from: "/a", to: "/b" } })).status).toBe(201);
  expect(await text()).toBe("- from: /a\n  to: /b\n  status: 301\n");
});

it("a redirect to a file leads to the file, in every language", async () => {
  const { ask } = await memorySite(
    {
      "content/redirects.yaml":
        '- { from: /photo, to: "/media/perché.png#1" }\n- { from: /feed, to: /feed.xml, language: it }\n- { from: /p, to: /media/a%20b.png }',
    },
    {
      LANGUAGES: [
        { id: "en", name: "English" },
        { id: "it", name: "Italiano" },
      ],
    },
  );
  const to = async (path: string) => (await ask("GET", path)).headers.get("location");
  expect([await to("/photo"), await to("/it/feed"), await to("/p")]).toEqual([
    "/media/perch%C3%A9.png#1",
    "/feed.xml",
    "/media/a%20b.png",
  ]);
});

it.each([
  [{ from: "press", to: "/a" }, "from"],
  [{ from: "/press", to: "/a" }, "from"],
  [{ from: "/a", to: "//evil.example" }, "to"],
  [{ from: "/a", to: "javascript:alert(1)" }, "to"],
  [{ from: "/a", to: "/b", status: 307 }, "status"],
  [{ from: "/a", to: "/b", language: "xx" }, "language"],
  [{ from: "/a", to: "/b", form: "/c" }, "form"],
  [{ from: "/logbook", to: "/press" }, "to"],
  [{ from: "", to: "", status: 303 }, "from,to,status"],
])("%j is refused at %s", async (body, fields) => {
  const { ask, repo } = await memorySite({ "content/redirects.yaml": FILE });
  const { status, body: errors } = await ask("POST", "api:redirects/", { as: "superuser", body });
  expect([status, Object.keys(errors as object)]).toEqual([400, fields.split(",")]);
  expect(new TextDecoder().decode((await repo.read("content/redirects.yaml"))?.bytes)).toBe(FILE);
});

it("of several redirects from one address the first counts, whether or not it names the default language", async () => {
  const rows = ["{ from: /a, to: /x, language: it }", "{ from: /a, to: /y }", "{ from: /a, to: /z, language: en }"];
  const { ask } = await memorySite(
    {
      "content/redirects.yaml": [...rows, "{ from: /b, to: /z, language: en }", "{ from: /b, to: /y }"]
        .map((row) => `- ${row}\n`)
        .join(""),
    },
    {
      LANGUAGES: [
        { id: "en", name: "English" },
        { id: "it", name: "Italiano" },
      ],
    },
  );
  const to = async (path: string) => (await ask("GET", path)).headers.get("location");
  expect([await to("/a"), await to("/b"), await to("/it/a"), await to("/it/b/")]).toEqual([
    "/y/",
    "/z/",
    "/it/x/",
    null,
  ]);
});

it("of redirects written at the same time, the one that closes a circle is refused for that", async () => {
  const { ask } = await memorySite();
  const add = (from: string, to: string) => ask("POST", "api:redirects/", { as: "superuser", body: { from, to } });
  const bodiesByStatus = async (...requests: ReturnType<typeof add>[]) => {
    // Which of two bodies is read first is not ordered.
    const answers = (await Promise.all(requests)).sort((a, b) => a.status - b.status);
    return answers.map(({ status, body }) => (status === 201 ? status : [status, body]));
  };
  expect(await bodiesByStatus(add("/a", "/b"), add("/b", "/c/?x=1"))).toEqual([201, 201]);
  expect(await bodiesByStatus(add("/c", "/it/a"), add("/c", "/it/b"))).toEqual([
    201,
    [400, { from: ["There is a redirect from this address already."] }],
  ]);
  expect(await bodiesByStatus(add("/x", "/y"), add("/y", "/x"))).toEqual([
    201,
    [400, { to: ["This redirect leads back to itself."] }],
  ]);
  expect((await add("/self", "/self/")).body).toEqual({ to: ["This redirect leads back to itself."] });
});
