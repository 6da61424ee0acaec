/** Reads a site of camomilla, from its interface or from a dump of its database. */
import type { Context } from "../../actions/context.ts";
import { PAGE_MODELS } from "../../store/records/page-models.ts";
import { openDownloads } from "../sources/download.ts";
import type { TextFormat } from "../texts/html-markdown.ts";
import type { ImportedSite } from "../imported-site.ts";
import { camomillaSite } from "./camomilla-site.ts";
import { readDump } from "./dump.ts";
import { readServer, type ServerReading } from "./server.ts";

export interface CamomillaReading {
  /** A dump, or a running service. */
  readonly source:
    | { readonly file: string }
    | (Pick<ServerReading, "base" | "models"> & { readonly token: string | undefined });
  /** Absolute addresses at which pages were served beside the service itself. */
  readonly sites: readonly string[];
  /** Where the files of a dump were served: a path, or an absolute address. */
  readonly mediaUrl: string;
  /** The folder with the files. */
  readonly media: string | undefined;
  /** Hosts beside that of the service from which files may be fetched. */
  readonly mediaHosts: readonly string[];
  /** A folder for fetched files, which the caller removes. */
  readonly temporary: string;
  readonly format: TextFormat;
  readonly onStep: ServerReading["onStep"];
}

/** In bytes, of one answer of the interface, which has a hundred records at most. */
const ANSWER_MAX = 200 * 2 ** 20;

/** @throws CmsError `invalid` where the source cannot be read, with file and line of a dump */
export async function readCamomilla(
  { source, sites, mediaHosts, onStep, ...rest }: CamomillaReading,
  { config, locales, env, store }: Pick<Context, "config" | "locales" | "env" | "store">,
): Promise<ImportedSite> {
  const hosts = "base" in source ? [new URL(source.base).host] : [];
  const rows =
    "base" in source
      ? await readServer({ ...source, onStep, downloads: client(source, hosts) })
      : await readDump(source.file);
  return camomillaSite(rows, {
    ...rest,
    homes: ["base" in source ? [new URL(source.base).origin] : [], sites].flat(),
    mediaUrlHere: config.MEDIA.URL,
    locales,
    now: env.now(),
    models: new Map(store.current.all(PAGE_MODELS).map(({ name, schema }) => [name, schema])),
    // Files are public, and may be on other hosts: they are fetched without the token.
    downloads: openDownloads({ hosts: [...hosts, ...mediaHosts], maxSize: config.API.MAX_UPLOAD }),
  });
}

const client = ({ token }: { readonly token: string | undefined }, hosts: readonly string[]) =>
  openDownloads({
    hosts,
    maxSize: ANSWER_MAX,
    ...(token !== undefined && { headers: { authorization: `Token ${token}` } }),
  });
