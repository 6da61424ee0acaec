/** Pages that take each other's file names by hand on one side, and that the other side edits under their former names. */
import { expect, it } from "vitest";
// @ts-expect-error: a script, which has no types
import { siteFiles } from "../../../scripts/soak-sync/site.mjs";
import { bareRemote, complaintsOf, type Clone } from "./clones.ts";

const page = (name: number | string): string => `content/pages/page-${name}.yaml`;
const draft = (name: number | string): string => `content/pages/page-${name}.draft.en.yaml`;

const edit = (clone: Clone, path: string, keywords: string): void =>
  clone.save(path, clone.text(path)!.replace("  it:", `    keywords: ${keywords}\n  it:`));

const CHAIN: readonly [from: number | string, to: number | string][] = [
  [1, "x"],
  [2, 1],
];
const EXCHANGE: typeof CHAIN = [...CHAIN, ["x", 2]];

it.each<[string, typeof CHAIN, edited: readonly number[], names: { readonly [id: number]: number | string }]>([
  ["one takes the name of another that is moved", CHAIN, [1], { 1: "x", 2: 1 }],
  ["and both are edited", CHAIN, [1, 2], { 1: "x", 2: 1 }],
  ["two exchange their names", EXCHANGE, [1], { 1: 2, 2: 1 }],
  ["and the second is edited", EXCHANGE, [2], { 1: 2, 2: 1 }],
  ["and both are edited, too", EXCHANGE, [1, 2], { 1: 2, 2: 1 }],
])("%s", { timeout: 60_000 }, async (_case, moves, edited, names) => {
  for (const isRemoteMoved of [false, true]) {
    const remote = bareRemote({ ...siteFiles(3), [draft(2)]: "payload:\n  title: Of page 2\n" });
    const [a, b] = [remote.clone(), remote.clone()];
    const [mover, editor] = isRemoteMoved ? [b, a] : [a, b];
    for (const [from, to] of moves) {
      mover.git("mv", page(from), page(to));
      if (mover.text(draft(from)) !== undefined) mover.git("mv", draft(from), draft(to));
    }
    mover.commit("Move");
    for (const id of edited) edit(editor, page(id), `of page ${id}`);
    editor.commit("Edit");
    await b.sync();
    expect((await a.sync()).conflicts).toEqual([]);
    for (const id of [1, 2]) {
      const text = a.text(page(names[id]!)) ?? "";
      expect(text).toMatch(new RegExp(`^id: ${id}\n`));
      expect(/keywords: (.*)/.exec(text)?.[1]).toBe(edited.includes(id) ? `of page ${id}` : undefined);
    }
    expect(a.git("ls-files", "content/pages").trim().split("\n")).toHaveLength(4);
    expect(a.text(draft(names[2]!))).toContain("Of page 2");
    await b.sync();
    expect(b.git("rev-parse", "HEAD^{tree}")).toBe(a.git("rev-parse", "HEAD^{tree}"));
    expect(complaintsOf(a)).toBe("");
  }
});
