/** `preview-links.json`: the preview links that hold. Their signatures are derived, so the file alone opens nothing. */
import { parseInstant } from "../../model/time/instant.ts";
import { isObject, type JsonObject } from "../../model/input/json.ts";
import { LINK_CONTEXTS, type PreviewLink } from "../../model/page/preview-link.ts";
import { privateFile } from "./private-file.ts";

export interface PreviewLinkStore {
  /** May be expired: the caller checks. */
  list(): Promise<readonly PreviewLink[]>;
  /**
   * Also removes links that do not hold, since no list shows them and no one could revoke them.
   *
   * @param holds whether a link holds now
   * @returns false where there are too many: then nothing is added
   */
  add(link: PreviewLink, holds: (link: PreviewLink) => boolean): Promise<boolean>;
  /** @returns whether there was one */
  remove(id: string): Promise<boolean>;
}

const NAME = "preview-links.json";
/** All are read for each request by a link. */
const LINKS_MAX = 1000;

export function previewLinkStore(stateDir: string): PreviewLinkStore {
  const file = privateFile<readonly PreviewLink[]>({ dir: stateDir, name: NAME, empty: [], parse: linksOf });
  return {
    list: () => file.read(),
    add: (link, holds) =>
      file.update((links) => {
        const live = links.filter(holds);
        return live.length < LINKS_MAX ? [[...live, link], true] : [links, false];
      }),
    remove: (id) =>
      file.update((links) => {
        const rest = links.filter((link) => link.id !== id);
        return rest.length === links.length ? [links, false] : [rest, true];
      }),
  };
}

/** Invalid entries are dropped: damage must not open anything. */
const linksOf = (raw: unknown): readonly PreviewLink[] => (Array.isArray(raw) ? raw.flatMap(linkOf) : []);

function linkOf(raw: unknown): PreviewLink[] {
  const link: JsonObject = isObject(raw) ? raw : {};
  const isSound =
    [link.id, link.language, link.path, link.value].every((text) => typeof text === "string" && text !== "") &&
    [link.page, link.account, link.token_version].every(Number.isInteger) &&
    LINK_CONTEXTS.some((context) => context === link.context) &&
    [link.created_at, link.expires_at].every((at) => parseInstant(at) === at);
  return isSound ? [link as unknown as PreviewLink] : [];
}
