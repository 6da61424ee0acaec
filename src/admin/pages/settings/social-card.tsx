/** What social networks show of a page that is shared. */
import { text } from "../../i18n.ts";
import { knownRecord, MEDIA_MODEL } from "../../records/known-records.ts";
import { useOwnValues } from "../../records/own-values.ts";
import type { PageState } from "../page-state.ts";

const CARD = ["title", "description", "og_title", "og_description", "og_image"];

export function SocialCard({ page }: { page: PageState }) {
  const {
    title,
    description,
    og_title: ogTitle,
    og_description: ogDescription,
    og_image: image,
  } = useOwnValues(page, CARD);
  const picture = typeof image === "number" ? knownRecord(MEDIA_MODEL, image)?.picture : undefined;
  return (
    <figure class="card">
      <figcaption>{text("socialCard")}</figcaption>
      {picture && <img src={picture} alt="" loading="lazy" />}
      <p>{location.host}</p>
      <strong>{String(ogTitle || title || "")}</strong>
      <p>{String(ogDescription || description || "")}</p>
    </figure>
  );
}
