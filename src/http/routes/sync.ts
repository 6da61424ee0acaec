/** The sync of this server with its remote: its state, and a sync at once. */
import { CmsError, invalid } from "../../errors.ts";
import type { SyncService } from "../../store/sync/sync-service.ts";
import { FLAG, orNull, record, ref, told } from "../../schema/json-schema.ts";
import { json, type Reply } from "../request/reply.ts";
import { actionBody } from "../app/resource.ts";
import { get, post, type Call, type Route } from "../app/route.ts";

export const syncRoutes: readonly Route[] = [
  get("sync", { staff: true }, readSync, {
    summary: "Read the state of the sync with the remote",
    description: "null on a server that does not synchronise.",
    answer: orNull(ref("SyncStatus")),
  }),
  post(
    "sync",
    { staff: true },
    syncAtOnce,
    {
      summary: "Synchronise with the remote now",
      description: "Answers when it is done. A signed webhook is answered 202 at once.",
      body: record(
        { accept_deletions: told("Whether the remote may delete many files at once.", FLAG) },
        { optional: "all" },
      ),
      isBodyOptional: true,
      answer: "SyncReport",
      refusals: [404, 409, 503],
    },
    { webhook: { secret: ({ syncSecret }) => syncSecret, handle: requestSync } },
  ),
];

async function readSync({ ctx: { sync } }: Call): Promise<Reply> {
  return json(sync ? { ...(await sync.status()) } : null);
}

/** Answers when the sync is done. */
async function syncAtOnce(call: Call): Promise<Reply> {
  const sync = syncOf(call);
  const { accept_deletions: accepts } = await actionBody(call, "accept_deletions");
  if (accepts !== undefined && typeof accepts !== "boolean")
    throw invalid({ accept_deletions: ["Not a valid boolean."] });
  const { outcome, commit, pulled, pushed, isRewritten, conflicts } = await sync.sync(accepts ?? false);
  const paths = conflicts.map(({ kind, path }) => ({ kind, path }));
  return json({ outcome, commit, pulled, pushed, rewritten: isRewritten, conflicts: paths, ...(await sync.status()) });
}

/**
 * Answers at once: forges wait ten seconds at most. Body and result stay unused, so that a forge neither decides
 * anything nor sees what git says.
 */
function requestSync(call: Call): Reply {
  syncOf(call).request();
  return json({ detail: "A sync is requested." }, 202);
}

function syncOf({ ctx }: Call): SyncService {
  if (ctx.sync) return ctx.sync;
  throw new CmsError("not_found", "This server does not synchronise: start it with --sync.");
}
