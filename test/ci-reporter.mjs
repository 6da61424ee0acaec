/**
 * The counts as one plain line, the very last of the run: `12 passed, 0 failed, 1 skipped`.
 *
 * A file that does not load and an error outside of any test count as failures, so that nothing fails unseen. Tests that
 * passed only when they were tried again are named before it.
 */
export default class CiReporter {
  #line = "0 passed, 1 failed, 0 skipped";
  #unstable = [];

  constructor() {
    // Printed at the exit, since other reporters print after the run has ended, too.
    process.once("exit", () => {
      for (const name of this.#unstable) process.stdout.write(`Passed only when tried again: ${name}\n`);
      process.stdout.write(`${this.#line}\n`);
    });
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
        if (test.diagnostic()?.flaky) this.#unstable.push(`${module.relativeModuleId} > ${test.fullName}`);
      }
      const isBroken = !module.ok() && !tests.some((test) => test.result().state === "failed");
      if (isBroken) counts.failed++;
    }
    this.#line = `${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`;
  }
}
