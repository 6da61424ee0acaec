/** A release: what goes live together, what would fail, the pages as they would be, and publishing it. */
import type { ReleaseItem } from "../../model/page/release.ts";
import { useEffect, useState } from "preact/hooks";
import { API, inWords } from "../api.ts";
import { showMoment, text } from "../i18n.ts";
import { isList, type Json, type Values } from "../json.ts";
import { collectionOf } from "../pages/page-models.ts";
import { LINK_TARGET, knownRecord } from "../records/known-records.ts";
import { RecordFields } from "../records/record-fields.tsx";
import { RecordScreen } from "../records/record-screen.tsx";
import type { RecordPlace, RecordState } from "../records/record-state.ts";
import { ReleaseReview } from "../review/release-review.tsx";
import { hrefOf, route } from "../router.ts";
import { mayRelease } from "../session.ts";
import { contentLanguage } from "../site.ts";
import { notifyFailure } from "../ui/notices.tsx";
import { checkRelease, itemsOf, STATE_COLOURS, STATES, stateOf, type ReleaseCheck } from "./release.ts";
import { ReleaseItems } from "./release-items.tsx";
import { useReleaseVerbs } from "./release-verbs.tsx";
import { useLoaded } from "../ui/loaded.ts";

const valuesOf = (payload: Values): Values => ({
  name: payload.name ?? "",
  comment: payload.comment ?? "",
  items: itemsOf(payload) as unknown as Json,
});

/** @param name undefined: a new one, of the pages in the address */
const placeOf = (name: string | undefined): RecordPlace => ({
  path: "releases",
  id: name,
  idOf: (payload) => String(payload.name),
  blank: {
    name: "",
    comment: "",
    items: (route.value.query.get("pages") ?? "")
      .split(",")
      .filter((id) => /^\d+$/.test(id))
      .map((id) => ({ page: Number(id), language: contentLanguage.value, action: "publish" })),
  },
  values: valuesOf,
});

export function ReleaseScreen({ name }: { name: string | undefined }) {
  return (
    <RecordScreen
      place={placeOf(name)}
      title={({ payload }) => String(payload.value.name ?? text("newRelease"))}
      list={{ path: "releases", name: text("releases") }}
      screenOf={(payload) => `releases/${String(payload.name)}`}
      mayChange={({ payload }) => mayRelease() && stateOf(payload.value) !== "published"}
      mayDelete={mayRelease()}
      deletion={text("deleteRelease")}
      more={({ payload }) => name !== undefined && <State payload={payload.value} />}
      useVerbs={(record) => useReleaseVerbs(record, name)}
      isWide
    >
      {(record) => <ReleaseForm record={record} name={name} />}
    </RecordScreen>
  );
}

function State({ payload }: { payload: Values }) {
  const state = stateOf(payload);
  const moment = payload.publish_at ?? payload.published_at;
  return (
    <>
      <span class={`badge ${STATE_COLOURS[state]}`}>{text(STATES[state])}</span>
      {moment && <time dateTime={String(moment)}>{showMoment(String(moment))}</time>}
    </>
  );
}

function ReleaseForm({ record, name }: { record: RecordState; name: string | undefined }) {
  const [check, setCheck] = useState<ReleaseCheck | undefined>(undefined);
  const [attempt, setAttempt] = useState(0);
  const [previewed, setPreviewed] = useState<ReleaseItem | undefined>(undefined);
  const { values, payload, errors } = record;
  const items = (isList(values.value.items) ? values.value.items : []) as unknown as readonly ReleaseItem[];
  const isPublished = stateOf(payload.value) === "published";
  // The site as it would be after a release that cannot be published does not exist.
  const canPreview = isPublished || check?.ok === true;
  useEffect(() => {
    if (name === undefined || isPublished) return setCheck(undefined);
    const superseded = new AbortController();
    checkRelease(name, superseded.signal).then(setCheck, (error: unknown) => {
      if (!superseded.signal.aborted) notifyFailure(error);
    });
    return () => superseded.abort();
  }, [payload.value, attempt]);
  return (
    <div class="split">
      <div>
        <RecordFields
          record={record}
          definitions={[
            { name: "name", label: text("name"), hint: text("releaseNameHint"), required: true, isNeverNull: true },
            {
              ...{ name: "comment", label: text("releaseComment"), hint: text("releaseCommentHint") },
              ...{ kind: "textarea", isNeverNull: true },
            },
          ]}
        />
        <ReleaseItems
          items={items}
          check={check}
          errors={errors.value}
          previewed={previewed}
          onChange={(next) => record.set("items", next as unknown as Json)}
          onPreview={canPreview ? setPreviewed : undefined}
        />
      </div>
      {name !== undefined && (
        <div>
          {check && (
            <section class="card wide" aria-label={text("releaseCheck")}>
              <h2>{text("releaseCheck")}</h2>
              <Verdict check={check} />
              {record.isChanged.value && <p class="hint">{text("checkAfterSave")}</p>}
              <button type="button" onClick={() => setAttempt(attempt + 1)}>
                {text("checkAgain")}
              </button>
            </section>
          )}
          {!isPublished && <ReleaseReview name={name} />}
          {canPreview && previewed && (
            <ItemPreview key={`${previewed.page} ${previewed.language}`} release={name} item={previewed} />
          )}
          {canPreview && !previewed && <p class="hint">{text("previewHint")}</p>}
        </div>
      )}
    </div>
  );
}

function Verdict({ check: { ok, refusal, failed } }: { check: ReleaseCheck }) {
  if (ok) return <p role="status">{text("releaseOk")}</p>;
  return (
    <p role="alert">
      {failed.length > 0
        ? text("itemsFail", { count: failed.length })
        : text("releaseFails", { reason: inWords(refusal ?? "") })}
    </p>
  );
}

function ItemPreview({ release, item: { page, language } }: { release: string; item: ReleaseItem }) {
  const collection = useLoaded(() => collectionOf(page));
  const title = text("previewOfRelease", { name: knownRecord(LINK_TARGET, page)?.name ?? `#${page}` });
  if (!collection) return null;
  const query = new URLSearchParams({ language: language ?? contentLanguage.value, release });
  return (
    <section class="preview" aria-label={title}>
      <a href={hrefOf(`${collection}/${page}?lang=${query.get("language")}`)}>{title}</a>
      <iframe title={title} src={`${API}${collection}/${page}/render/?${query}`} />
    </section>
  );
}
