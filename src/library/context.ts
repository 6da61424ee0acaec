/** What the library works on: the context of actions, and templates. */
import type { Context } from "../actions/context.ts";
import type { Templates } from "../render/templates.ts";
import type { SyncService } from "../store/sync/sync-service.ts";
import type { Manifests } from "../views/manifest/manifest.ts";

export interface SiteContext extends Context {
  readonly templates: Templates;
  readonly manifests: Manifests;
  /** Present on a server that synchronises with a remote. */
  readonly sync?: SyncService;
  /** The secret of the webhooks that start a sync. */
  readonly syncSecret?: string;
}
