/** Random writes to a small site, over the API and by hand, for properties that hold after any of them. */
import fc from "fast-check";
import type { MemorySite } from "../site.ts";

const PAGES = 6;
const MOMENT = "2026-01-01T00:00:00.000Z";

const fileOf = (n: number): string => `content/pages/p${n}.yaml`;

interface Shape {
  readonly title: string;
  readonly permalink: string;
  readonly parent: number | null;
  readonly published: string | null;
  readonly model: string | null;
  readonly data: string;
}

export const ids = fc.integer({ min: 1, max: PAGES });

/** Texts that refer to others, some of which are not there, or claim what another page has. */
const shape: fc.Arbitrary<Shape> = fc.record({
  title: fc.constantFrom("One", "Two", "Three"),
  permalink: fc.constantFrom("/a", "/b", "/c", "/d"),
  parent: fc.option(ids),
  published: fc.constantFrom(MOMENT, MOMENT, "2026-03-01T12:00:05.000Z", "2026-03-01T12:00:30.000Z", null),
  model: fc.constantFrom("card", null, "card"),
  data: fc.oneof(
    fc.constant("{}"),
    ids.map((id) => `{ link: { link_type: RE, url_node: ${id} }, other: ${id}, tag: ${100 + (id % 3)} }`),
  ),
});

function textOf(id: number, { title, permalink, parent, published, model, data }: Shape): string {
  const text = (lang: string): string =>
    `  ${lang}:\n    title: ${title} ${lang}\n    permalink: ${permalink}\n    template_data: ${data}\n` +
    (published ? `    published_at: ${published}\n` : "");
  const top = `id: ${id}\n${parent === null ? "" : `parent_page: ${parent}\n`}${model ? `model: ${model}\n` : ""}`;
  return `${top}date_created: ${MOMENT}\ntranslations:\n${text("en")}${text("it")}`;
}

/** The site before the writes. */
export const FILES: Readonly<Record<string, string>> = {
  "content/page-models/card.yaml":
    "schema:\n  - { name: link, kind: permalink }\n  - { name: other, kind: ref, target_model: cms.Page }\n" +
    "  - { name: tag, kind: ref, target_model: cms.Tag }\n",
  ...Object.fromEntries(
    Array.from({ length: PAGES }, (_, at) => [
      fileOf(at + 1),
      textOf(at + 1, {
        title: "One",
        permalink: `/p${at + 1}`,
        parent: null,
        published: MOMENT,
        model: null,
        data: "{}",
      }),
    ]),
  ),
};

export type Step = (site: MemorySite) => Promise<unknown> | unknown;

export const byHand = (write: (site: MemorySite) => void) => async (site: MemorySite) => {
  write(site);
  site.repo.commitByHand("By hand");
  await site.cms.store.refresh();
};

export const named = (what: string, write: Step): readonly [string, Step] => [what, write];

export const step: fc.Arbitrary<readonly [string, Step]> = fc.oneof(
  fc.tuple(ids, shape).map(([id, page]) =>
    named(
      `${fileOf(id)} = ${JSON.stringify(page)}`,
      byHand(({ repo }) => repo.write(fileOf(id), textOf(id, page))),
    ),
  ),
  ids.map((id) =>
    named(
      `${fileOf(id)} is removed`,
      byHand(({ repo }) => repo.erase(fileOf(id))),
    ),
  ),
  fc
    .tuple(ids, fc.constantFrom("Red", "Green"))
    .map(([id, title]) =>
      named(`PATCH ${id} ${title}`, ({ ask }) => ask("PATCH", `api:pages/${id}/`, { as: "staff", body: { title } })),
    ),
  ids.map((id) => named(`trash ${id}`, ({ ask }) => ask("POST", `api:pages/${id}/trash/`, { as: "staff" }))),
  ids.map((id) => named(`restore ${id}`, ({ ask }) => ask("POST", `api:pages/${id}/restore/`, { as: "staff" }))),
  fc.tuple(ids, fc.constantFrom("x", "y")).map(([page, text]) =>
    named(
      `block of ${page}: ${text}`,
      byHand(({ repo }) =>
        repo.write(
          "content/contents/block.yaml",
          `id: 300\nidentifier: b\npage: ${page}\ntranslations: { en: { content: ${text} } }\n`,
        ),
      ),
    ),
  ),
  fc.tuple(fc.integer({ min: 100, max: 102 }), fc.constantFrom("red", "green")).map(([id, name]) =>
    named(
      `tag ${id}: ${name}`,
      byHand(({ repo }) =>
        repo.write(`content/tags/t${id}.yaml`, `id: ${id}\ntranslations: { en: { name: ${name} } }\n`),
      ),
    ),
  ),
  fc.constantFrom("{ name: link, kind: permalink }", "{ name: other, kind: integer }").map((field) =>
    named(
      `card has ${field}`,
      byHand(({ repo }) => repo.write("content/page-models/card.yaml", `schema:\n  - ${field}\n`)),
    ),
  ),
  fc.constantFrom("/a", "/b", "/p1").map((from) =>
    named(
      `redirect from ${from}`,
      byHand(({ repo }) => repo.write("content/redirects.yaml", `- { from: ${from}, to: /c }\n`)),
    ),
  ),
  fc.constantFrom(4_000, 20_000, 60_000).map((ms) => named(`${ms} ms pass`, ({ clock }) => clock.tick(ms))),
);
