/**
 * Pages with values that are not saved, for a preview that another program renders: in memory, for a minute, each under a key
 * that cannot be guessed. A key opens the one page in the one language, by GET.
 */
import { randomBytes } from "node:crypto";
import { keptBy } from "../../memo.ts";
import type { Lang } from "../../model/language/locale.ts";
import type { Page } from "../../model/page/page.ts";
import { msOf, type Instant } from "../../model/time/instant.ts";
import type { Store } from "../../store/write/store.ts";

export const KEY_PARAMETER = "key";

const LIFE_MS = 60_000;
/** All values together, in characters of JSON. */
const SIZE_MAX = 32_000_000;
/** An allowance for the memory of an entry itself. */
const ENTRY_SIZE = 2_000;
const KEY_BYTES = 24;

interface KeptPreview {
  readonly page: Page;
  readonly lang: Lang;
  /** As the account has it that keeps the page: the key shows nothing else beside the page. */
  readonly store: Pick<Store, "current">;
  readonly untilMs: number;
  readonly size: number;
}

class KeptPreviews {
  /** The oldest first. */
  readonly #byKey = new Map<string, KeptPreview>();
  #size = 0;

  add(
    page: Page,
    lang: Lang,
    { store, now, length }: Pick<KeptPreview, "store"> & { readonly now: Instant; readonly length: number },
  ): string {
    const [size, untilMs] = [length + ENTRY_SIZE, msOf(now) + LIFE_MS];
    for (const [key, kept] of this.#byKey) {
      if (kept.untilMs > msOf(now) && this.#size + size <= SIZE_MAX) break;
      this.#byKey.delete(key);
      this.#size -= kept.size;
    }
    const key = randomBytes(KEY_BYTES).toString("base64url");
    this.#byKey.set(key, { page, lang, store, untilMs, size });
    this.#size += size;
    return key;
  }

  find(key: string, now: Instant): KeptPreview | undefined {
    const kept = this.#byKey.get(key);
    return kept && kept.untilMs > msOf(now) ? kept : undefined;
  }
}

const PREVIEWS = new WeakMap<object, KeptPreviews>();

/** Those of a site, lost when the server ends. @param store by which the site is known */
export const keptPreviewsOf = (store: Pick<Store, "narrowing">): KeptPreviews =>
  keptBy(PREVIEWS, store.narrowing?.whole ?? store, () => new KeptPreviews());
