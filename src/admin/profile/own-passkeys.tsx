import { get, request } from "../api.ts";
import { showDay, text } from "../i18n.ts";
import { InlineForm } from "../ui/inline-form.tsx";
import { Table } from "../ui/lists/table.tsx";
import { useReloaded } from "../ui/loaded.ts";
import { notify } from "../ui/notices.tsx";
import { hasPasskeys, makePasskey } from "./passkey.ts";

interface OwnPasskey {
  readonly id: string;
  readonly name: string;
  readonly host: string;
  readonly last_used_at: string | null;
}

export function OwnPasskeys() {
  const [passkeys, change] = useReloaded(() => get<readonly OwnPasskey[]>("users/current/passkeys/"));
  if (!passkeys) return null;
  const add = (name: string): Promise<void> =>
    change(async () => {
      await request("POST", "users/current/passkeys/", { body: { name, response: await makePasskey() } });
      notify(text("passkeyAdded", { name }));
    });
  const remove = ({ id, name }: OwnPasskey): void =>
    void change(async () => {
      await request("DELETE", `users/current/passkeys/${id}/`);
      notify(text("passkeyRemoved", { name }));
    });
  return (
    <section class="own" aria-label={text("passkeys")}>
      <h2>{text("passkeys")}</h2>
      <p class="hint">{text(hasPasskeys() ? "passkeysHint" : "noPasskeysHere")}</p>
      {passkeys.length > 0 && (
        <Table
          columns={[
            { name: text("name"), show: ({ name }) => <strong>{name}</strong> },
            { name: text("passkeyFor"), show: ({ host }) => host },
            { name: text("lastUse"), show: ({ last_used_at: at }) => (at === null ? text("never") : showDay(at)) },
            {
              name: "",
              show: (passkey) => (
                <button
                  class="danger"
                  aria-label={text("removePasskey", { name: passkey.name })}
                  onClick={() => remove(passkey)}
                >
                  {text("remove")}
                </button>
              ),
            },
          ]}
          rows={passkeys}
          keyOf={({ id }) => id}
        />
      )}
      {hasPasskeys() && <InlineForm label={text("passkeyName")} verb={text("addPasskey")} onSubmit={add} />}
    </section>
  );
}
