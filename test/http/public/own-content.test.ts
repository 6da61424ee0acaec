/**
 * The answer to a write shows the content of this write, never a later one.
 *
 * Tested for every route that writes: after a transaction, reading the newest content throws.
 */
import { describe, expect, it } from "vitest";
import { h3App } from "../../../src/http/app/h3-app.ts";
import type { Store } from "../../../src/store/write/store.ts";
import { memorySite } from "../../site.ts";
import { requestOf, WRITE_FILES, WRITES, WRITTEN } from "../../support/writes.ts";

/** A store that throws when the newest content is read after a transaction. */
function guarded(store: Store): Store {
  let isDone = false;
  return new Proxy(store, {
    get(target, key) {
      if (key === "current" && isDone) throw new Error("the newest content is looked at after the write");
      if (key !== "transact") return target[key as keyof Store];
      return async (...args: Parameters<Store["transact"]>) => {
        const outcome = await target.transact(...args);
        isDone = true;
        return outcome;
      };
    },
  });
}

describe("the answer to a write comes from its own content", () => {
  it("is tested for every route that writes", () => {
    expect(Object.keys(WRITES).sort()).toEqual([...WRITTEN].sort());
  });

  it.each(Object.entries(WRITES))("%s", async (route, make) => {
    const site = await memorySite(WRITE_FILES);
    const { method, path, body, headers } = requestOf(route, await make(site));
    const app = h3App({ ...site.cms, store: guarded(site.cms.store) });
    const response = await app.request(`http://test.local/api/cms/${path}`, {
      method,
      headers: { ...headers, authorization: `Token ${await site.token("superuser")}` },
      body: typeof body === "string" ? body : body && JSON.stringify(body),
    });
    expect([response.status, response.status < 300 ? "" : await response.text()]).toEqual([
      expect.toSatisfy((status: number) => status < 300),
      "",
    ]);
  });
});
