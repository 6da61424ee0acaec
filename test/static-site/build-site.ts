/** Builds of a site in memory, and the files of an output folder. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { build } from "../../src/static-site/build.ts";
import type { BuildOptions } from "../../src/static-site/input.ts";
import { openPageLog } from "../../src/static-site/page-log.ts";
import { openDependencies } from "../../src/static-site/dependencies.ts";
import type { Report } from "../../src/static-site/report.ts";
import { publishedFiles } from "../../src/static-site/sources/tree-static.ts";
import { treeSource } from "../../src/static-site/sources/tree.ts";
import { KINDS } from "../../src/cms.ts";
import { silentLog } from "../../src/env.ts";
import type { TestSite } from "../site.ts";

/** Builds the site as it is now. */
export async function buildTree(
  { cms, clock }: Pick<TestSite, "cms"> & { readonly clock: Pick<TestSite["clock"], "now"> },
  out: string,
  options: Partial<BuildOptions> = {},
): Promise<Report> {
  const { config, templates, store, root } = cms;
  templates.reset();
  const dependencies = openDependencies();
  const source = treeSource({
    root,
    content: store.current,
    kinds: KINDS,
    config,
    now: clock.now(),
    epoch: async () => null,
    dependencies,
  });
  return build(
    {
      ...{ config, templates, dependencies, source },
      log: openPageLog(silentLog),
      statics: await publishedFiles(root, config),
    },
    { out, full: false, html: true, json: true, redirects: [], ...options },
  );
}

/** Every file except the state file, by path. */
export function filesIn(dir: string): Map<string, string> {
  const entries = readdirSync(dir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries
    .map((entry) => join(entry.parentPath, entry.name).slice(dir.length + 1))
    .filter((path) => path !== ".cms-manifest.json");
  return new Map(paths.sort().map((path) => [path, readFileSync(join(dir, path), "latin1")]));
}

export function emptyDir(): string {
  const dir = mkdtempSync(join(tmpdir(), "cms-build-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

export function saveFile(dir: string, path: string, text: string): void {
  mkdirSync(dirname(join(dir, path)), { recursive: true });
  writeFileSync(join(dir, path), text);
}

/** Templates that run every query. */
export const TEMPLATES: Readonly<Record<string, string>> = {
  "templates/base.html":
    '<!doctype html><title>{{ page.title }}</title><nav>{% for node in menus.main.nodes %}<a href="{{ node.link.url }}">{{ node.title }}</a>{% endfor %}</nav>{% block main %}{% endblock %}',
  "templates/defaults/pages/default.html":
    '{% extends "base.html" %}{% block main %}{{ page.template_data.body | markdown if page.template_data.body }}{% for child in pages_of(page) %}<li>{{ child.title }} {{ child.routerlink }}</li>{% endfor %}{% include "part.html" ignore missing %}{{ localized_url(page.template_data.to or "/") }}{% endblock %}',
  "templates/listing.html":
    '{% extends "base.html" %}{% block main %}{% for each in articles() %}<p>{{ each.title }}</p>{% endfor %}{% for each in tags() %}<i>{{ each.name }}</i>{% endfor %}{% for each in instances("person") %}<b>{{ each.data.name }}</b>{% endfor %}{{ content_block("note").content }}{{ (page | filter_content("hero")).content }}{% endblock %}',
  "templates/defaults/articles/default.html": "<h1>{{ page.title }}</h1>",
  "templates/404.html": "lost",
};
