/**
 * One transaction on the content: it reads a snapshot, sees its own changes, and records what it has changed.
 */
import { CmsError } from "../../errors.ts";
import type { Env } from "../../env.ts";
import type { Instant } from "../../model/time/instant.ts";
import type { Id } from "../../model/page/page.ts";
import { sameJson, withLineFeeds, type JsonObject } from "../../model/input/json.ts";
import { ACTION_KEY, readMessage } from "../../model/text/trailers.ts";
import type { AnyKind, Entity, Kind, Reader } from "../records/record-type.ts";
import type { Content, Path } from "../repo.ts";
import type { Snapshot, Table } from "../snapshot.ts";

/** Anything but a promise: work inside a transaction must be done when it returns. */
export type Sync<R> = R extends PromiseLike<unknown> ? never : R;

export interface Tx extends Reader {
  /** One reading of the clock for all timestamps of the transaction. */
  readonly now: Instant;
  /**
   * Stores a record, new or changed; one equal to what is stored changes nothing. Returns it, with `\n` for the `\r\n` of
   * new texts.
   */
  put<T extends Entity>(kind: Kind<T>, record: T): T;
  remove<T extends Entity>(kind: Kind<T>, id: Id): void;
  /** Gives what the files of a record get another form, which must read as the same record. */
  form(id: Id, inForm: Form): void;
  /** An id no record of any kind has. */
  newId(): Id;
  uuid(): string;
  /**
   * Writes (or, with null, removes) a file that is no record, in the same commit.
   *
   * @param facts the result that `examine` would have for the file; needed for files of an opaque kind
   */
  attach(path: Path, content: Content | null, facts?: JsonObject): void;
  /**
   * Runs a further part of the work after the work has returned, in the order of the calls. Requests are served between
   * two parts, so work on thousands of records does not block them; the transaction is still one commit.
   */
  defer(piece: () => void): void;
  /** Sets the commit message: a subject for people, and trailers for programs. The last call counts. */
  describe(subject: string, trailers?: Trailers, body?: string): void;
}

/** @param data of a file as the kind writes it */
export type Form = (data: JsonObject) => JsonObject;

/** `{ "Cms-Action": "publish", "Cms-Page": 12 }`; undefined values are left out, a list is a trailer for each. */
export type Trailers = { readonly [name: string]: string | number | undefined | readonly string[] };

/** A file that goes into the commit beside the records; null is removed. */
export interface Attachment {
  readonly content: Content | null;
  readonly facts?: JsonObject;
}

export interface Touched {
  readonly records: ReadonlyMap<AnyKind, ReadonlyMap<Id, Entity | null>>;
  readonly attached: ReadonlyMap<Path, Attachment>;
  readonly forms: ReadonlyMap<Id, Form>;
  readonly message: string;
}

export interface OpenTransaction {
  readonly tx: Tx;
  /** The functions passed to `defer`, which may add more while they run. */
  readonly deferred: readonly (() => void)[];
  touched(): Touched;
}

