/** The redirects of the site: listed, added and removed. Each change is one commit. */
import { useEffect, useState } from "preact/hooks";
import { ApiError, get, request, type FieldErrors } from "../api.ts";
import { DataForm } from "../fields/data-form.tsx";
import { Refusals, Messages } from "../fields/field-messages.tsx";
import { text } from "../i18n.ts";
import type { Values } from "../json.ts";
import { mayEdit } from "../session.ts";
import { defaultLanguage, languageName, languages } from "../site.ts";
import { attempt, notify, notifyFailure, offerUndo } from "../ui/notices.tsx";
import { ScreenTitle } from "../ui/screen-title.tsx";
import { RowCount, Table } from "../ui/lists/table.tsx";

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
      await attempt(() => request("POST", "redirects/", { body: redirect }));
      await load();
    };
    const query = new URLSearchParams({ from, ...(language !== null && { source_language: language }) });
    await attempt(async () => {
      await request("DELETE", `redirects/?${query}`);
      offerUndo(text("redirectRemoved", { from }), () => void again());
    });
    await load();
  };
  const verbs = (redirect: Redirect) => (
    <button
      class="danger"
      aria-label={text("removeRedirect", { from: redirect.from })}
      onClick={() => void remove(redirect)}
    >
      {text("remove")}
    </button>
  );
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
      <Table
        columns={[
          { name: text("redirectFrom"), show: ({ from }) => from },
          { name: text("redirectTo"), show: ({ to }) => to },
          { name: text("language"), show: ({ language }) => languageName(language ?? defaultLanguage.value) },
          { name: text("redirectStatus"), show: ({ status }) => text(`redirect${status}`) },
          ...(mayEdit("pages") ? [{ name: "", show: verbs }] : []),
        ]}
        rows={shown}
        keyOf={({ language, from }) => `${language} ${from}`}
      />
      <RowCount count={shown.length} />
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
              { name: "from", label: text("redirectFrom"), required: true, isNeverNull: true, placeholder: "/press" },
              { name: "to", label: text("redirectTo"), required: true, isNeverNull: true, placeholder: "/about-us" },
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
