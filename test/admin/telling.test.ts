/** What was typed reaches the server also when it could not be told at first. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { isTemporary, openTelling } from "../../src/admin/pages/telling.ts";

/** The statuses of the failures to come; without any, the server is told. */
let failures: number[] = [];
let sent: string[] = [];

beforeEach(() => {
  [failures, sent] = [[], []];
  vi.useFakeTimers();
});
afterEach(() => void vi.useRealTimers());

const after = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);
const open = (key: string) =>
  openTelling<string>(
    key,
    async (value) => {
      sent.push(value);
      const status = failures.shift();
      if (status !== undefined) throw status;
    },
    (error) => isTemporary(error as number),
  );

it.each([0, 500, 503, 429, 401, 403, 409])("is sent again after %i, later each time, without a key", async (status) => {
  failures = [status, status];
  open(`page ${status}`)("A");
  await after(699);
  expect(sent).toEqual([]);
  await after(1);
  expect(sent).toEqual(["A"]);
  await after(1_999);
  expect(sent).toHaveLength(1);
  await after(1);
  expect(sent).toHaveLength(2);
  await after(3_999);
  expect(sent).toHaveLength(2);
  await after(1);
  expect(sent).toEqual(["A", "A", "A"]);
  await after(600_000);
  expect(sent).toHaveLength(3);
});

it("is tried every minute at the least", async () => {
  failures = Array.from({ length: 100 }, () => 503);
  open("a")("A");
  await after(700 + 2_000 + 4_000 + 8_000 + 16_000 + 32_000);
  expect(sent).toHaveLength(6);
  await after(120_000);
  expect(sent).toHaveLength(8);
});

it.each([400, 404, 413])("is not repeated after %i, which is final", async (status) => {
  failures = [status];
  open("b")("A");
  await after(600_000);
  expect(sent).toEqual(["A"]);
});

it("gives way to what is typed later, also after the page was closed and opened again", async () => {
  failures = [503, 503];
  open("c")("A");
  await after(700);
  open("c")("AB");
  await after(700);
  open("c")("");
  await after(600_000);
  expect(sent).toEqual(["A", "AB", ""]);
});
