/** The hooks of the settings, each with its last deliveries. */
import { get } from "../api.ts";
import { showMoment, text } from "../i18n.ts";
import { Table } from "../ui/lists/table.tsx";
import { useLoaded } from "../ui/loaded.ts";

interface Delivery {
  readonly id: string;
  readonly event: string;
  readonly created_at: string;
  readonly status: "waiting" | "delivered" | "failed";
  readonly attempts: number;
  readonly next_attempt: string | null;
  readonly last: { readonly at: string; readonly status: number | null; readonly error: string | null } | null;
}

interface Hook {
  readonly url: string;
  readonly events: readonly string[];
  readonly private: boolean;
  readonly signed: boolean;
  readonly deliveries: readonly Delivery[];
}

const STATES = { waiting: "deliveryWaiting", delivered: "deliveryDone", failed: "deliveryFailed" } as const;
/** The colours of the states of pages. */
const COLOURS = { waiting: "PLA", delivered: "PUB", failed: "TRS" } as const;

export function Hooks() {
  const hooks = useLoaded(() => get<readonly Hook[]>("hooks/"));
  if (!hooks) return null;
  return (
    <section aria-label={text("hooks")}>
      <h2>{text("hooks")}</h2>
      {hooks.length === 0 && <p class="hint">{text("noHooks")}</p>}
      {hooks.map((hook) => (
        <OneHook key={`${hook.url} ${hook.events.join()}`} hook={hook} />
      ))}
    </section>
  );
}

function OneHook({ hook: { url, events, signed, deliveries, private: isPrivate } }: { hook: Hook }) {
  return (
    <article class="card hook" aria-label={url}>
      <h3>{url}</h3>
      <p class="hint">
        {events.join(", ")} <span class="badge">{text(signed ? "signed" : "notSigned")}</span>{" "}
        {isPrivate && <span class="badge">{text("privateHook")}</span>}
      </p>
      {deliveries.length === 0 ? (
        <p class="hint">{text("noDeliveries")}</p>
      ) : (
        <Table
          columns={[
            { name: text("event"), show: ({ event }) => event },
            { name: text("status"), show: (delivery) => <DeliveryState delivery={delivery} /> },
            { name: text("attempts"), show: ({ attempts }) => attempts },
            {
              name: text("moment"),
              show: ({ created_at: at }) => <time dateTime={at}>{showMoment(at)}</time>,
            },
          ]}
          rows={deliveries}
          keyOf={({ id }) => id}
        />
      )}
    </article>
  );
}

const DeliveryState = ({ delivery: { status, last, next_attempt: next } }: { delivery: Delivery }) => (
  <>
    <span class={`badge ${COLOURS[status]}`}>{text(STATES[status])}</span> {last?.error ?? last?.status}
    {next !== null && <span class="address">{text("nextAttempt", { moment: showMoment(next) })}</span>}
  </>
);
