import { get, request } from "../api.ts";
import { showMoment, text } from "../i18n.ts";
import { Table } from "../ui/lists/table.tsx";
import { useReloaded } from "../ui/loaded.ts";
import { notify } from "../ui/notices.tsx";
import { browserName } from "./browser-name.ts";

interface OwnSession {
  readonly id: string;
  readonly created_at: string;
  readonly address: string;
  readonly agent: string;
  readonly is_current: boolean;
}

export function OwnSessions() {
  const [sessions, change] = useReloaded(() => get<readonly OwnSession[]>("users/current/sessions/"));
  if (!sessions) return null;
  const end = (path: string): void =>
    void change(async () => {
      await request("DELETE", `users/current/sessions/${path}`);
      notify(text("sessionEndedNow"));
    });
  const nameOf = ({ agent }: OwnSession): string => browserName(agent) || text("unknownBrowser");
  return (
    <section class="own" aria-label={text("sessions")}>
      <h2>{text("sessions")}</h2>
      <p class="hint">{text("sessionsHint")}</p>
      <Table
        columns={[
          { name: text("browser"), show: nameOf },
          { name: text("fromAddress"), show: ({ address }) => address },
          { name: text("signedInAt"), show: ({ created_at: at }) => <time dateTime={at}>{showMoment(at)}</time> },
          {
            name: "",
            show: (session) =>
              session.is_current ? (
                <span class="badge">{text("thisBrowser")}</span>
              ) : (
                <button
                  class="danger"
                  aria-label={text("endSessionOf", { browser: nameOf(session), address: session.address })}
                  onClick={() => end(`${session.id}/`)}
                >
                  {text("endSession")}
                </button>
              ),
          },
        ]}
        rows={sessions}
        keyOf={({ id }) => id}
      />
      {sessions.some((session) => !session.is_current) && (
        <button onClick={() => end("")}>{text("endOtherSessions")}</button>
      )}
    </section>
  );
}
