/** States and transitions of pages, and the actions of their lifecycle, each row tested through the API. */
import { describe, expect, it } from "vitest";
import { memorySite, START, type MemorySite } from "../../site.ts";

const PAST = "2026-02-01T00:00:00Z";
const NOW = START.replace(".000Z", "Z");
const FUTURE = "2026-04-01T00:00:00Z";
const LATER = "2026-05-01T00:00:00Z";

interface Subject extends MemorySite {
  readonly id: number;
  /** A lifecycle action in a language, as staff. */
  // oxlint-disable-next-line typescript/no-explicit-any
  act(action: string, body?: unknown, lang?: string): Promise<any>;
  /** The title the public router answers, or its status. */
  live(lang?: string): Promise<string | number>;
}

type State = "DRF" | "PUB" | "PLA" | "TRS";

/** One page "Old" / "Vecchio" with a manual permalink, in the given state of its English text. */
async function pageIn(state: State, draft?: object, settings = {}): Promise<Subject> {
  const site = await memorySite({}, settings);
  const { id } = await site.page({
    title_en: "Old",
    autopermalink_en: false,
    permalink_en: "/page",
    title_it: "Vecchio",
    autopermalink_it: false,
    permalink_it: "/pagina",
    published_at_en: { DRF: null, PUB: PAST, PLA: FUTURE, TRS: PAST }[state],
  });
  const act: Subject["act"] = (action, body, lang = "en") =>
    site.api(action === "draft" ? "PATCH" : "POST", `pages/${id}/${action}/?language=${lang}`, body);
  if (draft) await act("draft", draft);
  if (state === "TRS") await act("trash");
  return {
    ...site,
    id,
    act,
    async live(lang = "en") {
      const answer = await site.ask("GET", `api:pages-router/${lang === "en" ? "page/" : "it/pagina/"}`);
      return answer.status === 200 ? answer.body.title : answer.status;
    },
  };
}

