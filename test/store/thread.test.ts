/** Tasks of a thread that ends, and of the next one. */
import { describe, expect, it } from "vitest";
import { Thread, ThreadEnded } from "../../src/store/thread.ts";

/** Answers each task but `hang` with its name. */
const ECHO = new URL(
  "data:text/javascript," +
    encodeURIComponent(
      'import { parentPort } from "node:worker_threads"; parentPort.on("message", ({ id, task }) => { if (task !== "hang") parentPort.postMessage({ id, result: task }); });',
    ),
);

function openThread() {
  const said: string[] = [];
  const log = { debug: () => undefined, info: () => undefined, warn: (text: string) => void said.push(text) };
  return { said, thread: new Thread({ log: log as never, purpose: "for a test", idleMs: 60_000, program: ECHO }) };
}

describe("a thread that is stopped", () => {
  it("does not take the tasks of the next one with it", async () => {
    const { thread, said } = openThread();
    expect(await thread.run("first", [])).toBe("first");
    const stopped = thread.stop();
    const next = thread.run("second", []);
    await stopped;
    expect(await next).toBe("second");
    expect(said).toEqual([]);
    await thread.stop();
  });

  it("refuses the tasks that it has not done, without a warning", async () => {
    const { thread, said } = openThread();
    const hanging = expect(thread.run("hang", [])).rejects.toThrow(ThreadEnded);
    await thread.stop();
    await hanging;
    expect(said).toEqual([]);
  });
});
