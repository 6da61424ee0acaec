/** Pictures in templates. */
import nunjucks from "nunjucks";
import { describe, expect, it } from "vitest";
import { addMediaHelpers } from "../../src/render/helpers/media-helpers.ts";

const rendition = (format: string, width: number): object => ({
  url: `/r/${format}-${width}`,
  width,
  height: width / 2,
  format,
  size: 1,
});
const PHOTO = {
  file: "/media/p.jpg",
  alt_text: 'Waves & "foam"',
  mime_type: "image/jpeg",
  image_props: { width: 1000, height: 500 },
  renditions: {
    "md-webp": rendition("webp", 800),
    "sm-webp": rendition("webp", 400),
    "sm-avif": rendition("avif", 400),
    "sm-original": rendition("original", 400),
    "md-original": rendition("original", 800),
  },
};
const BARE = { ...PHOTO, renditions: {} };
const DRAWING = { file: "/media/d.svg", alt_text: null, mime_type: "image/svg+xml", image_props: {}, renditions: {} };

const environment = new nunjucks.Environment(null, { autoescape: true });
addMediaHelpers(environment as never);
const render = (template: string): string =>
  environment.renderString(template, { photo: PHOTO, bare: BARE, drawing: DRAWING, none: null });

// oxfmt-ignore
it.each([
  ['{{ photo | srcset }}',             "/r/webp-400 400w, /r/webp-800 800w"],
  ['{{ photo | srcset("avif") }}',     "/r/avif-400 400w"],
  ['{{ photo | srcset("original") }}', "/r/original-400 400w, /r/original-800 800w"],
  ['{{ photo | srcset("png") }}',      ""],
  ['{{ bare | srcset("webp") }}',      ""],
  ['{{ drawing | srcset("webp") }}',   ""],
  ['{{ none | srcset("webp") }}',      ""],
  ['{{ "text" | srcset("webp") }}',    ""],
  ['{{ photo | srcset("__proto__") }}', ""],
  ['{{ media_srcset_url(photo, "md-webp") }}', "/r/webp-800"],
  ['{{ media_srcset_url(photo, "none") }}',    ""],
  ['{{ media_srcset_url(none, "md-webp") }}',  ""],
])("%s gives %j", (template, expected) => {
  expect(render(template)).toBe(expected);
});

describe("media_picture", () => {
  const ALT = 'alt="Waves &amp; &quot;foam&quot;"';
  const fallback = 'srcset="/r/original-400 400w, /r/original-800 800w, /media/p.jpg 1000w"';
  const avif = '<source type="image/avif" srcset="/r/avif-400 400w">';
  const webp = '<source type="image/webp" srcset="/r/webp-400 400w, /r/webp-800 800w">';
  it.each([
    [
      "media_picture(photo)",
      `<picture>${avif}${webp}<img src="/r/original-800" ${ALT} ${fallback} width="1000" height="500"></picture>`,
    ],
    [
      "media_picture(photo, formats=['webp'])",
      `<picture>${webp}<img src="/r/original-800" ${ALT} ${fallback} width="1000" height="500"></picture>`,
    ],
    [
      "media_picture(photo, fallback='webp', formats=['avif', 'webp'])",
      `<picture>${avif}<img src="/r/webp-800" ${ALT} srcset="/r/webp-400 400w, /r/webp-800 800w" width="1000" height="500"></picture>`,
    ],
    [
      "media_picture(photo, fallback='png')",
      `<picture>${avif}${webp}<img src="/r/original-800" ${ALT} ${fallback} width="1000" height="500"></picture>`,
    ],
    [
      "media_picture(photo, formats=[], alt='', class='hero', loading='lazy')",
      `<img src="/r/original-800" alt="" ${fallback} width="1000" height="500" class="hero" loading="lazy">`,
    ],
    ["media_picture(bare, class='hero')", `<img src="/media/p.jpg" ${ALT} width="1000" height="500" class="hero">`],
    ["media_picture(drawing, sizes='50vw')", '<img src="/media/d.svg" alt="">'],
    ["media_picture(none)", ""],
    ["media_picture({})", ""],
    [
      "media_picture(drawing, alt='<script>', class='\"><script>', onload='alert(1)', hidden=true, id=none)",
      '<img src="/media/d.svg" alt="&lt;script&gt;" class="&quot;&gt;&lt;script&gt;" hidden="">',
    ],
  ])("%s", (call, expected) => {
    expect(render(`{{ ${call} }}`)).toBe(expected);
  });

  it("has `sizes` on every source", () => {
    expect(render("{{ media_picture(photo, sizes='50vw') }}").match(/ sizes="50vw"/g)).toHaveLength(3);
  });
});
