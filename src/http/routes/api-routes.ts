/** The routes of the API, of which each row says who may call it. */
import { tokenRoutes } from "./accounts/token-auth.ts";
import { auditRoutes } from "./accounts/audit.ts";
import { conflictRoutes } from "./conflicts.ts";
import { contentRoutes } from "./contents.ts";
import { mediaRoutes } from "./media.ts";
import { menuRoutes } from "./menus.ts";
import { hookRoutes } from "./hooks.ts";
import { redirectRoutes } from "./redirects.ts";
import { releaseRoutes } from "./releases.ts";
import { reviewRoutes } from "./review/reviews.ts";
import { threadRoutes } from "./review/threads.ts";
import { settingRoutes } from "./settings.ts";
import { metaRoutes } from "./meta.ts";
import { ownSessionRoutes } from "./accounts/own-sessions.ts";
import { ownProofRoutes } from "./accounts/own-proofs.ts";
import { ownTokenRoutes } from "./accounts/own-tokens.ts";
import { openIdRoutes } from "./accounts/openid.ts";
import { openapiRoutes } from "../openapi/routes.ts";
import { unsavedRoutes } from "./pages/autosave.ts";
import { momentRoutes } from "./moments.ts";
import { overviewRoutes } from "./overview.ts";
import { previewLinkRoutes } from "./pages/preview-links.ts";
import { pageModelRoutes } from "./pages/page-models.ts";
import { pageTreeRoutes } from "./pages/page-tree.ts";
import { pageRoutes } from "./pages/pages.ts";
import { permissionRoutes } from "./accounts/permissions.ts";
import { roleRoutes } from "./accounts/roles.ts";
import { ROUTER_ROUTES } from "../public/routers.ts";
import { searchRoutes } from "./search.ts";
import { sessionRoutes } from "./accounts/sessions.ts";
import { systemRoutes } from "./system.ts";
import { syncRoutes } from "./sync.ts";
import { recordRoutes } from "./records.ts";
import { userRoutes } from "./accounts/users.ts";
import type { Route } from "../app/route.ts";

const RESOURCES: readonly Route[] = [
  ...systemRoutes,
  ...tokenRoutes,
  ...pageRoutes,
  ...pageModelRoutes,
  ...pageTreeRoutes,
  ...unsavedRoutes,
  ...menuRoutes,
  ...contentRoutes,
  ...recordRoutes,
  ...mediaRoutes,
  ...metaRoutes,
  ...hookRoutes,
  ...redirectRoutes,
  ...releaseRoutes,
  ...reviewRoutes,
  ...threadRoutes,
  ...previewLinkRoutes,
  ...settingRoutes,
  ...sessionRoutes,
  ...userRoutes,
  ...openIdRoutes,
  ...ownSessionRoutes,
  ...ownTokenRoutes,
  ...ownProofRoutes,
  ...permissionRoutes,
  ...auditRoutes,
  ...roleRoutes,
  ...syncRoutes,
  ...conflictRoutes,
  ...overviewRoutes,
  ...momentRoutes,
  ...searchRoutes,
];

/** Every route below the API root except those of the routers; `test/access.test.ts` states the access of each. */
export const API_ROUTES: readonly Route[] = [
  ...RESOURCES,
  ...openapiRoutes([...RESOURCES.filter(({ isAliased }) => !isAliased), ...ROUTER_ROUTES]),
];