describe("page transitions", () => {
  it("creation: DRF, not served publicly", async () => {
    const { api, id, live } = await pageIn("DRF");
    expect(await api("GET", `pages/${id}/`)).toMatchObject({ status: "DRF", is_public: false });
    expect(await live()).toBe(404);
  });

  // oxfmt-ignore
  it.each<[State, string, object | undefined, State, string | null, string | number]>([
    // from  action      body                        next   published_at  live
    ["DRF",  "publish",  undefined,                  "PUB", NOW,          "Old"],
    ["PLA",  "publish",  undefined,                  "PUB", NOW,          "Old"],
    ["PUB",  "publish",  undefined,                  "PUB", PAST,         "Old"], // keeps the first timestamp
    ["TRS",  "publish",  undefined,                  "TRS", PAST,         404],
    ["DRF",  "schedule", { publish_at: FUTURE },     "PLA", FUTURE,       404],
    ["DRF",  "schedule", { publish_at: PAST },       "PUB", PAST,         "Old"],
    ["PLA",  "schedule", { publish_at: LATER },      "PLA", LATER,        404], // scheduled again
    ["PLA",  "schedule", { publish_at: PAST },       "PUB", PAST,         "Old"],
    ["PUB",  "schedule", { publish_at: FUTURE },     "PUB", PAST,         "Old"], // no draft: nothing happens
    ["TRS",  "schedule", { publish_at: FUTURE },     "TRS", PAST,         404],
    ["PUB",  "trash",    undefined,                  "TRS", PAST,         404],
    ["DRF",  "trash",    undefined,                  "TRS", null,         404],
    ["PLA",  "trash",    undefined,                  "TRS", FUTURE,       404],
    ["TRS",  "trash",    undefined,                  "TRS", PAST,         404],
    ["TRS",  "restore",  undefined,                  "PUB", PAST,         "Old"],
    ["PUB",  "restore",  undefined,                  "PUB", PAST,         "Old"],
    ["DRF",  "restore",  undefined,                  "DRF", null,         404],
    ["PLA",  "restore",  undefined,                  "PLA", FUTURE,       404],
  ])("%s, %s %j: %s", async (from, action, body, next, published_at, served) => {
    const { act, api, id, live } = await pageIn(from);
    const answer = await act(action, body);
    expect(answer).toMatchObject({ id, status: next, is_public: next === "PUB", published_at, pubblication_date: published_at });
    expect(await api("GET", `pages/${id}/`)).toEqual(answer);
    expect(answer.translations.it.published_at).toBeNull();
    expect(await live()).toBe(served);
    expect(await live("it")).toBe(404);
  });

  // oxfmt-ignore
  it.each<[string, State]>([
    [PAST,   "PUB"],
    [FUTURE, "PLA"],
  ])("restored with published_at %s: %s", async (published_at_en, status) => {
    const { act, api, id } = await pageIn("DRF");
    await api("PATCH", `pages/${id}/`, { published_at_en });
    await act("trash");
    expect(await act("restore")).toMatchObject({ status, deleted_at: null });
  });

  it("PLA becomes PUB by time, without a write", async () => {
    const { clock, live, repo, api, id } = await pageIn("PLA");
    const { head } = await repo.state();
    clock.set("2026-03-31T23:59:59.999Z");
    expect(await live()).toBe(404);
    clock.set(FUTURE);
    expect(await live()).toBe("Old");
    expect(await api("GET", `pages/${id}/`)).toMatchObject({ status: "PUB", published_at: FUTURE });
    expect((await repo.state()).head).toBe(head);
  });

  it("trash sets deleted_at, hides every language, and keeps the other timestamps", async () => {
    const { act, live, clock } = await pageIn("PUB");
    await act("publish", undefined, "it");
    expect([await live(), await live("it")]).toEqual(["Old", "Vecchio"]);
    clock.tick(1000);
    expect(await act("trash")).toMatchObject({ deleted_at: "2026-03-01T12:00:01Z", published_at: PAST });
    expect([await live(), await live("it")]).toEqual([404, 404]);
    clock.tick(1000);
    expect(await act("trash")).toMatchObject({ deleted_at: "2026-03-01T12:00:01Z" });
    expect(await act("restore")).toMatchObject({ deleted_at: null, status: "PUB" });
    expect([await live(), await live("it")]).toEqual(["Old", "Vecchio"]);
  });

  it.each([{ published_at_en: null }, { translations: { en: { published_at: null } } }, { published_at: null }])(
    "clearing one language's stamp makes that language DRF: %j",
    async (body) => {
      const { act, api, id, live } = await pageIn("PUB");
      await act("publish", undefined, "it");
      expect(await api("PATCH", `pages/${id}/`, body)).toMatchObject({
        status: "DRF",
        alternates: { it: "/it/pagina/" },
      });
      expect([await live(), await live("it")]).toEqual([404, "Vecchio"]);
    },
  );

  it("publishing one language does not change the other", async () => {
    const { act } = await pageIn("DRF");
    const { translations } = await act("publish", undefined, "it");
    expect([translations.en.published_at, translations.it.published_at]).toEqual([null, NOW]);
  });
});

