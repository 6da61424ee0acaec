import { expect, it } from "vitest";
import { parseInstant, type Instant } from "../../../src/model/time/instant.ts";
import { EMPTY_TEXT, type Page, type PageText } from "../../../src/model/page/page.ts";
import { textChanges, type TextVersion } from "../../../src/model/page/text-changes.ts";

const at = (day: number): Instant => parseInstant(`2026-03-0${day}T00:00:00Z`)!;

const version = (day: number, texts: Record<string, Partial<PageText>>): TextVersion => ({
  at: at(day),
  page: {
    translations: Object.fromEntries(Object.entries(texts).map(([lang, text]) => [lang, { ...EMPTY_TEXT, ...text }])),
  } as Partial<Page> as Page,
});

const HISTORY = [
  version(4, {
    en: { title: "Fog signal", template_data: { lead: "Loud", body: "Text" } },
    it: { title: "Nautofono", template_data: { lead: "Forte" } },
  }),
  version(3, {
    en: { title: "Fog signal", template_data: { lead: "Old", body: "Text" } },
    it: { title: "Nautofono", template_data: { lead: "Forte" } },
  }),
  version(2, { en: { title: "Fog signal", template_data: { lead: "Old" } }, it: { title: "Nautofono" } }),
  version(1, { en: { title: "Signal" } }),
];

it("has the moment of each text, by language", () => {
  expect(textChanges(HISTORY, true)).toEqual({
    en: { title: at(2), "template_data.lead": at(4), "template_data.body": at(3) },
    it: { title: at(2), "template_data.lead": at(3) },
  });
});

it("has no moment of a text that is older than what was read, but for the first version", () => {
  expect(textChanges(HISTORY.slice(0, 2), false)).toEqual({ en: { "template_data.lead": at(4) }, it: {} });
  expect(textChanges([version(1, { en: { title: "Signal", description: "" } })], true)).toEqual({
    en: { title: at(1) },
  });
  expect(textChanges([], true)).toEqual({});
});
