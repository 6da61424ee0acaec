/** Sites in memory that the queries of search-queries.ts are asked of. */
import { importFolder } from "../import/markdown/old-site.ts";
import { memorySite, type MemorySite } from "../site.ts";
import { contentOf, documentationPosts, SEARCHED_SITES, type SearchedSite } from "./search-queries.ts";

export async function searchedSites(): Promise<ReadonlyMap<SearchedSite, Pick<MemorySite, "ask" | "cms" | "clock">>> {
  const names = Object.keys(SEARCHED_SITES) as SearchedSite[];
  const sites = names.map(
    async (name) =>
      [
        name,
        await (name === "imported" ? importFolder("hugo", documentationPosts()) : memorySite(contentOf(name))),
      ] as const,
  );
  return new Map(await Promise.all(sites));
}
