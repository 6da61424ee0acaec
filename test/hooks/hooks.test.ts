/** Hooks end to end within a process: real listeners, a site in memory, and timers that the test fires. */
import { createHmac } from "node:crypto";
import { chmodSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { HookSetting } from "../../src/config/hook-settings.ts";
import { HOOK_EVENTS } from "../../src/config/hook-settings.ts";
import { listHooks, openHooks } from "../../src/hooks/hooks.ts";
import { PAGES } from "../../src/store/records/pages.ts";
import { memorySite, type MemorySite } from "../site.ts";
import { manualTimers, type ManualTimers } from "../support/manual-timers.ts";
import { listener, type Listener } from "./listener.ts";

const STAFF = { name: "staff", email: "staff@cms.invalid" };
const KEY = "hunter2";

const hook = ({ url }: { url: string }, more: Partial<HookSetting> = {}): HookSetting => ({
  URL: url,
  SECRET: "env:CMS_HOOK_SECRET",
  EVENTS: HOOK_EVENTS,
  PRIVATE: true,
  ...more,
});

interface Told extends MemorySite {
  readonly timers: ManualTimers;
  /** Stops the hooks and starts them anew, as a server that is restarted. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** A site whose hooks have looked once. */
const told = (...HOOKS: HookSetting[]): Promise<Told> => toldOf(HOOKS);

/** @param meanwhile what happens between the look of the hooks at the content and their start */
async function toldOf(
  HOOKS: readonly HookSetting[],
  meanwhile: (site: MemorySite) => Promise<unknown> = async () => {},
): Promise<Told> {
  const site = await memorySite({}, { HOOKS });
  const timers = manualTimers();
  const keyed = site.cms.config.HOOKS.map((setting) => ({ setting, key: KEY }));
  const start = async (whileItStarts: () => Promise<unknown> = async () => {}) => {
    const startAll = await openHooks(site.cms, keyed);
    await whileItStarts();
    return startAll({ timers, random: () => 0.5 });
  };
  let stop = await start(() => meanwhile(site));
  if (HOOKS.length === 1) await timers.fire();
  return {
    ...site,
    timers,
    stop: () => stop(),
    async restart() {
      await stop();
      stop = await start();
    },
  };
}

const deliveriesOf = async (site: MemorySite) => (await site.api("GET", "hooks/"))[0].deliveries;

describe("a hook", () => {
  it("is told nothing at its first start, and of a publication once", async () => {
    const at = await listener();
    const site = await told(hook(at));
    expect(at.received).toEqual([]);
    const start = (await site.repo.state()).head;
    const page = await site.page({ title: "New", title_it: "Nuova" }, ["it"]);
    expect(site.timers.waits()).toEqual([1_000]);
    await site.timers.fire();
    expect(at.received.map(({ body }) => body.event).sort()).toEqual(["change", "publish"]);
    const { body, headers, text } = at.received.find((each) => each.body.event === "publish")!;
    const head = (await site.repo.state()).head;
    expect(body).toEqual({
      delivery: expect.stringMatching(/^[0-9a-f-]{36}$/),
      event: "publish",
      at: "2026-03-01T12:00:00.000Z",
      commit: head,
      before: start,
      commits: [
        expect.objectContaining({
          id: head,
          subject: 'Publish "New" (it)',
          author: expect.objectContaining({ name: "staff" }),
        }),
        expect.objectContaining({ subject: 'Create "New"' }),
        expect.anything(),
      ].slice(0, body.commits.length),
      actor: STAFF,
      languages: ["it"],
      records: [{ type: "Page", id: page.id }],
      paths: ["content/pages/new.yaml"],
      truncated: false,
    });
    expect(headers).toMatchObject({
      "content-type": "application/json",
      "x-cms-event": "publish",
      "x-cms-delivery": body.delivery,
      "x-cms-signature-256": `sha256=${createHmac("sha256", KEY).update(text).digest("hex")}`,
    });
    await site.timers.fire();
    expect(at.received).toHaveLength(2);
  });

  it("is told of what happens before its first look, also where the process dies before that", async () => {
    const at = await listener();
    const site = await toldOf([hook(at, { EVENTS: ["publish", "change"] })], (early) =>
      early.page({ title: "Early" }, ["en"]),
    );
    expect(at.received.map(({ body }) => body.event).sort()).toEqual(["change", "publish"]);
    await site.restart();
    await site.timers.fire();
    expect(at.received).toHaveLength(2);
    const other = await listener();
    const settings = [hook(other, { EVENTS: ["publish", "change"] })];
    const cms = { ...site.cms, config: { ...site.cms.config, HOOKS: settings } };
    const open = () =>
      openHooks(
        cms,
        settings.map((setting) => ({ setting, key: KEY })),
      );
    await open();
    await site.page({ title: "Killed" }, ["en"]);
    const stop = (await open())({ timers: site.timers, random: () => 0.5 });
    await site.timers.fire();
    expect(other.received.map(({ body }) => body.event).sort()).toEqual(["change", "publish"]);
    await stop();
  });

  it("is told of schedules, media and what is due, each with what it concerns", async () => {
    const at = await listener();
    const site = await told(hook(at, { EVENTS: ["schedule", "media"] }));
    const page = await site.page({ title: "Page" }, ["en"]);
    await site.timers.fire();
    expect(at.received).toEqual([]);
    await site.api("PATCH", `pages/${page.id}/draft/`, { title: "Soon" });
    await site.api("POST", `pages/${page.id}/schedule/`, { publish_at: "2026-03-02T00:00:00Z" });
    await site.api("POST", "media-folder/", { title: "Photos" });
    await site.timers.fire();
    expect(at.received.map(({ body }) => [body.event, body.records])).toEqual([
      ["schedule", [{ type: "Page", id: page.id }]],
      ["media", [{ type: "MediaFolder", id: expect.any(Number) }]],
    ]);
  });

  it("is told of comments and reviews, which are no change of what is served", async () => {
    const at = await listener();
    const site = await told(hook(at, { EVENTS: ["change", "comment", "review"] }));
    const page = await site.page({ title: "Page" });
    await site.timers.fire();
    const before = at.received.length;
    const thread = await site.api("POST", "threads/?language=it", { page: page.id, text: "Right?" });
    const review = await site.api("POST", "reviews/", { items: [{ page: page.id, language: "en" }] });
    await site.timers.fire();
    const since = at.received.slice(before);
    expect(since.map(({ body }) => [body.event, body.records, body.languages])).toEqual([
      ["comment", [{ type: "Thread", id: thread.id }], ["it"]],
      ["review", [{ type: "Review", id: review.id }], ["en"]],
    ]);
  });

  it("is told of commits made by hand, with their author", async () => {
    const at = await listener();
    const site = await told(hook(at, { EVENTS: ["publish", "change"] }));
    const page = "translations:\n  en:\n    title: By hand\n    published_at: 2026-01-01T00:00:00Z\n";
    site.repo.write("content/pages/hand.yaml", page);
    site.repo.commitByHand("A page");
    await site.cms.store.refresh();
    await site.timers.fire();
    expect(at.received.map(({ body }) => body.event).sort()).toEqual(["change", "publish"]);
    const { body } = at.received.find((each) => each.body.event === "publish")!;
    expect(body).toMatchObject({ paths: ["content/pages/hand.yaml"], languages: ["en"] });
    expect(body.commits).toEqual([expect.objectContaining({ subject: "A page", author: body.actor })]);
  });

  it("is told of a change when a planned page becomes public by time alone, and not of a draft that is saved", async () => {
    const at = await listener();
    const site = await told(hook(at, { EVENTS: ["change"] }));
    const { id } = await site.page({ title: "Planned" });
    await site.api("PATCH", `pages/${id}/`, { published_at: "2026-03-01T12:00:40Z" });
    await site.timers.fire();
    expect(at.received).toEqual([]);
    expect(site.timers.waits()).toEqual([40_000]);
    site.clock.tick(40_000);
    await site.timers.fire();
    expect(at.received.map(({ body }) => [body.event, body.actor, body.commits])).toEqual([["change", null, []]]);
  });

  it("is told of what a sync left to a person, with the record and the language of the draft", async () => {
    const at = await listener();
    const site = await told(hook(at, { EVENTS: ["conflict"] }));
    const page = await site.page({ title: "Fog" }, ["en"]);
    const [path = ""] = site.cms.store.current.pathsOf(PAGES, page.id);
    const conflict = JSON.stringify({ kind: "field", path, at: ["translations", "en", "title"], draft: "en" });
    site.repo.write("content/notes.txt", "x");
    const base = (await site.repo.state()).head;
    const commit = site.repo.commitByHand(
      `Merge origin/main\n\nCms-Action: sync\nCms-Merge-Base: ${base}\nCms-Conflict: ${conflict}`,
    );
    await site.cms.store.refresh();
    await site.timers.fire();
    expect(at.received.map(({ body }) => body)).toEqual([
      expect.objectContaining({
        event: "conflict",
        commit,
        records: [{ type: "Page", id: page.id }],
        languages: ["en"],
        paths: [path],
      }),
    ]);
  });

  it("is told after a restart of what happened meanwhile, also by commits of others", async () => {
    const at = await listener();
    const site = await told(hook(at, { EVENTS: ["publish"] }));
    await site.stop();
    const page = await site.page({ title: "Meanwhile" }, ["en"]);
    await site.restart();
    await site.timers.fire();
    expect(at.received.map(({ body }) => [body.event, body.records])).toEqual([
      ["publish", [{ type: "Page", id: page.id }]],
    ]);
    await site.restart();
    await site.timers.fire();
    expect(at.received).toHaveLength(1);
  });

  it("tries again with the same bytes, later each time, also after a restart", async () => {
    const answers = [500, 302, 200];
    const at = await listener((response, _received, count) => response.writeHead(answers[count - 1]!).end());
    const site = await told(hook(at, { EVENTS: ["publish"] }));
    await site.page({ title: "New" }, ["en"]);
    await site.timers.fire();
    expect(site.timers.waits()).toEqual([5_000]);
    expect(await deliveriesOf(site)).toEqual([
      expect.objectContaining({
        event: "publish",
        status: "waiting",
        attempts: 1,
        next_attempt: "2026-03-01T12:00:05.000Z",
        last: { at: "2026-03-01T12:00:00.000Z", status: 500, error: "It answered with 500." },
      }),
    ]);
    site.clock.tick(5_000);
    await site.timers.fire();
    expect(site.timers.waits()).toEqual([30_000]);
    await site.restart();
    await site.timers.fire();
    expect(at.received).toHaveLength(2);
    site.clock.tick(30_000);
    await site.timers.fire();
    expect(new Set(at.received.map(({ text }) => text)).size).toBe(1);
    expect(at.received).toHaveLength(3);
    expect(await deliveriesOf(site)).toEqual([
      expect.objectContaining({ status: "delivered", attempts: 3, next_attempt: null }),
    ]);
    expect(site.logged.join("\n")).not.toContain("token=1");
  });

  it("gives a delivery up after ten attempts, and says so", async () => {
    const at = await listener((response) => response.destroy());
    const site = await told(hook(at, { EVENTS: ["publish"] }));
    await site.page({ title: "New" }, ["en"]);
    for (let attempt = 1; attempt <= 10; attempt++) {
      await site.timers.fire();
      site.clock.tick(8 * 3_600_000);
    }
    await site.timers.fire();
    expect(at.received).toHaveLength(10);
    expect(await deliveriesOf(site)).toEqual([
      expect.objectContaining({ status: "failed", attempts: 10, next_attempt: null }),
    ]);
    expect(site.logged.at(-1)).toMatch(
      /\(publish\) to http:.*\/hook\?… failed 10 times; it is given up: socket hang up/,
    );
  });

  it("collects what happens while ten deliveries wait, and loses none of it", async () => {
    let isDown = true;
    const at = await listener((response) => response.writeHead(isDown ? 503 : 204).end());
    const site = await told(hook(at, { EVENTS: ["publish"] }));
    const ids: number[] = [];
    for (let at = 0; at < 13; at++) {
      ids.push((await site.page({ title: `Page ${at}` }, ["en"])).id);
      await site.timers.fire();
    }
    expect(await deliveriesOf(site)).toHaveLength(10);
    isDown = false;
    site.clock.tick(60_000);
    await site.timers.fire();
    await site.timers.fire();
    const accepted = at.received.slice(-11);
    expect(accepted.flatMap(({ body }) => body.records.map(({ id }: { id: number }) => id)).sort()).toEqual(ids.sort());
    expect(accepted.at(-1)!.body.records).toHaveLength(3);
  });

  it("is not reached at a private address without PRIVATE, nor delayed when its settings are odd", async () => {
    const at = await listener();
    const site = await told(hook(at, { PRIVATE: false, EVENTS: ["publish"] }));
    await site.page({ title: "New" }, ["en"]);
    await site.timers.fire();
    expect(at.received).toEqual([]);
    expect((await deliveriesOf(site))[0].last).toMatchObject({
      status: null,
      error: "127.0.0.1 is no public address: such listeners need PRIVATE: true in their hook.",
    });
  });

  it("goes on after its file could not be written, and forgets no event", async () => {
    const at = await listener();
    const site = await told(hook(at, { EVENTS: ["publish"] }));
    const dir = join(site.cms.store.repo.stateDir, "hooks");
    chmodSync(dir, 0o755); // which is refused, since others could read it
    await site.page({ title: "New" }, ["en"]);
    await site.timers.fire();
    expect(site.logged.at(-1)).toContain("is open to other users");
    expect(at.received).toEqual([]);
    chmodSync(dir, 0o700);
    await site.timers.fire();
    expect(at.received.map(({ body }) => body.event)).toEqual(["publish"]);
  });

  it("stops while a listener does not answer, and delivers again at the next start", async () => {
    let isMute = true;
    const at = await listener((response) => void (isMute || response.end()));
    const site = await told(hook(at, { EVENTS: ["publish"] }));
    await site.page({ title: "New" }, ["en"]);
    void site.timers.fire();
    await at.after(1);
    await site.stop();
    expect(await deliveriesOf(site)).toEqual([expect.objectContaining({ status: "waiting", attempts: 0 })]);
    isMute = false;
    await site.restart();
    await site.timers.fire();
    expect(at.received).toHaveLength(2);
    expect(at.received[1]!.text).toBe(at.received[0]!.text);
  });
});

describe("several hooks", () => {
  it("do not wait for each other, and keep their deliveries when their order changes", async () => {
    const mute = await listener(() => undefined);
    const other = await listener();
    const settings = [hook(mute, { EVENTS: ["publish"] }), hook(other, { EVENTS: ["publish"] })];
    const site = await told(...settings);
    while (site.timers.waits().includes(1_000)) await site.timers.fireAll();
    await site.page({ title: "New" }, ["en"]);
    const isOneDone = site.timers.fireAll();
    await mute.after(1);
    await isOneDone;
    await site.stop();
    const reversed = { ...site.cms, config: { ...site.cms.config, HOOKS: settings.toReversed() } };
    expect((await listHooks(reversed)).map(({ deliveries }) => deliveries.map(({ status }) => status))).toEqual([
      ["delivered"],
      ["waiting"],
    ]);
  });

  it("leave no files behind once they are out of the settings", async () => {
    const at: Listener = await listener();
    const site = await told(hook(at));
    const dir = join(site.cms.store.repo.stateDir, "hooks");
    const [name] = readdirSync(dir);
    writeFileSync(join(dir, "0123456789abcdef.json"), "{}");
    await site.restart();
    await site.timers.fire();
    await site.stop();
    expect(readdirSync(dir)).toEqual([name]);
    expect(JSON.parse(readFileSync(join(dir, name!), "utf8")).told).toBeTruthy();
  });
});

describe("GET hooks/", () => {
  it("shows hooks without secrets, to staff", async () => {
    const at = await listener();
    const site = await told(hook(at, { EVENTS: ["publish"] }));
    const answer = await site.ask("GET", "api:hooks/", { as: "staff" });
    expect(answer.body).toEqual([
      { url: at.url.replace("token=1", "…"), events: ["publish"], private: true, signed: true, deliveries: [] },
    ]);
    expect(answer.text).not.toMatch(/hunter2|CMS_HOOK_SECRET|token=1/);
    expect((await site.ask("GET", "api:hooks/", { as: "reader" })).status).toBe(403);
    expect((await site.ask("GET", "api:hooks/")).status).toBe(401);
  });
});
