/**
 * The counts as one plain line, the very last of the run: `12 passed, 0 failed, 1 skipped`.
 *
 * A file that does not load and an error outside of any test count as failures, so that nothing fails unseen.
 */
export default class CiReporter {
  #line = "0 passed, 1 failed, 0 skipped";

  constructor() {
    // Printed at the exit, since other reporters print after the run has ended, too.
    process.once("exit", () => process.stdout.write(`${this.#line}\n`));
  }

  /** @param {readonly import("vitest/node").TestModule[]} modules */
  onTestRunEnd(modules, unhandledErrors) {
    const counts = { passed: 0, failed: unhandledErrors.length, skipped: 0 };
    for (const module of modules) {
      const tests = [...module.children.allTests()];
      for (const test of tests) {
        const { state } = test.result();
        if (state === "passed" || state === "failed") counts[state]++;
        else counts.skipped++;
      }
      const isBroken = !module.ok() && !tests.some((test) => test.result().state === "failed");
      if (isBroken) counts.failed++;
    }
    this.#line = `${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`;
  }
}
