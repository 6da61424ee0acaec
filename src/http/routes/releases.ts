/** Releases: their resource, and what is done with one: checked, published, scheduled, taken back. */
import type { NumberedPermalink } from "../../actions/pages/numbered-permalinks.ts";
import { checkRelease, type ReleaseCheck } from "../../actions/releases/release-check.ts";
import { publishRelease } from "../../actions/releases/release-publication.ts";
import { revertRelease } from "../../actions/releases/release-reversal.ts";
import { createRelease, deleteRelease, scheduleRelease, updateRelease } from "../../actions/releases/releases.ts";
import { showInstant } from "../../model/time/instant.ts";
import { isObject, own, type Json } from "../../model/input/json.ts";
import { numericId } from "../../model/input/id.ts";
import { ARTICLE_MODEL } from "../../model/page/page.ts";
import { readPublishAt, type Release } from "../../model/page/release.ts";
import type { WritableSpec } from "../../library/records.ts";
import { MOMENT, orNull, record, TEXT, told } from "../../schema/json-schema.ts";
import { findPage } from "../../store/content/indexes/pages-by-model.ts";
import type { Snapshot } from "../../store/snapshot.ts";
import { findRelease, getRelease } from "../../store/content/indexes/releases.ts";
import { RELEASES } from "../../store/records/releases.ts";
import { itemPayload, RELEASE_LIST, releasePayload } from "../../views/moments/release.ts";
import { json, type Reply } from "../request/reply.ts";
import { actionBody, authorOf, resource, writtenReply } from "../app/resource.ts";
import { authorize } from "../app/authorize.ts";
import { get, post, type Access, type Call, type Route } from "../app/route.ts";

const SPEC: Omit<WritableSpec<Release>, "create"> = {
  kind: RELEASES,
  queryable: RELEASE_LIST,
  show: releasePayload,
  update: updateRelease,
  remove: deleteRelease,
};

const READERS: Access = { staff: true };
/** `onlyByEditorsOfItems` narrows this to the models of the pages in the release. */
const EDITORS: Access = { staff: true, any: ["cms.change_page", "cms.change_article"] };

const idOf = (call: Call): number => releaseOf(call).id;
const releaseOf = (call: Call): Release => getRelease(call.ctx.store.current, call.params.name ?? "");

const COMMENT = record(
  { comment: told("For the history; by default that of the release.", TEXT) },
  { optional: "all" },
);

const one = { answer: "Release", isVersioned: true } as const;

export const releaseRoutes: readonly Route[] = [
  ...resource<Release>({
    ...SPEC,
    path: "releases",
    param: ":name",
    access: { read: READERS, add: EDITORS, change: EDITORS, delete: EDITORS },
    schemas: {
      one: "a release",
      many: "releases",
      payload: "Release",
      input: "NewRelease",
      change: "ReleaseInput",
      kept: [403],
    },
    idOf,
    create: (ctx, by, body) => createRelease(ctx, by, body),
  }).map((route): Route => {
    const { operation } = route;
    const refusals = route.method === "PUT" || route.method === "PATCH" ? ([403, 409] as const) : operation.refusals;
    const told = { ...operation, ...(refusals && { refusals }) };
    const handle = route.method === "GET" ? route.handle : onlyByEditorsOfItems(route.handle);
    return { ...route, operation: told, handle };
  }),
  get("releases/:name/check", READERS, check, {
    summary: "Check what would fail if a release were published now",
    description:
      "The publication is tried in memory. `overlaps` are other releases that are not published and change the same field; " +
      "`numbered_permalinks` are those that pages get because another page has the plain one.",
    answer: "ReleaseCheck",
  }),
  post("releases/:name/publish", EDITORS, onlyByEditorsOfItems(publish), {
    ...one,
    summary: "Publish a release now",
    description: "All its items in one commit, or none: errors are by position in `items`.",
    body: COMMENT,
    isBodyOptional: true,
    refusals: [403, 409],
  }),
  post("releases/:name/schedule", EDITORS, onlyByEditorsOfItems(schedule), {
    ...one,
    summary: "Schedule a release",
    description: "It is published at that moment; null takes the schedule back.",
    body: record({ publish_at: orNull(MOMENT) }),
    refusals: [403, 409],
  }),
  post("releases/:name/revert", EDITORS, onlyByEditorsOfItems(revert), {
    summary: "Take back a release that was published",
    description:
      "In one commit, drafts included. What was changed since stands: it is listed, and what the release had replaced there is kept as a draft.",
    body: record({}),
    isBodyOptional: true,
    answer: "ReleaseReversal",
    refusals: [403, 409],
  }),
];

