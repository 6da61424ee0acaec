/** Answers found by the target of a request: no longer than they are cached, and in bounded memory. */
import { describe, expect, it } from "vitest";
import { answerAt, rememberTarget, remember, cachedAnswer } from "../../src/http/router-cache.ts";
import { msOf } from "../../src/model/instant.ts";
import { memorySite } from "../site.ts";

async function oneAnswer() {
  const { cms, clock } = await memorySite();
  const snapshot = cms.store.current;
  const answer = remember(cms.config, snapshot, "key", clock.now(), "{}", "version");
  return { cms, snapshot, answer, nowMs: msOf(clock.now()), clock };
}

describe("the answer to a target", () => {
  it("is that of its key, until it expires", async () => {
    const { cms, snapshot, answer, nowMs } = await oneAnswer();
    expect(answerAt(snapshot, "a /", nowMs)).toBeUndefined();
    expect(rememberTarget(snapshot, "a /", answer)).toBe(true);
    expect(answerAt(snapshot, "a /", nowMs)).toBe(answer);
    const end = nowMs + cms.config.ROUTER_CACHE * 1000;
    expect(answerAt(snapshot, "a /", end - 1)).toBe(answer);
    expect(answerAt(snapshot, "a /", end)).toBeUndefined();
  });

  it("is the newest one of its key", async () => {
    const { cms, snapshot, answer, nowMs, clock } = await oneAnswer();
    rememberTarget(snapshot, "a /", answer);
    const newer = remember(cms.config, snapshot, "key", clock.now(), "[]", "newer");
    expect(answerAt(snapshot, "a /", nowMs)).toBe(newer);
    expect(rememberTarget(snapshot, "b /", answer)).toBe(false);
    expect(answerAt(snapshot, "b /", nowMs)).toBeUndefined();
  });

  it("is forgotten with all others when there are too many targets; the answers stay", async () => {
    const { snapshot, answer, nowMs } = await oneAnswer();
    const long = "x".repeat(12_000);
    rememberTarget(snapshot, "a /", answer);
    for (let n = 0; n < 1000; n++) rememberTarget(snapshot, `a /${long}${n}`, answer);
    expect(answerAt(snapshot, "a /", nowMs)).toBeUndefined();
    expect(cachedAnswer(snapshot, "key", nowMs)).toBe(answer);
  });
});
