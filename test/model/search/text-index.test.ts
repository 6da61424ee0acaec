import { describe, expect, it } from "vitest";
import { readSearchQuery } from "../../../src/model/search/query.ts";
import { stemmerOf } from "../../../src/model/search/stemmer.ts";
import { TextIndex } from "../../../src/model/search/text-index.ts";

const PUBLIC = 1;

interface Sample {
  readonly title?: string;
  readonly body?: string;
  readonly facts?: number;
  readonly updatedAt?: number;
}

async function indexOf(samples: Readonly<Record<number, Sample>>, lang = "en"): Promise<TextIndex> {
  const index = new TextIndex(await stemmerOf(lang));
  for (const [key, sample] of Object.entries(samples)) add(index, Number(key), sample);
  await index.settle();
  return index;
}

const add = (index: TextIndex, key: number, { title = "", body = "", facts = PUBLIC, updatedAt = 0 }: Sample): void =>
  index.add({ key, publicFrom: 0, updatedAt, facts }, [
    { text: title, weight: 8 },
    { text: body, weight: 1 },
  ]);

/** The keys that are found with their scores, and the words. */
async function searched(index: TextIndex, query: string, maySee: (facts: number) => boolean) {
  const { matched, scores, words } = await index.search(readSearchQuery(query), (doc) => maySee(index.factsOf(doc)));
  const found = [...matched.keys()]
    .filter((doc) => matched[doc] === 1)
    .map((doc) => [index.keyOf(doc), scores[doc]!] as const);
  return { found, words: [...words] };
}

/** The keys, the best first. */
async function find(index: TextIndex, query: string, maySee: (facts: number) => boolean = () => true) {
  const { found } = await searched(index, query, maySee);
  return found.sort(([, a], [, b]) => b - a).map(([key]) => key);
}

const BREADS: Readonly<Record<number, Sample>> = {
  1: { title: "Flour and water", body: "Everything begins with them. Bakers knead." },
  2: { title: "Sourdough", body: "Water, flour, salt and time. The bakery opens at six." },
  3: { title: "Opening hours", body: "The bakeries are closed on Monday." },
  4: { title: "Perché no", body: "Farine antiche" },
};

describe("search", () => {
  it.each([
    ["flour water", [1, 2]],
    ["water flour", [1, 2]],
    ["flour", [1, 2]], // in a title before in a body
    ["Flaur ", [1, 2]],
    ["flours", [1, 2]],
    ["bakery", [2, 3]], // the very word before another form of it
    ["perche", [4]],
    ["PERCHÉ", [4]],
    ["flour -salt", [1]],
    ['"flour and water"', [1]],
    ['"water flour"', [2]],
    ['"and flour"', []],
    ['"water everything"', []], // not across fields
    ['"and water" flour', [1]],
    ['flour -"time and"', [1, 2]],
    ['flour -"and water"', [2]],
    ["flour monday", []],
    ["-salt", []],
    ["flxxr", []],
    ["", []],
  ])("%s", async (query, keys) => {
    expect(await find(await indexOf(BREADS), query)).toEqual(keys);
  });

  it("finds nothing in nothing", async () => {
    expect(await find(await indexOf({}), "flour -salt")).toEqual([]);
  });

  it("finds what begins as an unfinished word, but not as a finished one", async () => {
    const index = await indexOf(BREADS);
    expect([(await find(index, "bak")).toSorted(), await find(index, "bak ")]).toEqual([[1, 2, 3], []]);
  });

  it.each(["bnaana", "abnana", "banaan", "bananna", "banan", "anana", "banane", "xanana", "baxana", "banxna"])(
    "finds banana for %s, with one typo anywhere",
    async (word) => {
      const index = await indexOf({ 1: { body: "A banana a day" }, 2: { body: "A bandana" } });
      expect(await find(index, `${word} `)).toEqual([1]);
    },
  );

  it("finds words of languages without spaces", async () => {
    const index = await indexOf({ 1: { body: "这家面包店很好" }, 2: { body: "面条店" } }, "zh");
    expect(await find(index, "面包店")).toEqual([1]);
    expect((await find(index, "面")).toSorted()).toEqual([1, 2]);
  });

  it("counts nothing that may not be seen, neither as a result nor in a rank", async () => {
    const samples = { 1: { title: "Bread" }, 2: { body: "Bread and butter" } };
    const hidden = {
      7: { body: "bread ".repeat(50), facts: 0 },
      8: { title: "Breads", facts: 0 },
      9: { title: "secret", facts: 0 },
    };
    const shown = (facts: number): boolean => facts === PUBLIC;
    const [without, withHidden] = [await indexOf(samples), await indexOf({ ...samples, ...hidden })];
    for (const query of ["bread", "bread ", "secret", "breed ", "butter -secret"]) {
      expect(await searched(withHidden, query, shown), query).toEqual(await searched(without, query, shown));
    }
  });
});

describe("changes", () => {
  it("follow each other in any number, as an index made of what is left", async () => {
    const index = await indexOf({});
    const texts = new Map<number, string>();
    for (let round = 0; round < 60; round++) {
      for (let nth = 0; nth < 20; nth++) {
        const key = (round * 7 + nth * 13) % 150;
        index.remove(key);
        texts.delete(key);
        if ((round + nth) % 4 === 0) continue;
        texts.set(key, `word${key % 10} round${round} common`);
        add(index, key, { body: texts.get(key)! });
      }
      if (round % 3 === 0) await index.settle();
    }
    await index.settle();
    const fresh = await indexOf(Object.fromEntries([...texts].map(([key, body]) => [key, { body }])));
    for (const query of ["common ", "word3 ", "round59 ", "word7 common", '"word1 round58 common"']) {
      const keys = (await find(index, query)).toSorted((a, b) => a - b);
      expect(keys, query).toEqual((await find(fresh, query)).toSorted((a, b) => a - b));
      expect(keys.length, query).toBeGreaterThan(query.startsWith('"') ? -1 : 0);
    }
  });

  it("keep the documents of one key together", async () => {
    const index = await indexOf({ 1: { body: "one" } });
    add(index, 1, { body: "two" });
    add(index, 2, { body: "two" });
    await index.settle();
    index.remove(1);
    await index.settle();
    expect([await find(index, "one "), await find(index, "two ")]).toEqual([[], [2]]);
  });
});
