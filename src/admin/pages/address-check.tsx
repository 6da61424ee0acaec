/** What the typed title, address or parent would do to addresses, said while it is typed. */
import { useEffect, useState } from "preact/hooks";
import { ApiError } from "../api.ts";
import { text } from "../i18n.ts";
import type { Values } from "../json.ts";
import { useOwnValues } from "../records/own-values.ts";
import { AddressChanges, readAddressChanges, type ChangedAddresses } from "./address-changes.tsx";
import type { PageState } from "./page-state.ts";

/** In milliseconds: a pause in typing after which the server is asked. */
const TYPING_PAUSE = 300;

export function AddressCheck({ page }: { page: PageState }) {
  const [told, setTold] = useState<ChangedAddresses | ApiError | undefined>(undefined);
  const sent = addressValues(useOwnValues(page, ["title", "autopermalink", "permalink", "parent_page"]));
  const key = JSON.stringify(sent);
  useEffect(() => {
    const superseded = new AbortController();
    const timer = setTimeout(() => {
      readAddressChanges(`${page.collection}/${page.id}`, page.lang, sent, superseded.signal).then(
        setTold,
        (error: unknown) => {
          if (!superseded.signal.aborted) setTold(error instanceof ApiError ? error : undefined);
        },
      );
    }, TYPING_PAUSE);
    return () => {
      clearTimeout(timer);
      superseded.abort();
    };
  }, [key, page.record.value.date_updated_at]);
  const isRefused = told instanceof ApiError;
  return (
    <div class="address-check" role="status" aria-label={text("addressCheck")}>
      {isRefused && told.status === 400 && <p class="error">{told.message}</p>}
      {!isRefused && told && told.changes.some(({ from }) => from !== null) && <AddressChanges changed={told} />}
    </div>
  );
}

/** A permalink is sent only if it does not follow the title. */
function addressValues({ title, autopermalink, permalink, parent_page: parent }: Values): Values {
  const isAutomatic = autopermalink === true;
  return {
    title: title ?? null,
    autopermalink: isAutomatic,
    parent_page: parent ?? null,
    ...(!isAutomatic && permalink !== null && { permalink: permalink ?? "" }),
  };
}
