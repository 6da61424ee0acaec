/** Limits: bodies, depth, attempts; over a real port: headers, slow clients. */
import { describe, expect, it } from "vitest";
import { addUser } from "../../../src/actions/accounts/accounts.ts";
import { h3App } from "../../../src/http/app/h3-app.ts";
import { memorySite, siteOver, type Answer, type MemorySite } from "../../site.ts";
import { served } from "../socket/raw.ts";
import { PASSWORD } from "../routes/accounts/sign-in.ts";

describe("a body", () => {
  it.each<[string, (max: number) => RequestInit["body"]]>([
    ["declared as long", (max) => "x".repeat(max + 1)],
    ["that goes on", (max) => new ReadableStream({ pull: (stream) => stream.enqueue(new Uint8Array(max / 4)) })],
  ])("%s is 413 beyond MAX_BODY", async (_what, body) => {
    const { cms } = await memorySite({}, { API: { MAX_BODY: 4096 } });
    const init = { method: "POST", headers: { "content-type": "application/json" }, body: body(4096), duplex: "half" };
    const answer = await h3App(cms).request("http://test.local/api/cms/token-auth/", init as RequestInit);
    expect([answer.status, await answer.json()]).toEqual([
      413,
      { detail: "The request body is larger than the 4096 bytes allowed." },
    ]);
  });

  const nested = (depth: number): string => `${'{"a":'.repeat(depth - 1)}{}${"}".repeat(depth - 1)}`;

  it.each([
    [63, 201],
    [64, 400],
    [100_000, 400],
  ])("%i levels deep in a field is %i", async (depth, status) => {
    const { ask, repo } = await memorySite();
    const answer = await ask("POST", "api:pages/", {
      as: "staff",
      body: `{"meta":${nested(depth)}}`,
      headers: { "content-type": "application/json" },
    });
    expect(answer.status).toBe(status);
    if (status === 201) expect((await siteOver(repo, repo.root)).cms.store.current.problems).toEqual([]); // accepted data can be loaded again
  });

  it.each([
    ["text/plain", 415],
    ["application/xml", 415],
    ["application/x-www-form-urlencoded", 400], // a form without the fields
    ["text/json", 415],
    ["application/json; charset=utf-8", 201],
    ["APPLICATION/JSON", 201],
    ["application/merge-patch+json", 201],
  ])("of type %s is %i", async (type, status) => {
    const { ask } = await memorySite();
    const path = status === 400 ? "api:token-auth/" : "api:pages/";
    expect(
      (await ask("POST", path, { as: "staff", body: '{"title":"T"}', headers: { "content-type": type } })).status,
    ).toBe(status);
  });

  const urlEncoded = (parts: number): [string, string] => [
    "application/x-www-form-urlencoded",
    Array.from({ length: parts }, (_, n) => `f${n}=1`).join("&"),
  ];
  const multipart =
    (kind: string) =>
    (parts: number): [string, string] => [
      "multipart/form-data; boundary=x",
      `${Array.from({ length: parts }, (_, n) => `--x\r\nContent-Disposition: form-data; name="f${n}"${kind}\r\n\r\n1\r\n`).join("")}--x--\r\n`,
    ];

  it.each<[string, string, (parts: number) => [string, string]]>([
    ["encoded as a URL", "api:tags/", urlEncoded],
    ["of texts", "api:tags/", multipart("")],
    ["of files", "api:tags/", multipart('; filename="a"')],
    ["of texts", "api:media/", multipart("")],
    ["of files", "api:media/", multipart('; filename="a"')],
  ])("as a form %s to %s has at most a thousand parts", async (_what, path, form) => {
    const { ask } = await memorySite();
    for (const [parts, status] of [
      [1000, 400],
      [1001, 413],
      [100_000, 413],
    ] as const) {
      const [type, body] = form(parts);
      expect([
        parts,
        (await ask("POST", path, { as: "superuser", body, headers: { "content-type": type } })).status,
      ]).toEqual([parts, status]);
    }
  });

  const TOO_LONG = ["A value has at most 1048576 bytes of JSON text."];
  const TOO_MANY = ["A value has at most 20000 keys and list items."];
  const keys = (count: number): string => `{${Array.from({ length: count }, (_, n) => `"k${n}":1`).join()}}`;

  it.each<[string, string, string, object]>([
    ["a text of 1 MB", "template_data", `{"a":"${"x".repeat(1024 * 1024)}"}`, { template_data: TOO_LONG }],
    ["9 MB of backslashes", "template_data", `{"a":"${"\\\\".repeat(4.5e6)}"}`, { template_data: TOO_LONG }],
    ["9 MB of surrogates", "meta", `{"a":"${"\\ud83d\\ude00".repeat(750_000)}"}`, { meta: TOO_LONG }],
    ["21,000 keys", "template_data", keys(21_000), { template_data: TOO_MANY }],
    ["600,000 keys", "meta", keys(600_000), { meta: TOO_MANY }],
    ["21,000 items", "meta", `[${"1,".repeat(21_000)}1]`, { meta: TOO_MANY }],
    [
      "21,000 items deep down",
      "translations",
      `{"it":{"template_data":{"a":[${"{},".repeat(21_000)}{}]}}}`,
      { translations: TOO_MANY },
    ],
  ])("with %s in %s is 400 with the field", async (_what, field, value, errors) => {
    const { ask } = await memorySite();
    const answer = await ask("POST", "api:pages/", {
      as: "staff",
      body: `{"title":"T","${field}":${value}}`,
      headers: { "content-type": "application/json" },
    });
    expect([answer.status, answer.body]).toEqual([400, errors]);
  });

  it("of many values within their limits is 400 when they exceed the limit together", async () => {
    const { ask } = await memorySite();
    const body = `{${["meta", "template_data", "x"].map((name) => `"${name}":${keys(19_000)}`).join()}}`;
    const answer = await ask("POST", "api:pages/", {
      as: "staff",
      body,
      headers: { "content-type": "application/json" },
    });
    expect([answer.status, answer.body]).toEqual([
      400,
      { non_field_errors: ["All values together have at most 40000 keys and list items."] },
    ]);
  });

  const deep = (depth: number, value: string): string => `${'{"a":'.repeat(depth)}${value}${"}".repeat(depth)}`;
  const filled = (bytes: number, text: string): string => `{"a":"${text.repeat(bytes / text.length)}"}`;

  it.each<[string, number, string]>([
    ["20,000 keys", 201, keys(20_000)],
    ["20,000 items", 201, `[${"1,".repeat(19_999)}1]`],
    ["20,000 items far down", 400, deep(60, `[${"1,".repeat(19_900)}1]`)],
    ["a text of 1 MB", 201, filled(1_048_000, "x")],
    ["1 MB of lines", 400, filled(1_048_000, "x\\n")],
    ["1 MB of lines far down", 400, deep(50, filled(1_048_000, "x\\n"))],
  ])(
    "with a value as large as it may be is written and read again, or refused: %s (%i)",
    async (_what, status, value) => {
      const { ask, repo, logged } = await memorySite();
      const answer = await ask("POST", "api:pages/", {
        as: "staff",
        body: `{"title":"T","template_data":${value}}`,
        headers: { "content-type": "application/json" },
      });
      expect([answer.status, logged]).toEqual([status, []]);
      if (status === 400)
        expect(answer.body.non_field_errors[0]).toMatch(/^This cannot be stored as a file: .*too large/);
      expect((await siteOver(repo, repo.root)).cms.store.current.problems).toEqual([]);
    },
  );

  it("is limited by the settings", async () => {
    const { ask } = await memorySite({}, { API: { MAX_VALUE: 2000, MAX_KEYS: 100 } });
    const sent = async (body: object): Promise<unknown> =>
      (await ask("POST", "api:tags/", { as: "superuser", body })).body;
    expect(await sent({ name: "x".repeat(2000) })).toEqual({ name: ["A value has at most 2000 bytes of JSON text."] });
    expect(await sent({ name: Array.from({ length: 101 }, () => 1) })).toEqual({
      name: ["A value has at most 100 keys and list items."],
    });
  });
});