describe("draft record", () => {
  const draft = (method: string, { api, id }: Subject, body: unknown, lang = "en") =>
    api(method, `pages/${id}/draft/?language=${lang}`, body);

  it.each(["PATCH", "PUT"])("absent, saved by %s: pending, the live page unchanged", async (method) => {
    const subject = await pageIn("PUB");
    const before = await subject.api("GET", `pages/${subject.id}/`);
    const saved = await draft(method, subject, { title: "New" });
    expect(saved).toEqual({ ...before, has_draft: true, draft_data: { title: "New" } });
    expect(await subject.live()).toBe("Old");
  });

  // oxfmt-ignore
  it.each<[string, object, object, object]>([
    ["PATCH", { title: "A", meta: { a: 1 } },              { meta: { b: 2 } },                    { title: "A", meta: { b: 2 } }],
    ["PATCH", { translations: { en: { title: "A" } } },    { translations: { it: { title: "B" } } }, { translations: { it: { title: "B" } } }],
    ["PATCH", { title: "A" },                              {},                                    { title: "A" }],
    ["PUT",   { title: "A", meta: { a: 1 } },              { meta: { b: 2 } },                    { meta: { b: 2 } }],
  ])("pending, %s: the payload is as expected", async (method, first, second, payload) => {
    const subject = await pageIn("PUB", first);
    await subject.act("schedule", { publish_at: FUTURE });
    expect(await draft(method, subject, second)).toMatchObject({ draft_data: payload, has_draft: true, draft_scheduled_for: FUTURE });
  });

  it.each(["PATCH", "PUT"])("absent, %s with {}: absent, and no commit", async (method) => {
    const subject = await pageIn("PUB");
    const { commit } = subject.cms.store.current;
    expect(await draft(method, subject, {})).toMatchObject({
      draft_data: {},
      has_draft: false,
      has_scheduled_draft: false,
    });
    expect(subject.cms.store.current.commit).toBe(commit);
  });

  it("pending, PUT with {}: absent, without schedule", async () => {
    const subject = await pageIn("PUB", { title: "A" });
    await subject.act("schedule", { publish_at: FUTURE });
    expect(await draft("PUT", subject, {})).toMatchObject({
      draft_data: {},
      has_draft: false,
      draft_scheduled_for: null,
    });
    expect(subject.repo.text("content/pages/old.draft.en.yaml")).toBeUndefined();
  });

  it("with an empty payload in its file: absent", async () => {
    const subject = await pageIn("PUB");
    const file = "content/pages/old.draft.en.yaml";
    subject.repo.write(file, "scheduled_for: 2026-01-01T00:00:00Z\npayload: {}\n");
    subject.repo.commitByHand("An empty draft");
    await subject.cms.store.refresh();
    expect(await subject.api("GET", `pages/${subject.id}/`)).toMatchObject({
      draft_data: {},
      has_draft: false,
      has_scheduled_draft: false,
    });
    expect(await subject.act("publish")).toMatchObject({ status: "PUB", title: "Old" });
    expect(await draft("PUT", subject, { title: "A" })).toMatchObject({
      draft_data: { title: "A" },
      has_draft: true,
      draft_scheduled_for: null,
    });
  });

  it.each<[object, object]>([
    [{ title: 7, ordering: "many" }, { ordering: [expect.any(String)] }],
    [{ title: "x".repeat(201) }, { title_en: ["Ensure this field has no more than 200 characters."] }],
    [{ titel: "x" }, { titel: ["Unknown field. Did you mean `title`?"] }],
    [{ autopermalink: false, permalink: "/taken" }, { permalink_en: [expect.any(String)] }],
    [{ parent_page: 404404 }, { parent_page: ['Invalid pk "404404" - object does not exist.'] }],
    [{ published_at: "soon" }, { published_at_en: [expect.any(String)] }],
  ])("%j is refused when it is saved", async (payload, errors) => {
    const subject = await pageIn("PUB");
    await subject.api("POST", "pages/", { title: "Taken" });
    for (const method of ["PATCH", "PUT"]) {
      const answer = await subject.ask(method, `api:pages/${subject.id}/draft/`, { as: "staff", body: payload });
      expect([method, answer.status, answer.body]).toEqual([method, 400, errors]);
    }
  });

  it("is validated again when it is applied", async () => {
    const subject = await pageIn("PUB", { autopermalink: false, permalink: "/free" });
    await subject.api("POST", "pages/", { title: "Free" });
    const answer = await subject.ask("POST", `api:pages/${subject.id}/publish/`, { as: "staff" });
    expect([answer.status, answer.body]).toEqual([400, { permalink_en: [expect.any(String)] }]);
    expect(await subject.api("GET", `pages/${subject.id}/`)).toMatchObject({ has_draft: true, title: "Old" });
  });

  it("pending, scheduled on a public language: pending with scheduled_for", async () => {
    const { act, live } = await pageIn("PUB", { title: "New" });
    expect(await act("schedule", { publish_at: FUTURE })).toMatchObject({
      status: "PUB",
      has_draft: true,
      has_scheduled_draft: true,
      draft_scheduled_for: FUTURE,
      title: "Old",
      published_at: PAST,
    });
    expect(await live()).toBe("Old");
  });

  it("pending, discarded: absent; discarding again changes nothing", async () => {
    const { act, repo } = await pageIn("PUB", { title: "New" });
    expect(await act("discard-draft")).toMatchObject({ has_draft: false, draft_data: {}, title: "Old" });
    const { head } = await repo.state();
    expect(await act("discard-draft")).toMatchObject({ has_draft: false });
    expect((await repo.state()).head).toBe(head);
    expect(repo.text("content/pages/old.draft.en.yaml")).toBeUndefined();
  });

  it.each<[State, State]>([
    ["DRF", "PUB"],
    ["PLA", "PUB"],
    ["PUB", "PUB"],
    ["TRS", "TRS"],
  ])("pending, published from %s: applied and removed, %s", async (state, next) => {
    const { act } = await pageIn(state, { title: "New" });
    expect(await act("publish")).toMatchObject({ status: next, title: "New", has_draft: false, draft_data: {} });
  });

  it("is one per language", async () => {
    const subject = await pageIn("PUB");
    await draft("PATCH", subject, { title: "New" }, "en");
    await draft("PATCH", subject, { title: "Nuovo" }, "it");
    const drafted = async (lang: string) =>
      (await subject.api("GET", `pages/${subject.id}/?language=${lang}`)).draft_data;
    expect([await drafted("en"), await drafted("it")]).toEqual([{ title: "New" }, { title: "Nuovo" }]);
    await subject.act("discard-draft", undefined, "it");
    expect([await drafted("en"), await drafted("it")]).toEqual([{ title: "New" }, {}]);
  });

  it("of several languages is stored whole in the active language's draft", async () => {
    const subject = await pageIn("PUB");
    const body = { translations: { en: { title: "New" }, it: { title: "Nuovo" } }, ordering: 5 };
    expect((await draft("PUT", subject, body, "it")).draft_data).toEqual(body);
    expect((await subject.api("GET", `pages/${subject.id}/?language=en`)).has_draft).toBe(false);
  });

  it.each(["[1]", '"x"', "null"])("%s is not a valid draft", async (body) => {
    const { ask, id } = await pageIn("PUB");
    const answer = await ask("PATCH", `api:pages/${id}/draft/`, {
      as: "staff",
      body,
      headers: { "content-type": "application/json" },
    });
    expect([answer.status, answer.body]).toEqual([
      400,
      { non_field_errors: [expect.stringContaining("Expected a dictionary")] },
    ]);
  });

  it("never changes status, public payload or manifest", async () => {
    const subject = await pageIn("PUB");
    const everything = async () => [
      (await subject.ask("GET", "api:pages-router/page/")).text,
      (await subject.api("GET", "pages-router/changes")).urls,
      (await subject.api("GET", `pages/${subject.id}/`)).status,
    ];
    const before = await everything();
    await draft("PUT", subject, { title: "New", published_at: null });
    await subject.act("schedule", { publish_at: FUTURE });
    expect(await everything()).toEqual(before);
  });
});

