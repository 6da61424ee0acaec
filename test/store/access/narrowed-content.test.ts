/** What an account sees is brought up to date with each write: it must be what it would be if it were made anew. */
import { expect, it } from "vitest";
import { NO_RIGHTS } from "../../../src/model/account/account.ts";
import { may } from "../../../src/model/access/role-rights.ts";
import { narrowingFor } from "../../../src/store/access/narrowed-content.ts";
import { accessContentOf, accessTargetsOf } from "../../../src/store/access/targets.ts";
import { PAGE_KINDS } from "../../../src/store/content/indexes/pages-by-model.ts";
import { summaryOf, type Snapshot } from "../../../src/store/snapshot.ts";
import { memorySite } from "../../site.ts";

const ROLES = "roles: { section: { rules: [{ may: [view], below: /section }, { may: [view], when: public }] } }\n";
const page = (id: number, parent: number | null, permalink: string): string =>
  `id: ${id}\nparent_page: ${parent}\ntranslations: { en: { title: T${id}, permalink: ${permalink} } }\n`;

it("follows writes: new, changed, moved and removed pages", async () => {
  const { cms, api } = await memorySite({
    "content/roles.yaml": ROLES,
    "content/pages/a.yaml": page(101, null, "/section"),
    "content/pages/b.yaml": page(102, 101, "/section/b"),
    "content/pages/c.yaml": page(103, null, "/c"),
    "content/pages/d.yaml": page(104, 103, "/c/d"),
    "content/pages/e.yaml": page(105, 104, "/c/d/e"),
    "content/pages/f.yaml": page(106, null, "/f"),
  });
  const account = { ...NO_RIGHTS, roles: ["section"] };
  const ids = (content: Snapshot): readonly number[] =>
    PAGE_KINDS.flatMap((kind) => [...content.table(kind).byId.keys()]).sort((a, b) => a - b);
  const seen = (): readonly number[] => {
    const content = cms.store.current;
    const access = accessContentOf(content, cms.locales);
    const narrowed = narrowingFor(account, access, cms.locales)!.of(content);
    const anew = PAGE_KINDS.flatMap((kind) =>
      [...content.table(kind).byId.values()].flatMap((entry) => {
        const targets = accessTargetsOf(content, kind, summaryOf(entry));
        return targets.every((target) => may(account, "view", target, access).isAllowed) ? [entry.record.id] : [];
      }),
    ).sort((a, b) => a - b);
    expect(ids(narrowed)).toEqual(anew);
    for (const kind of PAGE_KINDS)
      expect([...narrowed.table(kind).byBase.values()].map(({ record }) => record.id).sort((a, b) => a - b)).toEqual(
        [...narrowed.table(kind).byId.keys()].sort((a, b) => a - b),
      );
    return anew;
  };
  expect(seen()).toEqual([101, 102]);
  await api("PATCH", "pages/102/?language=en", { title: "Changed" });
  expect(seen()).toEqual([101, 102]);
  await api("POST", "pages/106/publish/?language=en", {});
  expect(seen()).toEqual([101, 102, 106]);
  await api("PATCH", "pages/106/?language=en", { published_at: null });
  expect(seen()).toEqual([101, 102]);
  await api("PATCH", "pages/104/", { parent_page: 102 });
  expect(seen()).toEqual([101, 102, 104, 105]);
  const { id } = await api("POST", "pages/", { title: "New", parent_page: 105 });
  expect(seen()).toEqual([id, 101, 102, 104, 105].sort((a, b) => a - b));
  await api("PATCH", "pages/104/", { parent_page: 103 });
  expect(seen()).toEqual([101, 102]);
  await api("DELETE", "pages/102/");
  expect(seen()).toEqual([101]);
});
