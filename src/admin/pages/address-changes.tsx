/** What a change that is not saved yet would do to addresses. */
import { request } from "../api.ts";
import { text } from "../i18n.ts";
import type { Values } from "../json.ts";

export interface AddressChange {
  readonly page: number;
  readonly title: string;
  readonly language: string;
  readonly from: string | null;
  readonly to: string | null;
  readonly redirects: boolean;
}

export interface ChangedAddresses {
  /** How many changes there are; `changes` has the first of them. */
  readonly count: number;
  readonly changes: readonly AddressChange[];
}

/** @param page its path in the API, such as `pages/12` @param values as for a PATCH of the page @throws ApiError with the field errors that the PATCH would have */
export const readAddressChanges = async (
  page: string,
  lang: string,
  values: Values,
  signal: AbortSignal,
): Promise<ChangedAddresses> =>
  (await request<ChangedAddresses>("POST", `${page}/addresses/?language=${lang}`, { body: values, signal })).value;

const SHOWN = 8;

export function AddressChanges({ changed: { count, changes } }: { changed: ChangedAddresses }) {
  const moved = changes.filter(({ from }) => from !== null);
  if (moved.length === 0) return <p class="hint">{text("addressesStay")}</p>;
  const shown = moved.slice(0, SHOWN);
  return (
    <>
      <p>{text("addressesChange", { count })}</p>
      <ul class="links">
        {shown.map(({ page, language, from, to, redirects }) => (
          <li key={`${page} ${language}`}>
            <span class="badge">{language}</span> <del>{from}</del> → <ins>{to ?? text("noChoice")}</ins>
            <span class="address">{text(redirects ? "redirectsToNew" : "neverPublic")}</span>
          </li>
        ))}
      </ul>
      {count > shown.length && <p class="hint">{text("andMore", { count: count - shown.length })}</p>}
    </>
  );
}
