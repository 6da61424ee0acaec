/** What was typed reaches the server also when it could not be told at first. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { isTemporary, openTelling } from "../../src/admin/pages/typed/telling.ts";

/** The statuses of the failures to come; without any, the server is told. */
let failures: number[] = [];
let sent: string[] = [];

beforeEach(() => {
  [failures, sent] = [[], []];
  vi.useFakeTimers();
});
afterEach(() => void vi.useRealTimers());

const after = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);
const open = () =>
  openTelling<string>(
    async (_key, value) => {
      sent.push(value);
      const status = failures.shift();
      if (status !== undefined) throw status;
    },
    (error) => isTemporary(error as number),
  );

it.each([0, 500, 503, 429, 401, 403, 409])("is sent again after %i, later each time, without a key", async (status) => {
  failures = [status, status];
  open().tell("page", "A");
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
  open().tell("page", "A");
  await after(700 + 2_000 + 4_000 + 8_000 + 16_000 + 32_000);
  expect(sent).toHaveLength(6);
  await after(120_000);
  expect(sent).toHaveLength(8);
});

it.each([400, 404, 413])("is not repeated after %i, which is final", async (status) => {
  failures = [status];
  open().tell("page", "A");
  await after(600_000);
  expect(sent).toEqual(["A"]);
});

it("gives way to what is typed later", async () => {
  failures = [503, 503];
  const { tell } = open();
  tell("page", "A");
  await after(700);
  tell("page", "AB");
  await after(700);
  tell("page", "");
  await after(600_000);
  expect(sent).toEqual(["A", "AB", ""]);
});

it("leaves other keys alone", async () => {
  failures = [503];
  const { tell, untold } = open();
  tell("page", "A");
  await after(700);
  tell("other page", "B");
  await after(700);
  expect(sent).toEqual(["A", "B"]);
  expect([untold("page"), untold("other page")]).toEqual(["A", undefined]);
});

it("has the value until the server is told it, or refuses it for good", async () => {
  failures = [503, 404];
  const { tell, untold } = open();
  expect(untold("page")).toBeUndefined();
  tell("page", "A");
  expect(untold("page")).toBe("A");
  await after(700);
  expect(untold("page")).toBe("A");
  await after(2_000);
  expect([sent, untold("page")]).toEqual([["A", "A"], undefined]);
  tell("page", "AB");
  expect(untold("page")).toBe("AB");
  await after(700);
  expect([sent, untold("page")]).toEqual([["A", "A", "AB"], undefined]);
});

it("has the latest value, and sends it last, while an older one is on its way", async () => {
  const answers: (() => void)[] = [];
  const { tell, untold } = openTelling<string>(
    (_key, value) => {
      sent.push(value);
      return new Promise<void>((resolve) => answers.push(resolve));
    },
    () => false,
  );
  tell("page", "A");
  await after(700);
  tell("page", "");
  await after(700);
  expect([sent, untold("page")]).toEqual([["A"], ""]);
  answers[0]!();
  await after(0);
  expect([sent, untold("page")]).toEqual([["A", ""], ""]);
  answers[1]!();
  await after(0);
  expect(untold("page")).toBeUndefined();
});

it("is sent at once where nothing is left to keep, and when the page is closed", async () => {
  const telling = open();
  telling.tell("page", "A", 0);
  await after(0);
  expect(sent).toEqual(["A"]);
  telling.tell("page", "B");
  failures = [503];
  telling.flush();
  expect(sent).toEqual(["A", "B"]);
});
