/** The screens by their addresses that are loaded when they are shown first. */
import type { VNode } from "preact";
import { PageHistory } from "./history/page-history.tsx";
import { PageEditor } from "./pages/page-editor.tsx";
import { contentLanguage } from "./site.ts";
import { lazy } from "./ui/lazy.tsx";

const ArticleList = lazy(async () => (await import("./articles/article-list.tsx")).ArticleList);
const TagList = lazy(async () => (await import("./articles/tags.tsx")).TagList);
const TagScreen = lazy(async () => (await import("./articles/tags.tsx")).TagScreen);
const BlockList = lazy(async () => (await import("./structure/blocks.tsx")).BlockList);
const BlockScreen = lazy(async () => (await import("./structure/blocks.tsx")).BlockScreen);
const Redirects = lazy(async () => (await import("./structure/redirects.tsx")).Redirects);
const SettingsScreen = lazy(async () => (await import("./settings/settings-screen.tsx")).SettingsScreen);
const AccountList = lazy(async () => (await import("./accounts/account-list.tsx")).AccountList);
const AccountScreen = lazy(async () => (await import("./accounts/account-screen.tsx")).AccountScreen);
const TypeList = lazy(async () => (await import("./meta/type-list.tsx")).TypeList);
const TypeScreen = lazy(async () => (await import("./meta/type-screen.tsx")).TypeScreen);
const InstanceList = lazy(async () => (await import("./meta/instance-list.tsx")).InstanceList);
const InstanceScreen = lazy(async () => (await import("./meta/instance-screen.tsx")).InstanceScreen);

/**
 * @param segments of the address
 * @returns undefined for an address without a screen; the key tells apart screens whose state must not be shared
 */
export function lazyScreen([section, id, ...rest]: readonly string[]): VNode | undefined {
  const key = [section, id, ...rest].join("/");
  const isOne = id !== undefined && isId(id) && rest.length === 0;
  switch (section) {
    case "articles":
      if (id === undefined) return <ArticleList key={key} />;
      if (!isId(id) || id === NEW) return undefined;
      if (rest.join("/") === "history") return <PageHistory key={key} id={Number(id)} collection="articles" />;
      if (rest.length > 0) return undefined;
      return <PageEditor key={`${key} ${contentLanguage.value}`} id={Number(id)} collection="articles" />;
    case "tags":
      if (id === undefined) return <TagList key={key} />;
      return isOne ? <TagScreen key={key} id={idOf(id)} /> : undefined;
    case "blocks":
      if (id === undefined) return <BlockList key={key} />;
      return isOne ? <BlockScreen key={key} id={idOf(id)} /> : undefined;
    case "redirects":
      return id === undefined ? <Redirects key={key} /> : undefined;
    case "settings":
      return id === undefined ? <SettingsScreen key={key} /> : undefined;
    case "accounts":
      if (id === undefined) return <AccountList key={key} />;
      return isOne ? <AccountScreen key={key} id={idOf(id)} /> : undefined;
    case "types":
      if (id === undefined) return <TypeList key={key} />;
      if (!isId(id)) return undefined;
      if (rest.length === 0) return <TypeScreen key={key} id={idOf(id)} />;
      if (rest[0] !== "instances" || id === NEW) return undefined;
      if (rest.length === 1) return <InstanceList key={key} type={Number(id)} />;
      if (rest.length === 2 && isId(rest[1]!))
        return <InstanceScreen key={key} type={Number(id)} id={idOf(rest[1]!)} />;
      return undefined;
    default:
      return undefined;
  }
}

/** In place of an id: a record that is not stored yet. */
const NEW = "new";
const isId = (segment: string): boolean => segment === NEW || /^\d+$/.test(segment);
const idOf = (segment: string): number | undefined => (segment === NEW ? undefined : Number(segment));
