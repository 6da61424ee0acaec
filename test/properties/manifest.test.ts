/** The manifest that is kept from write to write says what one made anew says, whatever was written. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openManifests } from "../../src/views/manifest/manifest.ts";
import { memorySite, publicViewOf } from "../site.ts";
import { FILES, step } from "../support/random-writes.ts";
import { expectSameAfterRestart } from "../support/restart.ts";

/** Milliseconds; a slow machine is no failure. */
const TIMEOUT = 120_000;

describe("the manifest after any writes", () => {
  it(
    "is the one made anew",
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
          const site = await memorySite(FILES);
          const kept = openManifests();
          const told: string[] = [];
          for (const [what, write] of [["the start", () => undefined] as const, ...steps]) {
            await write(site);
            told.push(what);
            const view = publicViewOf(site.cms);
            expect(await kept.answer(view, null), told.join("; ")).toEqual(await openManifests().answer(view, null));
          }
          await expectSameAfterRestart(site);
        }),
        { numRuns: 60 },
      );
    },
    TIMEOUT,
  );
});
