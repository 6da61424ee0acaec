/**
 * What fields of front matter mean, whatever generator wrote them. A field that is not listed is kept under its name in
 * `template_data`.
 */
import { foreignMoment } from "../../model/front-matter/foreign-moment.ts";
import type { Instant } from "../../model/time/instant.ts";
import { isList, isObject, objectOf, own, type Json, type JsonObject } from "../../model/input/json.ts";
import type { Byline, PageText } from "../../model/page/page.ts";
import { slugify } from "../../model/address/slug.ts";
import type { TimeZone } from "../../model/time/time-zone.ts";
import { listOf, fieldText } from "./field-values.ts";
import { createHash } from "node:crypto";
import { ID_MAX } from "../../model/input/id.ts";

export interface EntryFields {
  readonly texts: Partial<Pick<PageText, "title" | "description" | "keywords" | "breadcrumbs_title">>;
  /** The moment of its publication, true to its zone. */
  readonly date: Instant | undefined;
  readonly updated: Instant | undefined;
  /** Former addresses. */
  readonly aliases: readonly string[];
  readonly ordering: number | undefined;
  /** Address of its picture, as it is written. */
  readonly image: string | undefined;
  readonly author: Byline | undefined;
  readonly robots: string | undefined;
  /** What has no field here. */
  readonly data: JsonObject;
  /** What could not be understood: the field, and a sentence. */
  readonly remarks: readonly (readonly [field: string, message: string])[];
}

/** The first that is there counts. */
export const DATES = ["publishDate", "date", "pubDate", "published_at", "datePublished", "publish_date", "published"];
export const UPDATES = ["lastmod", "updatedDate", "updated", "last_modified_at", "modified", "dateModified"];
const DESCRIPTIONS = ["description", "summary", "excerpt", "subtitle"];
const IMAGES = [
  "heroImage",
  "image",
  "featured_image",
  "featuredImage",
  "cover",
  "thumbnail",
  "banner",
  "images",
  "og_image",
];
const ALIASES = ["aliases", "redirect_from", "redirectFrom"];
const ORDERINGS = ["weight", "nav_order", "order"];

/** Fields that say where and how a file is published; what they say is in the address. */
const SPENT = [
  "title",
  "draft",
  "slug",
  "url",
  "permalink",
  "aliases",
  "redirect_from",
  "redirectFrom",
  "date",
  "translationKey",
];

/**
 * @param zone of moments without one
 * @param fileDate `YYYY-MM-DD` of the file name
 */
export function readEntryFields(data: JsonObject, zone: TimeZone, fileDate: string | undefined): EntryFields {
  const remarks: [string, string][] = [];
  const used = new Set<string>(SPENT);
  const take = (names: readonly string[]): string | undefined => {
    const name = names.find(
      (each) => own(data, each) !== undefined && own(data, each) !== null && own(data, each) !== "",
    );
    if (name !== undefined) used.add(name);
    return name;
  };
  const moment = (names: readonly string[]): Instant | undefined => {
    const name = names.find((each) => typeof own(data, each) === "string" && own(data, each) !== "");
    if (name === undefined) return undefined;
    const at = foreignMoment(own(data, name)!, zone);
    if (at === undefined) remarks.push([name, `${name} is no moment: it is kept in template_data.${name}.`]);
    else used.add(name);
    if (at === undefined && name === "date") used.delete("date");
    return at;
  };
  const text = (names: readonly string[]): string | undefined => {
    const name = names.find((each) => fieldText(own(data, each)) !== undefined);
    if (name !== undefined) used.add(name);
    return name === undefined ? undefined : fieldText(own(data, name));
  };
  const date = moment(DATES) ?? (fileDate === undefined ? undefined : foreignMoment(fileDate, zone));
  const updated = moment(UPDATES);
  const description = text(DESCRIPTIONS);
  const imageField = take(IMAGES);
  const image = imageField === undefined ? undefined : imageOf(own(data, imageField)!);
  if (imageField !== undefined && (image === undefined || !isPlainImage(own(data, imageField)!)))
    used.delete(imageField);
  const order = take(ORDERINGS);
  const ordering = order === undefined ? undefined : Number(own(data, order));
  const keywords = listOf(own(data, "keywords")).join(", ");
  const author = bylineOf(text(["author"]) ?? listOf(own(data, "authors"))[0]);
  if (own(data, "published") === false || own(data, "published") === true) used.add("published");
  if (foreignMoment(own(data, "expiryDate") ?? null, zone) !== undefined)
    remarks.push([
      "expiryDate",
      "It has an end (expiryDate), which pages do not have here: it is kept in template_data.expiryDate.",
    ]);
  used.add("keywords");
  return {
    texts: {
      title: fieldText(own(data, "title")) ?? null,
      ...(description !== undefined && { description }),
      ...(keywords !== "" && { keywords }),
      ...(fieldText(own(data, "linkTitle")) !== undefined && { breadcrumbs_title: fieldText(own(data, "linkTitle"))! }),
    },
    date,
    updated,
    aliases: ALIASES.flatMap((name) => listOf(own(data, name))),
    ordering: ordering !== undefined && Number.isSafeInteger(ordering) ? ordering : undefined,
    image,
    author,
    robots: own(data, "noindex") === true || own(data, "sitemap") === false ? "noindex" : undefined,
    data: objectOf(Object.entries(data).filter(([name]) => !used.has(name))),
    remarks,
  };
}

/** `cover: a.jpg`, `cover: { src: a.jpg, alt: A }` and `images: [a.jpg]`. */
function imageOf(value: Json): string | undefined {
  if (isList(value)) return value[0] === undefined ? undefined : imageOf(value[0]);
  if (isObject(value)) return fieldText(value.src ?? value.image ?? value.url ?? value.path);
  return typeof value === "string" ? value : undefined;
}

const isPlainImage = (value: Json): boolean => typeof value === "string" || (isList(value) && value.length === 1);

/** A name as an author; the id is made from it, since there is no account. */
function bylineOf(name: string | undefined): Byline | undefined {
  if (name === undefined) return undefined;
  const at = name.lastIndexOf(" ");
  const username = slugify(name) || "author";
  const id = (createHash("sha256").update(username).digest().readUInt32BE(0) % ID_MAX) + 1;
  return { id, username, first_name: at < 0 ? name : name.slice(0, at), last_name: at < 0 ? "" : name.slice(at + 1) };
}
