/** Proposes to chosen people, instead of to everybody who may publish. */
import { get } from "../api.ts";
import { text } from "../i18n.ts";
import { displayName, session, type User } from "../session.ts";
import { FormDialog } from "../ui/form-dialog.tsx";
import { useLoaded } from "../ui/loaded.ts";

type Account = User & { readonly is_active: boolean; readonly roles: readonly string[] };

interface ProposeDialogProps {
  readonly onClose: () => void;
  /** @param asked user names; none: everybody who may publish */
  readonly onPropose: (asked: readonly string[]) => void;
}

export function ProposeDialog({ onClose, onPropose }: ProposeDialogProps) {
  const accounts = useLoaded(() => get<readonly Account[]>("users/"));
  const { value } = session;
  const own = "user" in value ? value.user.id : 0;
  const others = (accounts ?? []).filter(
    ({ id, is_active, is_staff, is_superuser, roles }) =>
      id !== own && is_active && (is_staff || is_superuser || roles.length > 0),
  );
  return (
    <FormDialog
      title={text("proposeTo")}
      verb={text("propose")}
      onClose={onClose}
      onSubmit={(form) => onPropose(form.getAll("asked").map(String))}
    >
      <p class="hint">{text("proposeToHint")}</p>
      <div class="choices">
        {others.map((account) => (
          <label key={account.id} class="flag">
            <input type="checkbox" name="asked" value={account.username} />
            {displayName(account)}
          </label>
        ))}
      </div>
    </FormDialog>
  );
}
