/**
 * The store as an account has it whose rights are narrower than those of its permissions: it reads what the account may
 * view, and each of its writes is judged before it is committed.
 *
 * All that is done for such an account works on it in place of the store of the service, so nothing has to remember to ask.
 */
import type { Principal } from "../../model/access/role-rights.ts";
import type { Locales } from "../../model/language/locale.ts";
import type { Snapshot } from "../snapshot.ts";
import type { Store, StoreNarrowing } from "../write/store-types.ts";
import { judgeChange, refuseUnless } from "./asked-of-content.ts";
import { narrowingFor } from "./narrowed-content.ts";
import { accessContentOf, accessTargetsOf } from "./targets.ts";

/** Who works on a store. */
export interface Judged {
  /** Asked each time, since rights may change during a request. */
  principal(): Principal;
  /** The store of the newest content, by which also other content is judged. */
  readonly live: Store;
  /** The languages of the newest content. */
  readonly locales: Locales;
}

/** Whether more than permissions decide what an account may do. */
export const isJudged = ({ roles, narrowedBy }: Principal): boolean => roles.length > 0 || narrowedBy !== undefined;

export function judgedStore(store: Store, judged: Judged): Store {
  const { live, locales } = judged;
  const newest = () => accessContentOf(live.current, locales);
  const seenBy = () => narrowingFor(judged.principal(), newest(), locales);
  const seen = (content: Snapshot): Snapshot => seenBy()?.of(content) ?? content;
  const narrowing: StoreNarrowing = {
    whole: store,
    seen: seenBy,
    of: (other) => replaced(other, { narrowing }, () => seen(other.current)),
    ask(kind, id, action, language) {
      const targets = accessTargetsOf(store.current, kind, store.current.get(kind, id));
      const where = language === undefined ? {} : { language };
      refuseUnless(
        judged.principal(),
        action,
        targets.map((target) => ({ ...target, ...where })),
        newest(),
      );
    },
  };
  const transact: Store["transact"] = async (by, work) => {
    const { value, snapshot } = await store.transact(
      { ...by, judge: (before, after) => judgeChange(judged.principal(), { before, after }, locales) },
      work,
    );
    return { value, snapshot: seen(snapshot) };
  };
  const fork: Store["fork"] = async (options) => {
    const forked = await store.fork(options);
    return { ...forked, store: narrowing.of(forked.store) };
  };
  return replaced(store, { transact, fork, narrowing }, () => seen(store.current));
}

/** The methods of a store use its private fields, so they are called on the store itself. */
function replaced(store: Store, by: Partial<Store>, current: () => Snapshot): Store {
  return new Proxy(store, {
    get(target, key) {
      if (key === "current") return current();
      if (Object.hasOwn(by, key)) return by[key as keyof Store];
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
