/** The request, as templates see it. */

/** What a template may know of the request; absent in a static build without `BASE_URL`. */
export interface RequestFacts {
  readonly path: string;
  readonly url: string;
  readonly host: string;
  readonly language: string;
}
