/** Who else has the page open, and whether another editor has saved it since it was loaded here. */
import { useEffect, useState } from "preact/hooks";
import { request } from "../../api.ts";
import { text } from "../../i18n.ts";
import { languageName } from "../../site.ts";
import { notifyFailure } from "../../ui/notices.tsx";
import { otherTabs } from "./own-tabs.ts";
import type { PageRecord } from "../page-record.ts";
import type { PageState } from "../page-state.ts";

/** In milliseconds; the server forgets an editor after 45 s. */
const INTERVAL = 20_000;

interface Opened {
  readonly version: string;
  readonly others: readonly { readonly id: number; readonly name: string; readonly language: string }[];
}

export function Presence({ page }: { page: PageState }) {
  const [others, setOthers] = useState<Opened["others"]>([]);
  /** The record to which the server has a newer version; a save from here replaces it. */
  const [newerThan, setNewerThan] = useState<PageRecord | undefined>(undefined);
  const key = `${page.collection}/${page.id} ${page.lang}`;
  const path = `${page.collection}/${page.id}/open/`;
  useEffect(() => {
    const tell = (): void => {
      if (document.hidden) return;
      const record = page.record.value;
      // Without an answer nothing is known of others, which a later request makes good.
      request<Opened>("POST", `${path}?language=${encodeURIComponent(page.lang)}`).then(
        ({ value }) => {
          setOthers(value.others);
          setNewerThan(page.version() === value.version ? undefined : record);
        },
        () => setOthers([]),
      );
    };
    tell();
    const timer = setInterval(tell, INTERVAL);
    document.addEventListener("visibilitychange", tell);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", tell);
      request("DELETE", path).catch(() => {});
    };
  }, [page]);
  const isOlder = newerThan === page.record.value;
  return (
    <div class="presence" role="status">
      {otherTabs(key).size > 0 && <p class="hint">{text("ownTab")}</p>}
      {others.length > 0 && (
        <p class="hint">
          {text("alsoOpen", {
            names: others.map(({ name, language }) => `${name} (${languageName(language)})`).join(", "),
          })}
        </p>
      )}
      {isOlder && (
        <p class="hint">
          {text("changedByOthers")}{" "}
          <button type="button" onClick={() => void page.catchUp().catch(notifyFailure)}>
            {text("takeOver")}
          </button>
        </p>
      )}
    </div>
  );
}
