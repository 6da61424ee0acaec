/** The sections of the editor, and which of them an account can do anything in. */
import { useEffect, useRef } from "preact/hooks";
import { text } from "./i18n.ts";
import { hrefOf, route } from "./router.ts";
import { isStaff, isSuperuser, mayAny, mayEdit } from "./session.ts";
import type { TextKey } from "./texts/en.ts";

interface Section {
  /** The first segment of the addresses of its screens; empty for the first screen. */
  readonly path: string;
  readonly name: TextKey;
  readonly isShown: () => boolean;
}

const SECTIONS: readonly Section[] = [
  { path: "", name: "home", isShown: () => true },
  // A page is shown with its preview, which the API has for staff.
  { path: "pages", name: "pages", isShown: () => isStaff() && mayAny("page") },
  { path: "articles", name: "articles", isShown: () => isStaff() && mayAny("article") },
  { path: "releases", name: "releases", isShown: () => isStaff() && mayAny("page", "article") },
  { path: "tags", name: "tags", isShown: () => mayAny("tag") },
  { path: "media", name: "media", isShown: () => mayAny("media", "mediafolder") },
  { path: "menus", name: "menus", isShown: () => mayAny("menu") },
  { path: "blocks", name: "blocks", isShown: () => mayAny("content") },
  { path: "types", name: "types", isShown: () => isStaff() && mayAny("metatype", "metainstance") },
  { path: "redirects", name: "redirects", isShown: () => mayEdit("pages") },
  { path: "accounts", name: "accounts", isShown: () => mayAny("user") },
  { path: "settings", name: "settings", isShown: isSuperuser },
];

/** Whether the account can do anything on a screen; addresses can be typed. @param path its first segment */
export const maySee = (path: string): boolean => SECTIONS.find((section) => section.path === path)?.isShown() ?? true;

/** The sections that the account can do anything in. */
export const shownSections = (): readonly Section[] => SECTIONS.filter(({ isShown }) => isShown());

export function Navigation() {
  const [current = ""] = route.value.segments;
  const nav = useRef<HTMLElement>(null);
  // On a phone the sections are one line that scrolls.
  useEffect(() => {
    const link = nav.current?.querySelector<HTMLElement>("[aria-current]");
    if (link) nav.current!.scrollLeft = link.offsetLeft - (nav.current!.clientWidth - link.offsetWidth) / 2;
  }, [current]);
  return (
    <nav ref={nav} aria-label={text("mainNavigation")}>
      {shownSections().map(({ path, name }) => (
        <a key={path} href={hrefOf(path)} aria-current={current === path ? "page" : undefined}>
          {text(name)}
        </a>
      ))}
    </nav>
  );
}