describe("publishing", () => {
  it("applies the draft as a PATCH: every language it names, global fields, JSON merged", async () => {
    const { act, api, id } = await pageIn("PUB");
    await api("PATCH", `pages/${id}/`, { meta: { a: 1, b: 1 }, template_data_it: { x: 1 } });
    await act("draft", {
      title: "New",
      translations: { it: { title: "Nuovo", template_data: { y: 2 } } },
      meta: { b: 2 },
      ordering: 9,
    });
    const page = await act("publish");
    expect(page).toMatchObject({ title: "New", meta: { a: 1, b: 2 }, ordering: 9, published_at: PAST });
    expect(page.translations.it).toMatchObject({ title: "Nuovo", template_data: { x: 1, y: 2 }, published_at: null });
  });

  it("renames with a redirect when the permalink follows the title", async () => {
    const site = await memorySite();
    const { id } = await site.page({ title: "Old" }, ["en"]);
    await site.api("PATCH", `pages/${id}/draft/`, { title: "New" });
    expect(await site.api("POST", `pages/${id}/publish/`)).toMatchObject({ permalink: "/new" });
    expect((await site.ask("GET", "api:pages-router/old/")).body).toEqual({ redirect: "/new/", status: 301 });
  });

  it("a draft with a future schedule goes live at once, and its schedule is removed", async () => {
    const { act, live, clock } = await pageIn("PUB", { title: "New" });
    await act("schedule", { publish_at: FUTURE });
    expect(await act("publish")).toMatchObject({ title: "New", has_draft: false, draft_scheduled_for: null });
    clock.set(LATER);
    expect(await live()).toBe("New");
  });

  it("a draft that is no longer valid is 400; page and draft are unchanged", async () => {
    const { act, api, ask, id, page, repo } = await pageIn("PUB", {
      autopermalink: false,
      permalink: "/wanted",
      title: "New",
    });
    await page({ title: "Rival", autopermalink: false, permalink: "/wanted" });
    const before = await api("GET", `pages/${id}/`);
    const { head } = await repo.state();
    const answer = await ask("POST", `api:pages/${id}/publish/`, { as: "staff" });
    expect([answer.status, answer.body]).toEqual([
      400,
      { permalink_en: ["There is an other page with same permalink."] },
    ]);
    expect(await api("GET", `pages/${id}/`)).toEqual(before);
    expect(before.draft_data).toMatchObject({ title: "New" });
    expect((await repo.state()).head).toBe(head);
    expect(await act("discard-draft")).toMatchObject({ title: "Old" });
  });

  // oxfmt-ignore
  it.each<[string, string | undefined, string]>([
    ["JSON",          '{"comment": "Spring sale"}', "Spring sale"],
    ["no text",       '{"comment": 7}',             "7"],
    ["two lines",     '{"comment": "a\\nb"}',       "a\nb"],
  ])("the comment is stored in the commit: %s", async (_case, body, comment) => {
    const { ask, id, repo } = await pageIn("DRF");
    await ask("POST", `api:pages/${id}/publish/`, { as: "staff", body, headers: { "content-type": "application/json" } });
    const messages: string[] = [];
    for await (const { message } of repo.log((await repo.state()).head!, null, [""])) messages.push(message);
    expect(messages[0]).toContain(`\n\n${comment}\n\nCms-Action: publish`);
  });

  it.each(["", "[1]", "null", "{}", '{"comment": null}'])("no comment in %j is no error", async (body) => {
    const { ask, id } = await pageIn("DRF");
    const answer = await ask("POST", `api:pages/${id}/publish/`, {
      as: "staff",
      body,
      headers: { "content-type": "application/json" },
    });
    expect([answer.status, answer.body.status]).toEqual([200, "PUB"]);
  });
});

