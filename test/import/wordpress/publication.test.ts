import { describe, expect, it } from "vitest";
import { momentsOf } from "../../../src/import/wordpress/publication.ts";
import type { WordPressItem } from "../../../src/import/wordpress/wxr.ts";
import { openTimeZone } from "../../../src/model/time/time-zone.ts";

const NONE = "0000-00-00 00:00:00";
const CHANGED = "2024-09-09 09:09:09";

const item = (more: Partial<WordPressItem>): WordPressItem => ({
  ...{
    file: "export.xml",
    id: 1,
    line: 1,
    type: "post",
    status: "publish",
    isProtected: false,
    title: "A",
    link: "",
    slug: "a",
  },
  ...{
    creator: "",
    content: "",
    hasHiddenBlocks: false,
    contentLine: 1,
    excerpt: "",
    parent: 0,
    order: 0,
    isSticky: false,
    attachmentUrl: "",
  },
  ...{ date: NONE, dateGmt: NONE, modified: CHANGED, modifiedGmt: CHANGED, terms: [], meta: [], comments: 0 },
  ...more,
});

describe("momentsOf", () => {
  // oxfmt-ignore
  it.each<[what: string, item: Partial<WordPressItem>, zone: string | undefined, published: string | undefined]>([
    ["the date in UTC, whatever clocks showed", { dateGmt: "2024-07-01 08:30:00", date: "2024-07-01 10:30:00" }, "America/New_York", "2024-07-01T08:30:00.000Z"],
    ["the local date in summer",   { date: "2024-07-01 10:30:00" }, "Europe/Rome", "2024-07-01T08:30:00.000Z"],
    ["the local date in winter",   { date: "2024-01-01 10:30:00" }, "Europe/Rome", "2024-01-01T09:30:00.000Z"],
    ["a local date on another day in UTC", { date: "2024-02-02 23:30:00" }, "America/New_York", "2024-02-03T04:30:00.000Z"],
    ["the local date without a zone", { date: "2024-07-01 10:30:00" }, undefined, "2024-07-01T10:30:00.000Z"],
    ["no date but that of the change", {}, "Europe/Rome", "2024-09-09T09:09:09.000Z"],
    ["scheduled",                  { status: "future", dateGmt: "2099-05-01 08:00:00", date: "2099-05-01 10:00:00" }, undefined, "2099-05-01T08:00:00.000Z"],
    ["private",                    { status: "private", dateGmt: "2024-07-01 08:30:00" }, undefined, undefined],
    ["with a password",            { isProtected: true, dateGmt: "2024-07-01 08:30:00" }, undefined, undefined],
    ["scheduled, with a password", { isProtected: true, status: "future", dateGmt: "2099-05-01 08:00:00" }, undefined, undefined],
    ["a draft with a date",        { status: "draft", date: "2024-07-01 10:30:00" }, "Europe/Rome", undefined],
    ["to be reviewed",             { status: "pending", date: "2024-07-01 10:30:00" }, "Europe/Rome", undefined],
    ["in the trash",               { status: "trash", dateGmt: "2024-07-01 08:30:00" }, undefined, undefined],
    ["in a status of a plugin",    { status: "archived", dateGmt: "2024-07-01 08:30:00" }, undefined, undefined],
  ])("%s", (_, more, zone, published) => {
    const found = momentsOf(item(more), zone === undefined ? undefined : openTimeZone(zone));
    expect(found).toMatchObject({ changed: "2024-09-09T09:09:09.000Z" });
    expect(found.published).toBe(published);
  });
});
