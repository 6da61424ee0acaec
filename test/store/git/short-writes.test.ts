/** A file system may write a part of what it is given: the rest is written after it. */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, expect, it } from "vitest";
import { diskFs } from "../../../src/store/git/fs.ts";

const { writevSync } = fs;
const dir = fs.mkdtempSync(join(tmpdir(), "cms-short-"));
afterEach(() => {
  fs.writevSync = writevSync;
  syncBuiltinESMExports();
});
afterAll(() => fs.rmSync(dir, { recursive: true }));

it.each([1, 2, 3, 5])("writes all parts, %i bytes at a time", async (most) => {
  const sizes: number[] = [];
  fs.writevSync = (file, parts, position) => {
    const bytes = Buffer.concat(parts as readonly Uint8Array[]).subarray(0, most);
    sizes.push(bytes.length);
    return writevSync(file, [bytes], position);
  };
  syncBuiltinESMExports();
  const path = join(dir, `${most}-bytes`);
  const file = await diskFs.create(path, 0o600);
  await file.write(
    ["ab", "", "cde", "f", ""].map((part) => Buffer.from(part)),
    0,
  );
  await file.close();
  expect(fs.readFileSync(path, "utf8")).toBe("abcdef");
  expect(sizes).toHaveLength(Math.ceil(6 / most));
});
