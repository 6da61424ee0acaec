/** The named tokens of the own account: made for programs, shown once, revoked. */
import { useState } from "preact/hooks";
import { ApiError, get, request, type FieldErrors } from "../api.ts";
import { modelName } from "../accounts/model-names.ts";
import { DataForm } from "../fields/data-form.tsx";
import type { Definitions } from "../fields/definition.ts";
import { Refusals } from "../fields/field-messages.tsx";
import { showDay, text } from "../i18n.ts";
import { isList, type Values } from "../json.ts";
import { ACTIONS, type Action, type Rule } from "../../model/access/rule.ts";
import { pageModels, type PageModel } from "../pages/page-models.ts";
import { isStaff } from "../session.ts";
import { languages } from "../site.ts";
import { FormDialog } from "../ui/form-dialog.tsx";
import { Table } from "../ui/lists/table.tsx";
import { useLoaded, useReloaded } from "../ui/loaded.ts";
import { copyText, notify, notifyFailure } from "../ui/notices.tsx";

interface OwnToken {
  readonly id: string;
  readonly name: string;
  readonly rules: readonly Rule[] | null;
  readonly expires_at: string | null;
  readonly last_used_at: string | null;
}

/** In days; "" is no end. */
const LIVES = ["30", "90", "365", ""] as const;

export function OwnTokens() {
  const [tokens, change] = useReloaded(() => get<readonly OwnToken[]>("users/current/tokens/"));
  const [isAdding, setAdding] = useState(false);
  const [made, setMade] = useState<string | undefined>(undefined);
  if (!tokens) return null;
  const revoke = ({ id, name }: OwnToken): void =>
    void change(async () => {
      await request("DELETE", `users/current/tokens/${id}/`);
      notify(text("tokenRevoked", { name }));
    });
  const added = (token: string): void => {
    setAdding(false);
    setMade(token);
    void change(() => Promise.resolve());
  };
  return (
    <section class="own" aria-label={text("tokens")}>
      <h2>{text("tokens")}</h2>
      <p class="hint">{text("tokensHint")}</p>
      {tokens.length > 0 && (
        <Table
          columns={[
            { name: text("name"), show: ({ name }) => <strong>{name}</strong> },
            { name: text("tokenMay"), show: ({ rules }) => rules?.map(ruleText).join("; ") ?? text("tokenMayAll") },
            { name: text("expires"), show: ({ expires_at: at }) => (at === null ? text("never") : showDay(at)) },
            { name: text("lastUse"), show: ({ last_used_at: at }) => (at === null ? text("never") : showDay(at)) },
            {
              name: "",
              show: (token) => (
                <button
                  class="danger"
                  aria-label={text("revokeToken", { name: token.name })}
                  onClick={() => revoke(token)}
                >
                  {text("revoke")}
                </button>
              ),
            },
          ]}
          rows={tokens}
          keyOf={({ id }) => id}
        />
      )}
      <button onClick={() => setAdding(true)}>{text("newToken")}</button>
      {isAdding && <NewToken onMade={added} onClose={() => setAdding(false)} />}
      {made !== undefined && <MadeToken token={made} onClose={() => setMade(undefined)} />}
    </section>
  );
}

const actionName = (action: Action): string => text(`action_${action}`);

const ruleText = ({ may, models, languages: codes, below }: Rule): string =>
  [
    may.length === 1 && may[0] === "view" ? text("tokenMayRead") : may.map(actionName).join(", "),
    ...(models ? [models.map(modelName).join(", ")] : []),
    ...(below === undefined ? [] : [`${text("tokenBelow")} ${below}`]),
    ...(codes ? [codes.join(", ")] : []),
  ].join(" · ");

function NewToken({ onMade, onClose }: { onMade: (token: string) => void; onClose: () => void }) {
  const [values, setValues] = useState<Values>({
    name: "",
    life: "90",
    may: "read",
    actions: [...ACTIONS.slice(0, 3)],
  });
  const [errors, setErrors] = useState<FieldErrors>({});
  const models = useLoaded(() => (isStaff() ? pageModels() : Promise.resolve([]))) ?? [];
  const add = async (): Promise<void> => {
    try {
      onMade((await request<{ token: string }>("POST", "users/current/tokens/", { body: bodyOf(values) })).value.token);
    } catch (error) {
      if (error instanceof ApiError) setErrors(error.fields);
      notifyFailure(error);
    }
  };
  return (
    <FormDialog title={text("newToken")} verb={text("create")} onClose={onClose} onSubmit={() => void add()} isWide>
      <Refusals errors={errors}>
        <DataForm definitions={definitions(models)} data={values} onChange={setValues} />
      </Refusals>
    </FormDialog>
  );
}

function definitions(custom: readonly PageModel[]): Definitions {
  const chosen = { show_if: { may: "actions" } };
  const models = ["page", "article", ...custom.map(({ name }) => name), "tag", "menu", "content", "media"];
  return [
    { name: "name", label: text("name"), required: true, isNeverNull: true, hint: text("tokenNameHint") },
    {
      ...{ name: "life", label: text("expires"), kind: "select", required: true },
      choices: LIVES.map((days) => ({ value: days, label: days === "" ? text("never") : text("inDays", { days }) })),
    },
    {
      ...{ name: "may", label: text("tokenMay"), kind: "select", required: true },
      choices: [
        { value: "read", label: text("tokenMayRead") },
        { value: "actions", label: text("tokenMaySome") },
        { value: "all", label: text("tokenMayAll") },
      ],
    },
    {
      ...{ name: "actions", label: text("actions"), kind: "select", multiple: true, required: true, ...chosen },
      choices: ACTIONS.map((value) => ({ value, label: actionName(value) })),
    },
    {
      ...{ name: "models", label: text("tokenModels"), kind: "select", multiple: true, ...chosen },
      choices: [...new Set(models)].map((value) => ({ value, label: modelName(value) })),
    },
    { name: "below", label: text("tokenBelow"), kind: "ref", target_model: "cms.page", ...chosen },
    {
      ...{ name: "languages", label: text("languages"), kind: "select", multiple: true, ...chosen },
      choices: languages.value.map(({ id, name }) => ({ value: id, label: name })),
    },
  ];
}

function bodyOf({ name, life, may, actions, models, below, languages: codes }: Values): Values {
  const listed = (key: string, value: Values[string] | undefined): Values =>
    isList(value) && value.length > 0 ? { [key]: value } : {};
  const rule = {
    may: actions ?? [],
    ...listed("models", models),
    ...listed("languages", codes),
    ...(typeof below === "number" && { below }),
  };
  const days = Number(life);
  return {
    name: name ?? "",
    expires_at: days > 0 ? new Date(Date.now() + days * 86_400_000).toISOString() : null,
    rules: may === "all" ? null : [may === "actions" ? rule : { may: ["view"] }],
  };
}

const MadeToken = ({ token, onClose }: { token: string; onClose: () => void }) => (
  <FormDialog
    title={text("tokenMade")}
    verb={text("copyToken")}
    onClose={onClose}
    onSubmit={() => void copyText(token, text("tokenCopied")).then(onClose)}
  >
    <p class="hint">{text("tokenMadeHint")}</p>
    <input class="code" readOnly aria-label={text("token")} value={token} />
  </FormDialog>
);