describe("scheduling", () => {
  // oxfmt-ignore
  it.each<[string, State, State, string, object]>([
    ["never public: its draft stays pending", "DRF", "PLA", FUTURE, { published_at: FUTURE, draft_scheduled_for: null, has_draft: true }],
    ["planned: both move",                    "PLA", "PLA", LATER,  { published_at: LATER, draft_scheduled_for: LATER }],
    ["public: the draft is scheduled",        "PUB", "PUB", FUTURE, { published_at: PAST, draft_scheduled_for: FUTURE }],
    ["public, for the past: due at once",     "PUB", "PUB", PAST,   { published_at: PAST, draft_scheduled_for: PAST, title: "Old" }],
    ["in the trash: it stays there",          "TRS", "TRS", FUTURE, { published_at: PAST, draft_scheduled_for: FUTURE }],
  ])("with a draft, %s", async (_case, from, status, publish_at, expected) => {
    const { act } = await pageIn(from, { title: "New" });
    expect(await act("schedule", { publish_at })).toMatchObject({ status, title: "Old", draft_data: { title: "New" }, ...expected });
  });

  it("public without a draft: 200, unchanged, a warning in the log and in the answer", async () => {
    const { ask, api, id, logged, repo } = await pageIn("PUB");
    const before = await api("GET", `pages/${id}/`);
    const { head } = await repo.state();
    const answer = await ask("POST", `api:pages/${id}/schedule/`, { as: "staff", body: { publish_at: FUTURE } });
    expect([answer.status, answer.body]).toEqual([200, before]);
    expect(answer.headers.get("warning")).toMatch(/^299 - ".*no draft.*"$/);
    expect(logged).toContainEqual(expect.stringContaining("no draft"));
    expect((await repo.state()).head).toBe(head);
  });

  it("a planned page with a draft shows the draft from that time on", async () => {
    const { act, clock, live } = await pageIn("PLA", { title: "New" });
    await act("schedule", { publish_at: LATER });
    clock.set(FUTURE);
    expect(await live()).toBe(404);
    clock.set(LATER);
    expect(await live()).toBe("New");
  });

  // oxfmt-ignore
  it.each<[string, unknown, string]>([
    ["nothing sent",        {},                                              "This field is required."],
    ["an empty text",       { publish_at: "" },                              "This field is required."],
    ["words",               { publish_at: "tomorrow" },                      "Invalid datetime."],
    ["a bare date",         { publish_at: "2999-01-01" },                    "Invalid datetime."],
    ["no zone",             { publish_at: "2999-01-01T00:00:00" },           "Invalid datetime."],
    ["parts out of range",  { publish_at: "2999-13-45T00:00:00Z" },          "Invalid datetime."],
    ["no such day",         { publish_at: "2027-02-29T00:00:00Z" },          "Invalid datetime."],
    ["a number",            { publish_at: 1893456000 },                      "Invalid datetime."],
    ["a list",              { publish_at: ["2999-01-01T00:00:00Z"] },        "Invalid datetime."],
    ["an object",           { publish_at: {} },                              "Invalid datetime."],
    ["a boolean",           { publish_at: true },                            "Invalid datetime."],
  ])("%s: 400 with a string, not a list", async (_case, body, message) => {
    const { ask, id, repo } = await pageIn("DRF");
    const { head } = await repo.state();
    const answer = await ask("POST", `api:pages/${id}/schedule/`, { as: "staff", body });
    expect([answer.status, answer.body]).toEqual([400, { publish_at: message }]);
    expect((await repo.state()).head).toBe(head);
  });

  // oxfmt-ignore
  it.each([
    ["2026-04-01T02:00:00+02:00", FUTURE],
    ["2026-04-01 00:00Z",         FUTURE],
    ["2026-04-01T00:00:00.250Z",  "2026-04-01T00:00:00.250Z"],
  ])("%s is stored in UTC", async (publish_at, published_at) => {
    const { act } = await pageIn("DRF");
    expect(await act("schedule", { publish_at })).toMatchObject({ published_at });
  });

  it("accepts a form", async () => {
    const { ask, id } = await pageIn("DRF");
    const answer = await ask("POST", `api:pages/${id}/schedule/`, {
      as: "staff",
      body: `publish_at=${FUTURE}`,
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });
    expect([answer.status, answer.body.status]).toEqual([200, "PLA"]);
  });

  it("with_draft: false and its absence leave the draft of a language that was never public pending", async () => {
    for (const extra of [{}, { with_draft: false }]) {
      const { act } = await pageIn("DRF", { title: "New" });
      const scheduled = await act("schedule", { publish_at: FUTURE, ...extra });
      expect(scheduled).toMatchObject({ status: "PLA", draft_scheduled_for: null });
    }
    const { act } = await pageIn("DRF", { title: "New" });
    const scheduled = await act("schedule", { publish_at: FUTURE, with_draft: true });
    expect(scheduled).toMatchObject({ status: "PLA", published_at: FUTURE, draft_scheduled_for: FUTURE });
    const { ask, id } = await pageIn("DRF");
    const body = { publish_at: FUTURE, with_draft: "yes" };
    const refused = await ask("POST", `api:pages/${id}/schedule/`, { as: "staff", body });
    expect([refused.status, refused.body]).toEqual([400, { with_draft: ["Must be true or false."] }]);
  });

  it("schedules the active language only", async () => {
    const { act } = await pageIn("PUB", { title: "New" });
    expect(await act("schedule", { publish_at: FUTURE }, "it")).toMatchObject({ status: "PLA", language: "it" });
    expect(await act("restore")).toMatchObject({ status: "PUB", published_at: PAST, draft_scheduled_for: null });
  });
});

