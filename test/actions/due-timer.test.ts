/** Scheduled drafts go live at their moment while a server runs. */
import { describe, expect, it } from "vitest";
import { publishOnTime } from "../../src/actions/pages/due-timer.ts";
import { memorySite, type MemorySite } from "../site.ts";
import { manualTimers, type ManualTimers } from "../support/manual-timers.ts";

const MINUTE = 60_000;

interface Running extends MemorySite {
  readonly timers: ManualTimers;
  readonly stop: () => Promise<void>;
}

async function running(prepare: (site: MemorySite) => Promise<unknown>): Promise<Running> {
  const site = await memorySite();
  await prepare(site);
  const timers = manualTimers();
  return { ...site, timers, stop: publishOnTime(site.cms, timers) };
}

async function scheduled(site: MemorySite, at: string, draft: object = { title: "New" }): Promise<number> {
  const { id } = await site.page({ title: "Old", autopermalink: false, permalink: `/page-${at.slice(11, 19)}` }, [
    "en",
  ]);
  await site.api("PATCH", `pages/${id}/draft/`, draft);
  await site.api("POST", `pages/${id}/schedule/`, { publish_at: at });
  return id;
}

const titleOf = async (site: MemorySite, id: number): Promise<string> => (await site.api("GET", `pages/${id}/`)).title;
const commits = async (site: MemorySite): Promise<{ message: string; author: string }[]> => {
  const found = [];
  for await (const { message, author } of site.repo.log((await site.repo.state()).head!, null, [""]))
    found.push({ message, author: author.name });
  return found;
};

describe("publishOnTime", () => {
  it("publishes each draft at its moment, as the service, in one commit each", async () => {
    let [first, second] = [0, 0];
    const site = await running(async (each) => {
      first = await scheduled(each, "2026-03-01T12:00:20Z");
      second = await scheduled(each, "2026-03-01T12:00:50.500Z");
    });
    expect(site.timers.waits()).toEqual([20_000]);
    site.clock.tick(20_000);
    await site.timers.fire();
    expect(await titleOf(site, first)).toBe("New");
    expect(await titleOf(site, second)).toBe("Old");
    expect(site.timers.waits()).toEqual([30_500]);
    site.clock.tick(30_500);
    await site.timers.fire();
    expect(await titleOf(site, second)).toBe("New");
    expect(site.timers.waits()).toEqual([MINUTE]);
    expect((await commits(site))[0]).toEqual({
      author: "git-cms",
      message: expect.stringMatching(/Scheduled publish[^]*Cms-Action: publish-due/),
    });
  });

  it("publishes at the start what became due while no server ran", async () => {
    let id = 0;
    const site = await running(async (each) => {
      id = await scheduled(each, "2026-03-01T12:00:20Z");
      each.clock.set("2027-01-01T00:00:00Z");
    });
    expect(site.timers.waits()).toEqual([0]);
    await site.timers.fire();
    expect(await titleOf(site, id)).toBe("New");
  });

  it("waits a minute at most, so that no timer overflows and a clock that jumps is noticed", async () => {
    let id = 0;
    const site = await running(async (each) => void (id = await scheduled(each, "2031-01-01T00:00:00Z")));
    expect(site.timers.waits()).toEqual([MINUTE]);
    await site.timers.fire();
    expect(await titleOf(site, id)).toBe("Old");
    expect(site.timers.waits()).toEqual([MINUTE]);
    site.clock.set("2031-01-01T00:00:00Z");
    await site.timers.fire();
    expect(await titleOf(site, id)).toBe("New");
  });

  it("follows what is scheduled and withdrawn meanwhile", async () => {
    const site = await running(async () => undefined);
    expect(site.timers.waits()).toEqual([MINUTE]);
    const id = await scheduled(site, "2026-03-01T12:00:07Z");
    expect(site.timers.waits()).toEqual([7_000]);
    await site.api("PUT", `pages/${id}/draft/`, {});
    expect(site.timers.waits()).toEqual([MINUTE]);
  });

  it("tries a draft that fails again only with other content, and publishes the others", async () => {
    let [failing, other] = [0, 0];
    const site = await running(async (each) => {
      failing = await scheduled(each, "2026-03-01T12:00:20Z", { autopermalink: false, permalink: "/page-wanted" });
      await each.page({ title: "Rival", autopermalink: false, permalink: "/page-wanted" }, ["en"]);
      other = await scheduled(each, "2026-03-01T12:00:30Z");
    });
    site.clock.tick(20_000);
    await site.timers.fire();
    const failures = (): number => site.logged.filter((line) => line.includes("cannot be published")).length;
    expect(failures()).toBe(1);
    expect(site.timers.waits()).toEqual([10_000]);
    site.clock.tick(10_000);
    await site.timers.fire();
    expect(await titleOf(site, other)).toBe("New");
    expect(failures()).toBe(2);
    expect(site.timers.waits()).toEqual([MINUTE]);
    await site.timers.fire();
    expect(failures()).toBe(2);
    const rival = (await site.api("GET", "pages/")).find((page: { title: string }) => page.title === "Rival");
    await site.api("DELETE", `pages/${rival.id}/`);
    expect(site.timers.waits()).toEqual([MINUTE]);
    await site.timers.fire();
    expect((await site.api("GET", `pages/${failing}/`)).permalink).toBe("/page-wanted");
  });

  it("goes on when nothing can be written for a while, and says so once", async () => {
    let id = 0;
    const site = await running(async (each) => void (id = await scheduled(each, "2026-03-01T12:00:20Z")));
    site.clock.tick(20_000);
    site.repo.block("A merge is in progress.");
    await site.timers.fire();
    expect(site.timers.waits()).toEqual([5_000]);
    await site.timers.fire();
    expect(site.logged.filter((line) => line.includes("A merge is in progress."))).toEqual([
      "Scheduled drafts and releases cannot be published: A merge is in progress.",
    ]);
    site.repo.block(null);
    await site.timers.fire();
    expect(await titleOf(site, id)).toBe("New");
  });

  it("stops after the sweep that runs, and leaves no timer", async () => {
    let id = 0;
    const site = await running(async (each) => void (id = await scheduled(each, "2026-03-01T12:00:20Z")));
    site.clock.tick(20_000);
    void site.timers.fire();
    await site.stop();
    expect(await titleOf(site, id)).toBe("New");
    expect(site.timers.waits()).toEqual([]);
    await scheduled(site, "2026-03-01T12:30:00Z");
    expect(site.timers.waits()).toEqual([]);
  });
});
