import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    environment: "node",
    include: ["test/**/*.test.ts"],
    // Real processes and real repositories on a busy machine; a test that hangs is still told by its name.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Left to itself vitest keeps one of two cores idle, and many of these tests wait more than they work.
    maxWorkers: 2,
    // A CommonJS package is imported as Node does, so that tests and the service see the same exports.
    deps: { interopDefault: false },
    reporters: ["default", "./test/ci-reporter.mjs"],
  },
});
