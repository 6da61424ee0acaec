/** The content that this build, or this development server, is of. */
import { lastContent } from "../cms/content";

const content = lastContent();
if (!content) throw new Error("There is no content yet: the integration in astro.config.ts fetches it.");

export const { entries, languages, menus } = content;