describe("permissions", () => {
  // oxfmt-ignore
  const actions: [string, string, unknown?][] = [
    ["PATCH", "draft", { title: "D" }],
    ["PUT",   "draft", { title: "D" }],
    ["POST",  "discard-draft"],
    ["POST",  "publish"],
    ["POST",  "schedule", { publish_at: FUTURE }],
    ["POST",  "trash"],
    ["POST",  "restore"],
    ["GET",   "preview"],
  ];
  it.each(actions)("%s %s: anonymous 401, reader 403, staff and superuser 200", async (method, action, body) => {
    const { ask, id, repo } = await pageIn("PUB");
    const { head } = await repo.state();
    const path = `api:pages/${id}/${action}/`;
    const anonymous = await ask(method, path, { body });
    expect([anonymous.status, anonymous.body]).toEqual([
      401,
      { detail: "Authentication credentials were not provided." },
    ]);
    expect(anonymous.headers.get("www-authenticate")).toBe("Session");
    const reader = await ask(method, path, { body, as: "reader" });
    expect([reader.status, reader.body]).toEqual([
      403,
      { detail: "You do not have permission to perform this action." },
    ]);
    expect((await repo.state()).head).toBe(head);
    expect((await ask(method, path, { body, as: "staff" })).status).toBe(200);
    expect((await ask(method, path, { body, as: "superuser" })).status).toBe(200);
  });

  // oxfmt-ignore
  it.each<[string, string, number, number, number]>([
    // method  path                         anonymous  reader  staff
    ["GET",    "pages/",                    401,       200,    200],
    ["POST",   "pages/",                    401,       403,    201],
    ["GET",    "pages/ID/",                 401,       200,    200],
    ["PATCH",  "pages/ID/",                 401,       403,    200],
    ["PUT",    "pages/ID/",                 401,       403,    200],
    ["GET",    "pages/ID/render/",          401,       403,    404], // the site has no templates
    ["GET",    "pages/999/preview/",        401,       403,    404],
    ["POST",   "pages/999/publish/",        401,       403,    404],
    ["GET",    "pages/ID/publish/",         401,       403,    405],
    ["DELETE", "pages/ID/publish/",         401,       403,    405],
    ["PUT",    "pages/",                    401,       405,    405],
    ["POST",   "pages-router/publish-due",  401,       403,    200],
    ["GET",    "pages-router/publish-due",  401,       403,    405],
    ["PUT",    "pages-router/publish-due",  401,       403,    405],
    ["GET",    "pages-router-preview/page/", 401,      200,    200],
    ["GET",    "pages-router-preview/none/", 401,      404,    404],
    ["POST",   "pages-router-preview/page/", 401,      405,    405],
    ["GET",    "pages-router/changes",      200,       200,    200],
    ["POST",   "pages-router/changes",      405,       405,    405],
    ["GET",    "pages-router/page/",        200,       200,    200],
    ["POST",   "pages-router/page/",        405,       405,    405],
    ["DELETE", "pages/ID/",                 401,       403,    204],
  ])("%s %s: %i, %i, %i", async (method, path, anonymous, reader, staff) => {
    const { ask, id } = await pageIn("PUB");
    const got: number[] = [];
    for (const as of [null, "reader", "staff"] as const) got.push((await ask(method, `api:${path.replace("ID", String(id))}`, { as })).status);
    expect(got).toEqual([anonymous, reader, staff]);
  });

  // oxfmt-ignore
  it.each([
    ["PUT",    "pages/",                    ["GET", "POST"]],
    ["GET",    "pages/ID/publish/",         ["POST"]],
    ["POST",   "pages/ID/draft/",           ["PATCH", "PUT"]],
    ["POST",   "pages/ID/revisions/",       ["GET"]],
    ["GET",    "pages-router/publish-due",  ["POST"]],
    ["POST",   "pages-router/publish-due/", ["GET"]],
    ["POST",   "pages-router/changes",      ["GET"]],
    ["PATCH",  "pages-router/page/",        ["GET"]],
  ])("%s %s is 405, and Allow names the allowed methods", async (method, path, allowed) => {
    const { ask, id } = await pageIn("PUB");
    const answer = await ask(method, `api:${path.replace("ID", String(id))}`, { as: "staff" });
    expect([answer.status, answer.body]).toEqual([405, { detail: `Method "${method}" not allowed.` }]);
    const allow = answer.headers.get("allow")!.split(", ");
    expect(allow.filter((name) => name !== "HEAD" && name !== "OPTIONS").sort()).toEqual([...allowed].sort());
  });

  it("a bad token is 401, on public paths too", async () => {
    const { ask } = await pageIn("PUB");
    for (const [authorization, detail] of [
      [`Token ${"0".repeat(40)}`, "Invalid token."],
      ["Token", "Invalid token header. No credentials provided."],
      ["Token a b", "Invalid token header. Token string should not contain spaces."],
    ] as const) {
      for (const path of ["api:pages-router/page/", "api:pages-router/changes", "api:pages/"]) {
        const answer = await ask("GET", path, { headers: { authorization } });
        expect([path, answer.status, answer.body]).toEqual([path, 401, { detail }]);
      }
    }
  });
});
