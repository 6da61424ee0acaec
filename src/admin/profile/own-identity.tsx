/** Connects the own account with who one is at a provider of identities. */
import { request } from "../api.ts";
import { text } from "../i18n.ts";
import { loadSignInMeans } from "../sign-in-means.ts";
import { useLoaded } from "../ui/loaded.ts";
import { attempt } from "../ui/notices.tsx";

export function OwnIdentity() {
  const means = useLoaded(loadSignInMeans);
  if (!means || means.providers.length === 0) return null;
  const connect = (name: string): void =>
    void attempt(async () => {
      const { value } = await request<{ url: string }>("POST", `auth/oidc/${name}/`, {
        body: { next: location.pathname },
      });
      location.assign(value.url);
    });
  return (
    <section class="own" aria-label={text("identity")}>
      <h2>{text("identity")}</h2>
      <p class="hint">{text("identityHint")}</p>
      {means.providers.map(({ name, label }) => (
        <button key={name} onClick={() => connect(name)}>
          {text("connectWith", { name: label })}
        </button>
      ))}
    </section>
  );
}