async function check(call: Call): Promise<Reply> {
  const release = releaseOf(call);
  const view = call.view("editor");
  return json(checkPayload(view, await checkRelease(call.ctx, call.ctx.store.current, release)));
}

type ItemView = Parameters<typeof itemPayload>[0];

const checkPayload = (view: ItemView, { failed, refusal, idle, overlaps, numbered }: ReleaseCheck) => ({
  ok: failed.length === 0 && refusal === null,
  refusal,
  failed: failed.map(({ item, errors }) => ({ ...itemPayload(view, item), errors })),
  idle: idle.map((item) => itemPayload(view, item)),
  overlaps: overlaps.map(({ release, item, fields }) => ({
    release: release.name,
    publish_at: showInstant(release.publish_at),
    ...itemPayload(view, item),
    fields,
  })),
  numbered_permalinks: numbered.map(numberedPayload),
});

export const numberedPayload = ({ takenBy, ...rest }: NumberedPermalink) => ({ ...rest, taken_by: takenBy });

async function publish(call: Call): Promise<Reply> {
  const { comment } = await actionBody(call, "comment");
  const { id, name } = releaseOf(call);
  const by = authorOf(call, RELEASES, id);
  return writtenReply(call, SPEC, await publishRelease(call.ctx, by, name, String(comment ?? "")));
}

async function schedule(call: Call): Promise<Reply> {
  const { publish_at } = await actionBody(call, "publish_at");
  const at = publish_at === null ? null : readPublishAt(await call.body());
  const { id, name } = releaseOf(call);
  return writtenReply(call, SPEC, await scheduleRelease(call.ctx, authorOf(call, RELEASES, id), name, at));
}

async function revert(call: Call): Promise<Reply> {
  await actionBody(call);
  const { value, snapshot } = await revertRelease(call.ctx, call.author(), releaseOf(call).name);
  const conflicts = value.conflicts.map((conflict) => ({
    kind: conflict.kind,
    path: conflict.path,
    field: conflict.kind === "field" ? conflict.value.field : null,
    language: conflict.kind === "field" ? (conflict.value.language ?? null) : null,
    drafted: conflict.kind === "field" && conflict.isDrafted,
  }));
  const view = call.view("editor", { content: snapshot });
  return json({ release: releasePayload(view, value.release), conflicts });
}

/**
 * A write by an account that may publish every page of the release, before and after it: a release must not be a way around
 * the permissions on a page model.
 */
function onlyByEditorsOfItems(handle: Route["handle"]): Route["handle"] {
  return async (call) => {
    const sent = pagesIn(await call.body());
    const permit = (content: Snapshot): void => {
      const stored = findRelease(content, call.params.name ?? "")?.items.map(({ page }) => page) ?? [];
      for (const id of [...stored, ...sent]) {
        const model = findPage(content, id)?.model === ARTICLE_MODEL ? "article" : "page";
        authorize({ staff: true, any: [`cms.change_${model}`, `cms.add_${model}`] }, call.user);
      }
    };
    permit(call.ctx.store.current);
    call.restrict(permit);
    return handle(call);
  };
}

function pagesIn(body: unknown): number[] {
  const items = isObject(body) ? own(body, "items") : undefined;
  if (!Array.isArray(items)) return [];
  return items.flatMap((item: Json) => {
    const page = isObject(item) ? own(item, "page") : undefined;
    const id = numericId(isObject(page) ? own(page, "id") : page);
    return typeof id === "number" ? [id] : [];
  });
}
