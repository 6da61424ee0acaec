/** One-time codes of an app, and the recovery codes that are shown once. */
import { useState } from "preact/hooks";
import { ApiError, get, request, type FieldErrors } from "../api.ts";
import { Labelled, Refusals } from "../fields/field-messages.tsx";
import { text } from "../i18n.ts";
import { FormDialog } from "../ui/form-dialog.tsx";
import { useReloaded } from "../ui/loaded.ts";
import { attempt, copyText, notify, notifyFailure } from "../ui/notices.tsx";

interface OwnCodesState {
  readonly is_on: boolean;
  readonly recovery_codes_left: number;
}

interface NewSecret {
  readonly secret: string;
  readonly uri: string;
}

export function OwnCodes() {
  const [codes, change] = useReloaded(() => get<OwnCodesState>("users/current/codes/"));
  const [secret, setSecret] = useState<NewSecret | undefined>(undefined);
  const [recovery, setRecovery] = useState<readonly string[] | undefined>(undefined);
  if (!codes) return null;
  const begin = (): void =>
    void attempt(async () => setSecret((await request<NewSecret>("POST", "users/current/codes/new/")).value));
  const turnOff = (): void =>
    void change(async () => {
      await request("DELETE", "users/current/codes/");
      notify(text("codesAreOff"));
    });
  const turnedOn = (shown: readonly string[]): void => {
    setSecret(undefined);
    setRecovery(shown);
    void change(() => Promise.resolve());
  };
  return (
    <section class="own" aria-label={text("codes")}>
      <h2>{text("codes")}</h2>
      <p class="hint">{codes.is_on ? text("codesLeft", { count: codes.recovery_codes_left }) : text("codesHint")}</p>
      <button onClick={begin}>{text(codes.is_on ? "renewCodes" : "turnOnCodes")}</button>{" "}
      {codes.is_on && (
        <button class="danger" onClick={turnOff}>
          {text("turnOffCodes")}
        </button>
      )}
      {secret && <TurnOn {...secret} onDone={turnedOn} onClose={() => setSecret(undefined)} />}
      {recovery && (
        <FormDialog
          title={text("recoveryCodes")}
          verb={text("copyToken")}
          onClose={() => setRecovery(undefined)}
          onSubmit={() => void copyText(recovery.join("\n"), text("codesCopied")).then(() => setRecovery(undefined))}
        >
          <p class="hint">{text("recoveryHint")}</p>
          <ul class="code">
            {recovery.map((code) => (
              <li key={code}>{code}</li>
            ))}
          </ul>
        </FormDialog>
      )}
    </section>
  );
}

interface TurnOnProps extends NewSecret {
  readonly onDone: (recovery: readonly string[]) => void;
  readonly onClose: () => void;
}

function TurnOn({ secret, uri, onDone, onClose }: TurnOnProps) {
  const [errors, setErrors] = useState<FieldErrors>({});
  const turnOn = async (form: FormData): Promise<void> => {
    try {
      const body = { secret, code: form.get("code") };
      onDone(
        (await request<{ recovery_codes: string[] }>("POST", "users/current/codes/", { body })).value.recovery_codes,
      );
    } catch (error) {
      if (error instanceof ApiError && Object.keys(error.fields).length > 0) setErrors(error.fields);
      else notifyFailure(error);
    }
  };
  return (
    <FormDialog
      title={text("turnOnCodes")}
      verb={text("turnOn")}
      onClose={onClose}
      onSubmit={(form) => void turnOn(form)}
    >
      <Refusals errors={errors}>
        <p class="hint">{text("secretHint")}</p>
        <p>
          <code>{secret.match(/.{4}/g)?.join(" ")}</code>
        </p>
        <p>
          <a href={uri}>{text("openInApp")}</a>
        </p>
        <CodeInput />
      </Refusals>
    </FormDialog>
  );
}

/** A code of the app, or a recovery code. */
export const CodeInput = () => (
  <Labelled path="code" label={text("code")}>
    {(control) => <input {...control} name="code" required autocomplete="one-time-code" />}
  </Labelled>
);