describe("failed sign-ins", () => {
  const THROTTLED = { detail: expect.stringMatching(/^Request was throttled\. Expected available in \d+ seconds?\.$/) };

  interface Door {
    readonly site: MemorySite;
    knock(username: string, password: string, from?: string, headers?: Record<string, string>): Promise<Answer>;
    /** @returns the status of the last of `times` wrong ones */
    fail(times: number, username: string, from?: (n: number) => string): Promise<number>;
  }

  async function door(path: string, settings = {}): Promise<Door> {
    const site = await memorySite({}, settings);
    await addUser(site.cms.accounts, { username: "anna", password: PASSWORD });
    const knock: Door["knock"] = (username, password, from = "203.0.113.1", headers = {}) =>
      site.ask("POST", path, { body: { username, password }, from, headers });
    return {
      site,
      knock,
      async fail(times, username, from = () => "203.0.113.1") {
        let status = 0;
        for (let n = 0; n < times; n++) ({ status } = await knock(username, "wrong horse", from(n)));
        return status;
      },
    };
  }

  it.each(["api:token-auth/", "api:auth/login/"])(
    "%s: ten of an account are free, then each doubles the wait",
    async (path) => {
      const { site, knock, fail } = await door(path);
      expect(await fail(10, "anna")).toBe(400);
      const refused = await knock("anna", PASSWORD);
      expect([refused.status, refused.body, refused.headers.get("retry-after")]).toEqual([429, THROTTLED, "1"]);
      site.clock.tick(1000);
      expect(await fail(1, "anna")).toBe(400);
      expect((await knock("anna", PASSWORD)).headers.get("retry-after")).toBe("2");
      site.clock.tick(2000);
      expect((await knock("anna", PASSWORD)).status).toBe(200);
      expect(await fail(9, "anna")).toBe(400); // reset by a successful sign-in
    },
  );

  it.each([
    ["from everywhere", "anna", (n: number) => `198.51.100.${n}`],
    ["in every spelling", "ANNA", (n: number) => `198.51.100.${n}`],
    ["behind spaces", `${" ".repeat(148)}anna`, (n: number) => `198.51.100.${n}`],
    ["of a name nobody bears", "nobody", (n: number) => `198.51.100.${n}`],
  ])("%s count against the account", async (_what, username, from) => {
    const { knock, fail } = await door("api:token-auth/");
    await fail(10, username, from);
    expect((await knock(username.trim().toLowerCase(), PASSWORD, "192.0.2.1")).status).toBe(429);
  });

  it("of many accounts count against the address, and successful ones of another account do not reset it", async () => {
    const { site, knock } = await door("api:token-auth/");
    await addUser(site.cms.accounts, { username: "mallory", password: PASSWORD });
    let last = 0;
    for (let n = 0; n < 20; n++) {
      await knock("mallory", PASSWORD);
      last = (await knock(`user${n}`, "wrong horse")).status;
    }
    expect(last).toBe(400);
    expect((await knock("user99", PASSWORD)).status).toBe(429);
    expect((await knock("user99", PASSWORD, "203.0.113.2")).status).toBe(400);
  });

  it("of others never lock an account out at an address it has signed in from", async () => {
    const { knock, fail } = await door("api:token-auth/");
    expect((await knock("anna", PASSWORD, "192.0.2.1")).status).toBe(200);
    for (let n = 0; n < 40; n++) await knock(`user${n}`, "wrong horse", "192.0.2.1");
    expect((await knock("someone-else", PASSWORD, "192.0.2.1")).status).toBe(429);
    await fail(40, "anna", (n) => `198.51.100.${n}`);
    expect((await knock("anna", PASSWORD, "192.0.2.1")).status).toBe(200);
  });

  it("at such an address count for the account there only, and lock it out there", async () => {
    const { knock, fail } = await door("api:token-auth/");
    await knock("anna", PASSWORD, "192.0.2.1");
    await fail(11, "anna", () => "192.0.2.1");
    expect((await knock("anna", PASSWORD, "192.0.2.1")).status).toBe(429);
    expect((await knock("anna", PASSWORD, "192.0.2.2")).status).toBe(200);
    for (let n = 0; n < 20; n++) expect((await knock(`user${n}`, "wrong horse", "192.0.2.1")).status).toBe(400);
  });

  it("of a network count together, an IPv6 one by its 64 bits", async () => {
    const { knock } = await door("api:token-auth/");
    for (let n = 0; n < 20; n++) await knock(`user${n}`, "wrong horse", `2001:db8:1:2::${n}`);
    expect((await knock("anna", PASSWORD, "2001:db8:1:2:ffff::1")).status).toBe(429);
    expect((await knock("anna", PASSWORD, "2001:db8:1:3::1")).status).toBe(200);
  });

  it.each([
    [{}, 429],
    [{ TRUSTED_PROXIES: ["203.0.113.1"] }, 400], // then each is a different client
  ])("%j: a client cannot name its own address: %i", async (settings, status) => {
    const { knock } = await door("api:token-auth/", settings);
    let last = 0;
    for (let n = 0; n < 21; n++)
      last = (
        await knock(`user${n}`, "wrong horse", "203.0.113.1", {
          "x-forwarded-for": `198.51.100.${n}`,
          forwarded: `for=198.51.100.${n}`,
        })
      ).status;
    expect(last).toBe(status);
  });

  it("come from one client, whatever port or form of its address a proxy names", async () => {
    const { knock } = await door("api:token-auth/", { TRUSTED_PROXIES: ["203.0.113.1"] });
    const forms = (n: number) => [
      "198.51.100.7",
      `198.51.100.7:${4000 + n}`,
      `198.51.100.7:${5000 + n}, 203.0.113.1:80`,
    ];
    for (let n = 0; n < 20; n++)
      await knock(`user${n}`, "wrong horse", "203.0.113.1", { "x-forwarded-for": forms(n)[n % 3]! });
    const last = { "x-forwarded-for": "198.51.100.7:6000" };
    expect((await knock("user99", "wrong horse", "203.0.113.1", last)).status).toBe(429);
    for (let n = 0; n < 20; n++)
      await knock(`user${n}`, "wrong horse", "203.0.113.1", { "x-forwarded-for": `[2001:db8::7]:${n + 1}` });
    const same = { "x-forwarded-for": "2001:db8::8" };
    expect((await knock("user99", "wrong horse", "203.0.113.1", same)).status).toBe(429);
  });

  it("from elsewhere do not lock out an account that has signed in at its address", async () => {
    const { knock, fail } = await door("api:token-auth/");
    expect((await knock("anna", PASSWORD, "192.0.2.1")).status).toBe(200);
    await fail(200, "anna", (n) => `198.51.100.${n}`);
    expect((await knock("anna", PASSWORD, "192.0.2.1")).status).toBe(200);
    expect((await knock("anna", PASSWORD, "192.0.2.2")).status).toBe(429);
  });

  it("in parallel gain nothing", async () => {
    const { knock } = await door("api:token-auth/");
    const all = await Promise.all(Array.from({ length: 40 }, () => knock("anna", "wrong horse")));
    expect(all.filter(({ status }) => status === 400).length).toBeLessThanOrEqual(10);
    expect(all.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(30);
  });

  it("are forgotten after an hour, and take bounded memory", async () => {
    const { site, knock, fail } = await door("api:token-auth/");
    await fail(10, "anna");
    site.clock.tick(3_600_000);
    expect(await fail(10, "anna")).toBe(400);
    const { attempts } = site.cms.accounts;
    for (let n = 0; n < 50_000; n++) attempts.begin(`x${n}`, `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`, 0);
    expect((await knock("anna", PASSWORD)).status).toBe(200); // its count was evicted
  });
});

describe("over a port", () => {
  it.each([
    ["a header", (n: number) => `GET / HTTP/1.1\r\nHost: a\r\nX: ${"x".repeat(n)}\r\nConnection: close\r\n\r\n`],
    [
      "a cookie",
      (n: number) => `GET / HTTP/1.1\r\nHost: a\r\nCookie: sessionid=${"x".repeat(n)}\r\nConnection: close\r\n\r\n`,
    ],
    ["an address", (n: number) => `GET /?${"x".repeat(n)} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`],
  ])("%s beyond 16 KiB is 431", async (_what, request) => {
    const { say } = await served((await memorySite()).cms);
    expect(await say(request(17_000))).toMatch(/^HTTP\/1\.1 431 /);
    expect(await say(request(10_000))).toMatch(/^HTTP\/1\.1 404 /);
  });
});
