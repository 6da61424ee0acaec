/** Asks who is at the browser before what is sensitive; then the request that was refused is sent again. */
import { signal } from "@preact/signals";
import { useState } from "preact/hooks";
import { ApiError, request, whenUnconfirmed, type FieldErrors } from "../api.ts";
import { Labelled, Refusals } from "../fields/field-messages.tsx";
import { text } from "../i18n.ts";
import { loadSignInMeans, providerAddress } from "../sign-in-means.ts";
import { Dialog } from "../ui/dialog.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { useLoaded } from "../ui/loaded.ts";
import { notifyFailure } from "../ui/notices.tsx";
import { CodeInput } from "./own-codes.tsx";
import { hasPasskeys, usePasskey } from "./passkey.ts";

/** Takes the answer; absent while nothing is asked. */
const asked = signal<((isConfirmed: boolean) => void) | undefined>(undefined);

/** Requests that are refused at the same time wait for one answer. */
let answered: Promise<boolean> | undefined;

whenUnconfirmed(() => (answered ??= new Promise((resolve) => (asked.value = resolve))));

export const ConfirmDialog = () => (asked.value ? <Question answer={asked.value} /> : null);

function Question({ answer }: { readonly answer: (isConfirmed: boolean) => void }) {
  const [errors, setErrors] = useState<FieldErrors>({});
  const means = useLoaded(loadSignInMeans);
  const end = (isConfirmed: boolean): void => {
    asked.value = answered = undefined;
    answer(isConfirmed);
  };
  const confirm = async (proof: () => Promise<object>): Promise<void> => {
    try {
      await request("POST", "auth/confirm/", { body: await proof() });
      end(true);
    } catch (error) {
      if (error instanceof ApiError && Object.keys(error.fields).length > 0) setErrors(error.fields);
      else notifyFailure(error);
    }
  };
  if (!means) return null;
  const others = (
    <>
      {means.passwords && hasPasskeys() && (
        <button type="button" onClick={() => void confirm(async () => ({ response: await usePasskey() }))}>
          {text("confirmByPasskey")}
        </button>
      )}
      {means.providers.map(({ name, label }) => (
        <a key={name} class="button" href={providerAddress(name, true)}>
          {text("confirmBy", { name: label })}
        </a>
      ))}
    </>
  );
  if (!means.passwords)
    return (
      <Dialog title={text("confirmTitle")} onClose={() => end(false)}>
        <p class="hint">{text("confirmHint")}</p>
        <div class="actions">{others}</div>
      </Dialog>
    );
  return (
    <FormDialog
      title={text("confirmTitle")}
      verb={text("confirm")}
      onClose={() => end(false)}
      others={others}
      onSubmit={(form) => void confirm(() => Promise.resolve(Object.fromEntries(form)))}
    >
      <Refusals errors={errors}>
        <p class="hint">{text("confirmHint")}</p>
        <Labelled path="password" label={text("presentPassword")}>
          {(control) => <input {...control} name="password" type="password" required autocomplete="current-password" />}
        </Labelled>
        {errors.code && <CodeInput />}
      </Refusals>
    </FormDialog>
  );
}
