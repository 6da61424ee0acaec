/** Prototype pollution: `__proto__`, `constructor` and `prototype` are ordinary names in every kind of input. */
import { afterEach, describe, expect, it } from "vitest";
import { memorySite } from "../site.ts";

const POLLUTING = [
  '{"__proto__":{"polluted":1}}',
  '{"constructor":{"prototype":{"polluted":1}}}',
  '{"title":"T","meta":{"__proto__":{"polluted":1}}}',
  '{"title":"T","meta":{"a":{"constructor":{"prototype":{"polluted":1}}}}}',
  '{"title":"T","template_data":{"__proto__":{"polluted":1},"prototype":{"polluted":1}}}',
  '{"title":"T","template_data":[{"__proto__":{"polluted":1}}]}',
  '{"translations":{"__proto__":{"title":"T","polluted":1}}}',
  '{"translations":{"en":{"__proto__":{"polluted":1},"title":"T"}}}',
  '{"title___proto__":"T","__proto___en":"T","constructor_en":{"prototype":{"polluted":1}}}',
  '{"__proto__.polluted":1,"constructor.prototype.polluted":1,"meta.__proto__.polluted":1}',
  '{"identifier":"__proto__","title":"__proto__","template":"__proto__"}',
  '{"parent_page":{"__proto__":{"id":1}},"og_image":{"constructor":1}}',
];

afterEach(() => {
  for (const name of ["polluted", "title", "id", "is_superuser"]) expect(name in {}).toBe(false);
  expect(Object.keys(Object.prototype)).toEqual([]);
});

describe("JSON", () => {
  it.each(POLLUTING)("%s", async (body) => {
    const site = await memorySite();
    const { id } = await site.page({ title: "T" });
    const headers = { "content-type": "application/json" };
    const writes = [
      ["POST", "pages/"],
      ["PATCH", `pages/${id}/`],
      ["PUT", `pages/${id}/`],
      ["PATCH", `pages/${id}/draft/`],
      ["POST", `pages/${id}/publish/`],
      ["POST", `pages/${id}/schedule/`],
      ["POST", "pages/update_order/"],
      ["POST", "pages/bulk_delete/"],
      ["POST", "menus/"],
      ["POST", "contents/"],
      ["POST", "tags/"],
      ["POST", "articles/"],
      ["POST", "meta-types/"],
      ["POST", "meta-instances/"],
      ["POST", "users/"],
      ["PUT", "users/current/"],
      ["POST", "token-auth/"],
      ["POST", "auth/login/"],
    ];
    for (const [method, path] of writes) {
      const { status } = await site.ask(method!, `api:${path}`, { as: "superuser", body, headers });
      expect([path, status < 500]).toEqual([path, true]);
      expect("polluted" in {}).toBe(false);
    }
    expect((await site.ask("GET", "api:pages/", { as: "superuser" })).status).toBe(200);
    expect((await site.ask("GET", "api:users/current/", { as: "reader" })).body.is_superuser).toBe(false);
  });

  it("a key __proto__ in free data is kept as data", async () => {
    const site = await memorySite();
    const headers = { "content-type": "application/json" };
    const { body, status } = await site.ask("POST", "api:pages/", {
      as: "staff",
      body: '{"meta":{"__proto__":{"a":1},"constructor":2}}',
      headers,
    });
    expect(status).toBe(201);
    expect(Object.entries(body.meta)).toEqual([
      ["__proto__", { a: 1 }],
      ["constructor", 2],
    ]);
    expect(Object.entries((await site.api("GET", `pages/${body.id}/`)).meta)).toEqual([
      ["__proto__", { a: 1 }],
      ["constructor", 2],
    ]);
  });
});

describe("forms, queries, cookies, headers", () => {
  it.each([
    "__proto__[polluted]=1",
    "__proto__.polluted=1",
    "constructor[prototype][polluted]=1",
    "__proto__=polluted",
    "title=T&__proto__[title]=1",
  ])("%s", async (text) => {
    const site = await memorySite();
    const name = text.split("=")[0]!;
    const multipart = `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n1\r\n--x--\r\n`;
    const answers = [
      await site.ask("POST", "api:pages/", {
        as: "staff",
        body: text,
        headers: { "content-type": "application/x-www-form-urlencoded" },
      }),
      await site.ask("POST", "api:pages/", {
        as: "staff",
        body: multipart,
        headers: { "content-type": "multipart/form-data; boundary=x" },
      }),
      await site.ask("GET", `api:pages/?${text}`, { as: "staff" }),
      await site.ask(
        "GET",
        `api:pages/?fltr=${encodeURIComponent("__proto__=1")}&sort=__proto__&fields=__proto__,constructor`,
        { as: "staff" },
      ),
      await site.ask("GET", "api:languages/?language=__proto__&language_code=constructor", {
        headers: { cookie: `${text}; django_language=__proto__`, "accept-language": "__proto__, constructor;q=0.9" },
      }),
      await site.ask("GET", "api:pages-router/?included_translations=__proto__,constructor"),
    ];
    for (const { status } of answers) expect(status).toBeLessThan(500);
  });

  it.each(["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "valueOf"])(
    "/%s is not found",
    async (name) => {
      const { ask } = await memorySite();
      for (const path of [
        `/${name}/`,
        `api:${name}/`,
        `api:pages/${name}/`,
        `api:menus/${name}/`,
        `api:menus-router/${name}`,
        `api:pages-router/${name}/`,
        `api:users/${name}/`,
        `/media/${name}/`,
      ]) {
        expect([path, (await ask("GET", path, { as: "superuser" })).status]).toEqual([path, 404]);
      }
    },
  );
});

describe("files", () => {
  it.each([
    "title: T\n__proto__:\n  polluted: 1\n",
    "title: T\nconstructor:\n  prototype:\n    polluted: 1\n",
    "title: T\nmeta:\n  __proto__:\n    polluted: 1\n",
    "__proto__: &a\n  polluted: 1\n<<: *a\ntitle: T\n",
    '---\n{"__proto__": {"polluted": 1}}\n---\nText\n',
  ])("%j", async (text) => {
    const site = await memorySite({ [`content/pages/a.${text.startsWith("---") ? "md" : "yaml"}`]: text });
    expect((await site.ask("GET", "api:pages/", { as: "staff" })).status).toBe(200);
  });
});
