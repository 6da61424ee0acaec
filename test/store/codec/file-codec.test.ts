/** Large files in a thread: the very same as in line, whatever happens to the thread. Built, as Node starts no TypeScript. */
import fc from "fast-check";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { FileCodec, FileCodecOptions } from "../../../src/store/codec/file-codec.ts";
import { INLINE_CODEC } from "../../../src/store/codec/file-codec.ts";
import { changed, record, written } from "./sample.ts";

const BUILT = new URL("../../../dist/store/codec/file-codec.js", import.meta.url);
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

async function codec(options: Partial<FileCodecOptions> = {}): Promise<{ codec: FileCodec; said: string[] }> {
  const { openFileCodec } = (await import(BUILT.href)) as typeof import("../../../src/store/codec/file-codec.ts");
  const said: string[] = [];
  const log = { info: () => undefined, warn: (text: string) => void said.push(text), error: () => undefined };
  const opened = openFileCodec({ log, inlineMax: 0, ...options });
  onTestFinished(() => opened.close());
  return { codec: opened, said };
}

/** What came of it, errors with their fields. */
const outcome = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    (value) => ({ value }),
    (error: Error) => ({
      thrown: {
        ...error,
        name: error.name,
        message: error.message,
        cause: error.cause instanceof Error ? error.cause.message : undefined,
      },
    }),
  );

/** A thread that says of every file which thread it is. */
const NAMING = new URL(
  `data:text/javascript,${encodeURIComponent(
    'import { parentPort, threadId } from "node:worker_threads"; parentPort.on("message", ({ id }) => parentPort.postMessage({ id, result: { data: { threadId } } }));',
  )}`,
);

describe("a file's bytes and data by way of the thread", () => {
  it("are those made in line", async () => {
    const { codec: apart, said } = await codec();
    const rewrites = written.chain((file) => fc.tuple(fc.constant(file), changed(file.data)));
    await fc.assert(
      fc.asyncProperty(
        rewrites,
        record,
        fc.constantFrom("x.yaml", "x.md"),
        async ([{ text, data }, after], fresh, path) => {
          const order = [["id", "*", "tags"]];
          const isMarkdown = path === "x.md";
          const previous = bytes(isMarkdown ? `---\n${text.replace(/^\uFEFF/, "")}\n---\nbody\n` : text);
          const jobs = [
            {
              path,
              content: { data: fresh, ...(isMarkdown && { body: "# x\n" }) },
              previous: undefined,
              before: undefined,
              order,
            },
            {
              path,
              content: { data: after, ...(isMarkdown && { body: "other" }) },
              previous,
              before: { data, ...(isMarkdown && { body: "body\n" }) },
              order,
            },
          ];
          for (const job of jobs)
            expect(await outcome(apart.rewrite(job))).toEqual(await outcome(INLINE_CODEC.rewrite(job)));
          expect(await outcome(apart.decode(path, previous))).toEqual(
            await outcome(INLINE_CODEC.decode(path, previous)),
          );
        },
      ),
      { numRuns: 60 },
    );
    expect(said).toEqual([]);
  });

  it.each([
    ["text that is no YAML", "content/pages/a.yaml", bytes("a: 1\nb: [")],
    ["what is not UTF-8", "content/pages/a.yaml", new Uint8Array([0x61, 0x3a, 0x20, 0xff])],
    ["an empty file", "content/pages/a.yaml", bytes("")],
    ["Markdown with TOML that does not parse", "content/articles/a.md", bytes("+++\na = \n+++\n")],
  ])("fail alike for %s", async (_what, path, content) => {
    const { codec: apart } = await codec();
    const here = await outcome(INLINE_CODEC.decode(path, content));
    expect(here).toMatchObject({ thrown: { name: "FileError", path } });
    expect(await outcome(apart.decode(path, content))).toMatchObject({
      thrown: { ...(here as { thrown: object }).thrown, cause: undefined },
    });
  });

  it("fail alike where the data cannot be stored", async () => {
    const { codec: apart } = await codec();
    const keys = Object.fromEntries(Array.from({ length: 26_000 }, (_, n) => [`k${n}`, n]));
    const job = {
      path: "content/pages/a.yaml",
      content: { data: keys },
      previous: undefined,
      before: undefined,
      order: [],
    };
    const here = await outcome(INLINE_CODEC.rewrite(job));
    expect(here).toMatchObject({
      thrown: {
        name: "CmsError",
        code: "invalid",
        fields: { non_field_errors: [expect.stringContaining("25000 keys")] },
      },
    });
    expect(await outcome(apart.rewrite(job))).toEqual(here);
  });

  it("tell the same places", async () => {
    const { codec: apart } = await codec();
    expect(await apart.locate(bytes("a:\n  b: 1\n"), [["a", "b"], ["c"]])).toEqual([{ line: 2, column: 3 }, undefined]);
  });
});

describe("the thread", () => {
  const page = bytes(`text: ${"x".repeat(40_000)}\n`);

  it("has the large files alone, and ends when there are none for a while", async () => {
    const { codec: kept } = await codec({ thread: NAMING, inlineMax: 1000 });
    expect(await kept.decode("a.yaml", bytes("a: 1\n"))).toEqual({ data: { a: 1 } });
    await kept.rewrite({
      path: "a.yaml",
      content: { data: { a: 2 } },
      previous: bytes("a: 1\n"),
      before: undefined,
      order: [],
    });
    const first = await kept.decode("a.yaml", page);
    expect(first).toEqual({ data: { threadId: expect.any(Number) } });
    expect(await kept.decode("a.yaml", page)).toEqual(first);
    const { codec: brief } = await codec({ thread: NAMING, idleMs: 0 });
    const one = await brief.decode("a.yaml", page);
    await vi.waitFor(async () => expect(await brief.decode("a.yaml", page)).not.toEqual(one));
  });

  it("that fails, or cannot be started, leaves its work to the main one", async () => {
    const { codec: apart, said } = await codec({ thread: new URL("data:text/javascript,throw new Error('broken')") });
    const [a, b] = await Promise.all([apart.decode("a.yaml", page), outcome(apart.decode("b.yaml", bytes("b: [")))]);
    expect(a).toEqual(await INLINE_CODEC.decode("a.yaml", page));
    expect(b).toMatchObject({ thrown: { name: "FileError", path: "b.yaml" } });
    expect(said).not.toEqual([]);
    // A thread that ends without a word.
    const silent = await codec({ thread: new URL("data:text/javascript,setImmediate(() => process.exit(1))") });
    expect(await silent.codec.decode("a.yaml", page)).toEqual(a);
  });

  it("ends with the codec, which then works in line", async () => {
    const { codec: apart } = await codec();
    const pending = apart.decode("a.yaml", page);
    await apart.close();
    expect(await pending).toEqual(await INLINE_CODEC.decode("a.yaml", page));
    const named = await codec({ thread: NAMING });
    await named.codec.close();
    expect(await named.codec.decode("a.yaml", page)).toEqual(await pending);
  });
});
