/** The own account: who is signed in, the language of the editor, the password, and signing out. */
import { signal } from "@preact/signals";
import { useState } from "preact/hooks";
import { ApiError, request, type FieldErrors } from "../api.ts";
import { Labelled, Refusals } from "../fields/field-messages.tsx";
import { chooseLanguage, LANGUAGES, text, uiLanguage } from "../i18n.ts";
import { hrefOf } from "../router.ts";
import { displayName, restoreSession, session, signOut } from "../session.ts";
import { FormDialog } from "../ui/form-dialog.tsx";
import { notify, notifyFailure } from "../ui/notices.tsx";
import { CodeInput } from "./own-codes.tsx";

/** Outlives the menu that opens it. */
const isChangingPassword = signal(false);

export function Profile() {
  const { value } = session;
  if (!("user" in value)) return null;
  const { username } = value.user;
  return (
    <div class="profile">
      <p>
        <strong>{displayName(value.user)}</strong>
        {displayName(value.user) !== username && <span class="address">{username}</span>}
      </p>
      <label>
        {text("editorLanguage")}
        <select value={uiLanguage.value} onChange={(event) => chooseLanguage(event.currentTarget.value)}>
          {Object.entries(LANGUAGES).map(([code, { name }]) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <a href={hrefOf("profile")}>{text("signInMeans")}</a>
      <button class="quiet" onClick={() => (isChangingPassword.value = true)}>
        {text("changePassword")}
      </button>
      <button class="quiet" onClick={() => void signOut()}>
        {text("signOut")}
      </button>
    </div>
  );
}

const FIELDS = [
  ["current_password", "presentPassword", "current-password"],
  ["password", "newPassword", "new-password"],
  ["again", "passwordAgain", "new-password"],
] as const;

export function PasswordDialog() {
  const [errors, setErrors] = useState<FieldErrors>({});
  if (!isChangingPassword.value) return null;
  const close = (): void => {
    isChangingPassword.value = false;
    setErrors({});
  };
  const change = async (form: FormData): Promise<void> => {
    const { again, ...body } = Object.fromEntries(form);
    if (again !== body.password) return setErrors({ again: [text("passwordsDiffer")] });
    try {
      await request("POST", "auth/password/", { body });
      close();
      notify(text("passwordChanged"));
      await restoreSession();
    } catch (error) {
      if (error instanceof ApiError) setErrors(error.fields);
      if (!(error instanceof ApiError) || Object.keys(error.fields).length === 0) notifyFailure(error);
    }
  };
  return (
    <FormDialog
      title={text("changePassword")}
      verb={text("changePassword")}
      onClose={close}
      onSubmit={(form) => void change(form)}
    >
      <Refusals errors={errors}>
        <p class="hint">{text("changePasswordHint")}</p>
        {FIELDS.map(([name, label, autocomplete]) => (
          <Labelled key={name} path={name} label={text(label)}>
            {(control) => <input {...control} name={name} type="password" required autocomplete={autocomplete} />}
          </Labelled>
        ))}
        {errors.code && <CodeInput />}
      </Refusals>
    </FormDialog>
  );
}
