/** Threads of comments on pages, of accounts of the staff for each other. */
import {
  addComment,
  deleteComment,
  editComment,
  openThread,
  resolveThread,
  type Commenter,
  type CommentPlace,
} from "../../../actions/review/threads.ts";
import { invalid, notFound } from "../../../errors.ts";
import { personOf } from "../../../model/account/person.ts";
import { booleanIn } from "../../../model/fields/canonical.ts";
import { numericId, parseId } from "../../../model/input/id.ts";
import { NOT_A_BOOLEAN } from "../../../model/input/input-errors.ts";
import { waitsFor, type CommentThread } from "../../../model/review/thread.ts";
import { FLAG, ID, listOf, record, ref, told } from "../../../schema/json-schema.ts";
import { findPage } from "../../../store/content/indexes/pages-by-model.ts";
import { THREADS } from "../../../store/records/people/threads.ts";
import { threadPayload, visibleThreads } from "../../../views/review/thread.ts";
import { actionBody, authorOf, readReply, writtenReply } from "../../app/resource.ts";
import { del, get, patch, post, requireUser, type Access, type Call, type Route } from "../../app/route.ts";
import { json, noContent, type Reply } from "../../request/reply.ts";

const STAFF: Access = { staff: true };
const RESOURCE = { kind: THREADS, show: threadPayload };
const ONE = { answer: "Thread", isVersioned: true } as const;

export const threadRoutes: readonly Route[] = [
  get("threads", STAFF, list, {
    summary: "List the threads of comments",
    query: [
      { name: "of", description: "Id of the page that they are about.", schema: ID },
      { name: "open", description: "Whether those that are resolved are left out.", schema: FLAG },
      {
        name: "mentioned",
        description: "Whether only those are listed that mention the caller and wait for an answer.",
        schema: FLAG,
      },
    ],
    answer: listOf(ref("Thread")),
    refusals: [400],
  }),
  post("threads", STAFF, open, {
    ...ONE,
    summary: "Comment on a page, a field or a passage of it",
    description: "In the active language. `@name` mentions an account, which sees it on its home screen.",
    body: "NewThread",
    status: 201,
    isLocalized: true,
  }),
  get("threads/:id", STAFF, (call) => readReply(call, RESOURCE, visible(call).id), {
    ...ONE,
    summary: "Read a thread",
  }),
  patch("threads/:id", STAFF, resolve, {
    ...ONE,
    summary: "Resolve a thread, or open it again",
    body: record({ resolved: told("Whether it is resolved.", FLAG) }),
  }),
  post("threads/:id/comments", STAFF, answer, {
    ...ONE,
    summary: "Answer in a thread",
    description: "A resolved thread is open again then.",
    body: "CommentInput",
    status: 201,
  }),
  patch("threads/:id/comments/:comment", STAFF, edit, {
    ...ONE,
    summary: "Change an own comment",
    body: "CommentInput",
    refusals: [403],
  }),
  del("threads/:id/comments/:comment", STAFF, remove, {
    summary: "Delete an own comment",
    description: "The thread goes with its last one.",
    refusals: [403],
  }),
];

function list(call: Call): Reply {
  const { searchParams } = call.url;
  const { username } = requireUser(call);
  const [of, view] = [searchParams.get("of"), call.view("editor")];
  const page = of === null ? undefined : numericId(of);
  if (of !== null && typeof page !== "number") throw invalid({ of: ["The id of a page is expected."] });
  const threads = visibleThreads(view).filter(
    (thread) =>
      (page === undefined || thread.page === page) &&
      (!searchParams.has("open") || thread.resolved_at === null) &&
      (!searchParams.has("mentioned") || waitsFor(thread, username)),
  );
  return json(threads.map((thread) => threadPayload(view, thread)));
}

async function open(call: Call): Promise<Reply> {
  const body = await call.body();
  const made = await openThread(call.ctx, commenterOf(call), call.lang, body);
  return writtenReply(call, RESOURCE, made, { status: 201 });
}

async function resolve(call: Call): Promise<Reply> {
  const { id } = visible(call);
  const { resolved } = await actionBody(call, "resolved");
  const isResolved = booleanIn(resolved ?? null);
  if (isResolved === undefined) throw invalid({ resolved: [NOT_A_BOOLEAN] });
  return writtenReply(call, RESOURCE, await resolveThread(call.ctx, commenterOf(call), id, isResolved));
}

async function answer(call: Call): Promise<Reply> {
  const { id } = visible(call);
  const body = await call.body();
  return writtenReply(call, RESOURCE, await addComment(call.ctx, commenterOf(call), id, body), { status: 201 });
}

async function edit(call: Call): Promise<Reply> {
  const at = placeOf(call);
  const body = await call.body();
  return writtenReply(call, RESOURCE, await editComment(call.ctx, commenterOf(call), at, body));
}

async function remove(call: Call): Promise<Reply> {
  await deleteComment(call.ctx, commenterOf(call), placeOf(call));
  return noContent();
}

/** The thread in the path. @throws CmsError `not_found`, also where the reader does not see its page */
function visible(call: Call): CommentThread {
  const { content } = call.view("editor");
  const thread = content.get(THREADS, call.id());
  if (!findPage(content, thread.page)) throw notFound(THREADS.name);
  return thread;
}

function placeOf(call: Call): CommentPlace {
  const comment = parseId(call.params.comment ?? "");
  if (comment === undefined) throw notFound("Comment");
  return { thread: visible(call).id, comment };
}

/** The caller as the author, with the version of the thread that `If-Match` names. */
const commenterOf = (call: Call): Commenter => ({
  by: call.params.id === undefined ? call.author() : authorOf(call, THREADS, call.id()),
  person: personOf(requireUser(call)),
});