/** A transaction over a snapshot, and its changes once the work has returned. */
export function openTransaction(base: Snapshot, env: Env, now: Instant): OpenTransaction {
  const records = new Map<AnyKind, Map<Id, Entity | null>>();
  const logs = new Map<AnyKind, Id[]>();
  const views = new Map<AnyKind, readonly Entity[]>();
  const attached = new Map<Path, Attachment>();
  const forms = new Map<Id, Form>();
  const deferred: (() => void)[] = [];
  let message = "Change content";
  const change = (kind: AnyKind, id: Id, record: Entity | null): void => {
    const changes = records.get(kind) ?? new Map<Id, Entity | null>();
    const stored = base.find(kind, id) ?? null;
    // A record that is the same at the end as at the beginning was not changed.
    if (record === stored || sameJson(record, stored)) changes.delete(id);
    else changes.set(id, record);
    records.set(kind, changes);
    const log = logs.get(kind) ?? [];
    log.push(id);
    logs.set(kind, log);
    views.delete(kind);
  };
  let filled: readonly Table[] | undefined;
  const isUsed = (id: Id): boolean => {
    filled ??= [...base.tables().values()].filter(({ byId }) => byId.size > 0);
    for (const table of filled) if (table.byId.has(id)) return true;
    for (const changes of records.values()) if (changes.has(id)) return true;
    return false;
  };
  const find = <T extends Entity>(kind: Kind<T>, id: Id): T | undefined => {
    const changed = records.get(kind)?.get(id);
    return changed === undefined ? base.find(kind, id) : ((changed ?? undefined) as T | undefined);
  };
  const tx: Tx = {
    now,
    find,
    findSummary(kind, id) {
      const changed = records.get(kind)?.get(id);
      return changed === undefined ? base.findSummary(kind, id) : (changed ?? undefined);
    },
    get(kind, id) {
      const record = find(kind, id);
      return record ?? base.get(kind, NO_ID);
    },
    all<T extends Entity>(kind: Kind<T>): readonly T[] {
      const changes = records.get(kind);
      if (!changes || changes.size === 0) return base.all(kind);
      const known = views.get(kind);
      if (known) return known as readonly T[];
      const kept = base.all(kind).filter((record) => !changes.has(record.id));
      const all = [...kept, ...[...changes.values()].filter((record) => record !== null)].sort(
        (a, b) => a.id - b.id,
      ) as T[];
      views.set(kind, all);
      return all;
    },
    delta<T extends Entity>(kind: Kind<T>) {
      return {
        base,
        changes: (records.get(kind) ?? new Map<Id, Entity | null>()) as ReadonlyMap<Id, T | null>,
        log: logs.get(kind) ?? [],
      };
    },
    put(kind, given) {
      const record = withLineFeeds(given, base.find(kind, given.id));
      const entry = base.table(kind).byId.get(record.id);
      if (entry?.broken && !sameJson(record, entry.record)) {
        const { path, line, message: reason } = entry.broken;
        throw new CmsError(
          "conflict",
          `${path}${line ? ` (line ${line})` : ""} was edited by hand and does not load (${reason}). Mend the file, then write again.`,
        );
      }
      change(kind, record.id, record);
      return record;
    },
    remove(kind, id) {
      tx.get(kind, id);
      change(kind, id, null);
    },
    form: (id, inForm) => void forms.set(id, inForm),
    newId() {
      for (;;) {
        const id = env.randomId();
        if (!isUsed(id)) return id;
      }
    },
    uuid: () => env.uuid(),
    attach(path, content, facts) {
      attached.set(path, { content, facts });
    },
    defer: (piece) => void deferred.push(piece),
    describe(subject, trailers = {}, body = "") {
      message = commitMessage(subject, body, trailers);
    },
  };
  return { tx, deferred, touched: () => ({ records: nonEmpty(records), attached, forms, message }) };
}

/** An id that no record has, so that a look-up fails with the message of the kind. */
const NO_ID = 0;

const nonEmpty = <K, V extends { readonly size: number }>(map: ReadonlyMap<K, V>): Map<K, V> =>
  new Map([...map].filter(([, inner]) => inner.size > 0));

const SUBJECT_MAX = 100;

/** A subject, a body and trailers as a commit has them. */
export function commitMessage(subject: string, body: string, trailers: Trailers): string {
  const first = oneLine(subject);
  const rows = trailerRows(trailers);
  const comment = body.replace(/\0/g, "").trim();
  // Trailers are the last paragraph only, so a comment that looks like them must not be last.
  if (rows.length === 0 && comment !== "") rows.push(`${ACTION_KEY}: change`);
  return [first.length > SUBJECT_MAX ? `${first.slice(0, SUBJECT_MAX - 1)}…` : first, comment, rows.join("\n")]
    .filter((part) => part !== "")
    .join("\n\n");
}

const trailerRows = (trailers: Trailers): string[] =>
  Object.entries(trailers).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((each) => `${name}: ${oneLine(String(each))}`),
  );

/** A message that `commitMessage` made, with further trailers. */
export function withTrailers(message: string, trailers: Trailers): string {
  const rows = trailerRows(trailers);
  if (rows.length === 0) return message;
  const hasOwn = readMessage(message).trailers.size > 0;
  return `${message}${hasOwn ? "\n" : "\n\n"}${rows.join("\n")}`;
}

const oneLine = (text: string): string => text.replace(/[\s\0]+/g, " ").trim();
