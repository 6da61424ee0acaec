/** The redirects of the site: listed, added and removed. Each change is one commit. */
import { useEffect, useState } from "preact/hooks";
import { ApiError, get, request, type FieldErrors } from "../api.ts";
import { DataForm } from "../fields/data-form.tsx";
import { Refusals, Messages } from "../fields/field-messages.tsx";
import { text } from "../i18n.ts";
import type { Values } from "../json.ts";
import { mayEdit } from "../session.ts";
import { defaultLanguage, languages } from "../site.ts";
import { notify, notifyFailure, offerUndo } from "../ui/notices.tsx";
import { ScreenTitle } from "../ui/screen-title.tsx";

interface Redirect {
  readonly from: string;
  readonly to: string;
  readonly status: 301 | 302;
  /** null: the default one. */
  readonly language: string | null;
}

export function Redirects() {
  const [all, setAll] = useState<readonly Redirect[] | undefined>(undefined);
  const [search, setSearch] = useState("");
  const load = (): Promise<void> => get<readonly Redirect[]>("redirects/").then(setAll, notifyFailure);
  useEffect(() => void load(), []);
  if (!all) return null;
  const shown = all.filter(({ from, to }) => `${from} ${to}`.toLowerCase().includes(search.trim().toLowerCase()));
  const remove = async (redirect: Redirect): Promise<void> => {
    const { from, language } = redirect;
    const again = async (): Promise<void> => {
      await request("POST", "redirects/", { body: redirect }).catch(notifyFailure);
      await load();
    };
    const query = new URLSearchParams({ from, ...(language !== null && { source_language: language }) });
    try {
      await request("DELETE", `redirects/?${query}`);
      offerUndo(text("redirectRemoved", { from }), () => void again());
    } catch (error) {
      notifyFailure(error);
    }
    await load();
  };
  return (
    <>
      <div class="heading">
        <ScreenTitle name={text("redirects")} />
      </div>
      <p class="hint">{text("redirectsHint")}</p>
      {mayEdit("pages") && <NewRedirect onAdded={() => void load()} />}
      <div class="filters" role="search">
        <input
          type="search"
          aria-label={text("searchRedirects")}
          placeholder={text("searchRedirects")}
          onInput={({ currentTarget }) => setSearch(currentTarget.value)}
        />
      </div>
      <table class="list">
        <thead>
          <tr>
            <th scope="col">{text("redirectFrom")}</th>
            <th scope="col">{text("redirectTo")}</th>
            <th scope="col">{text("language")}</th>
            <th scope="col">{text("redirectStatus")}</th>
            {mayEdit("pages") && <td />}
          </tr>
        </thead>
        <tbody>
          {shown.map((redirect) => (
            <tr key={`${redirect.language} ${redirect.from}`}>
              <td>{redirect.from}</td>
              <td data-label={text("redirectTo")}>{redirect.to}</td>
              <td data-label={text("language")}>{redirect.language ?? defaultLanguage.value}</td>
              <td data-label={text("redirectStatus")}>{text(`redirect${redirect.status}`)}</td>
              {mayEdit("pages") && (
                <td>
                  <button
                    class="danger"
                    aria-label={text("removeRedirect", { from: redirect.from })}
                    onClick={() => void remove(redirect)}
                  >
                    {text("remove")}
                  </button>
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
      <p class="foot" role="status">
        {shown.length === 0 ? text("nothingFound") : text("recordCount", { count: shown.length })}
      </p>
    </>
  );
}

const BLANK: Values = { from: "", to: "", status: "301", language: null };

function NewRedirect({ onAdded }: { onAdded: () => void }) {
  const [values, setValues] = useState(BLANK);
  const [errors, setErrors] = useState<FieldErrors>({});
  const add = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    try {
      await request("POST", "redirects/", { body: { ...values, status: Number(values.status) } });
      setValues(BLANK);
      setErrors({});
      notify(text("saved"));
      onAdded();
    } catch (error) {
      if (error instanceof ApiError) setErrors(error.fields);
      notifyFailure(error);
    }
  };
  return (
    <details>
      <summary>{text("newRedirect")}</summary>
      <Refusals errors={errors}>
        <form class="narrow" aria-label={text("newRedirect")} onSubmit={(event) => void add(event)}>
          <DataForm
            definitions={[
              { name: "from", label: text("redirectFrom"), required: true, placeholder: "/press" },
              { name: "to", label: text("redirectTo"), required: true, placeholder: "/about-us" },
              {
                name: "status",
                label: text("redirectStatus"),
                kind: "select",
                required: true,
                choices: (["301", "302"] as const).map((value) => ({ value, label: text(`redirect${value}`) })),
              },
              {
                name: "language",
                label: text("language"),
                kind: "select",
                choices: languages.value.map(({ id, name }) => ({ value: id, label: name })),
              },
            ]}
            data={values}
            onChange={setValues}
          />
          <Messages path="non_field_errors" />
          <p>
            <button class="primary">{text("addRedirect")}</button>
          </p>
        </form>
      </Refusals>
    </details>
  );
}
