/** Who is signed in. */
import { signal } from "@preact/signals";
import type { UserPayload } from "../library/payloads.ts";
import { ApiError, csrfToken, request, whenSignedOut } from "./api.ts";

export type User = Pick<UserPayload, "id" | "username" | "first_name" | "last_name" | "is_staff" | "is_superuser"> & {
  readonly all_permissions: readonly { readonly codename: string }[];
};

/**
 * `ended`: the session is over while a screen is open. The screen stays as it is below the form, so that nothing that was
 * typed is lost.
 */
export type Session =
  | { readonly state: "unknown" | "out" | "offline" }
  | { readonly state: "in" | "ended"; readonly user: User };

export const session = signal<Session>({ state: "unknown" });

whenSignedOut(() => {
  const { value } = session;
  session.value = value.state === "in" ? { state: "ended", user: value.user } : { state: "out" };
});

/** Asks the server whose session the browser has. Without the cookie that a session comes with, there is none. */
export async function restoreSession(): Promise<void> {
  if (csrfToken() === "") return void (session.value = { state: "out" });
  try {
    session.value = { state: "in", user: (await request<User>("GET", "users/current/", { isOnce: true })).value };
  } catch (error) {
    session.value = { state: error instanceof ApiError && error.status > 0 ? "out" : "offline" };
  }
}

/** @throws ApiError when the name or password is wrong, or there were too many attempts */
export async function signIn(credentials: Readonly<Record<string, unknown>>): Promise<void> {
  await request("POST", "auth/login/", { body: credentials });
  await restoreSession();
}

export async function signOut(): Promise<void> {
  await request("POST", "auth/logout/");
  session.value = { state: "out" };
}

/** @param permission such as `change_page` */
export const may = (permission: string): boolean =>
  "user" in session.value && session.value.user.all_permissions.some(({ codename }) => codename === permission);

const VERBS = ["add", "change", "delete", "view"];

/** Whether the account has any permission on one of the models, such as `page`. */
export const mayAny = (...models: readonly string[]): boolean =>
  models.some((model) => VERBS.some((verb) => may(`${verb}_${model}`)));

export const isSuperuser = (): boolean => "user" in session.value && session.value.user.is_superuser;

/** The API has some routes for staff alone, whatever their permissions; superusers count as staff. */
export const isStaff = (): boolean =>
  "user" in session.value && (session.value.user.is_staff || session.value.user.is_superuser);

const MODELS = { pages: "page", articles: "article" } as const;

/** Whether the account may save drafts and publish: the API has this for staff with one of two permissions. */
export const mayEdit = (collection: keyof typeof MODELS): boolean =>
  isStaff() && (may(`change_${MODELS[collection]}`) || may(`add_${MODELS[collection]}`));

/** Whether the account may change releases; those with pages that it may not publish are refused by the API. */
export const mayRelease = (): boolean => isStaff() && (may("change_page") || may("change_article"));

export const displayName = ({ first_name, last_name, username }: User): string =>
  `${first_name} ${last_name}`.trim() || username;
