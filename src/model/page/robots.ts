/** The directives for search engines in the field `robots` of a page, such as "noindex, nofollow". */

/** Whether they forbid listing the page in search results; "none" means "noindex, nofollow". */
export const isNoindex = (robots: string): boolean =>
  robots.split(/[\s,]/).some((directive) => /^(noindex|none)$/i.test(directive));
