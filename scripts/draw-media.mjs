// Draws the pictures of the example site into media/: `node scripts/draw-media.mjs [name ...]`.
//
// Every picture is a scene of two kinds of layer: fields, computed a pixel at a time from seeded noise (sky, sea, rock,
// glass, paper), and drawings, SVG with soft edges (towers, boats, coats). The layers are combined, lit with
// blurred copies, and finished with a little grain. Without fonts and randomness, so that every machine draws the same pictures.
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import sharp from "sharp";

const MEDIA = join(dirname(fileURLToPath(import.meta.url)), "..", "media");
const W = 1980;
const H = 1320;

// ---------------------------------------------------------------------------------------------- numbers and noise

const clamp = (x, low = 0, high = 1) => Math.min(high, Math.max(low, x));
const smooth = (a, b, x) => {
  const t = clamp((x - a) / (b - a));
  return t * t * (3 - 2 * t);
};
const mix = (a, b, t) => a + (b - a) * t;
const blend = (a, b, t) => [mix(a[0], b[0], t), mix(a[1], b[1], t), mix(a[2], b[2], t)];
const add = (a, b, t = 1) => [a[0] + b[0] * t, a[1] + b[1] * t, a[2] + b[2] * t];
const scale = (a, t) => [a[0] * t, a[1] * t, a[2] * t];
const hex = (text) => [1, 3, 5].map((at) => parseInt(text.slice(at, at + 2), 16));

/** A colour along stops `[position, "#rrggbb"]`, positions ascending. */
function ramp(stops) {
  const list = stops.map(([at, colour]) => [at, hex(colour)]);
  return (t) => {
    if (t <= list[0][0]) return list[0][1];
    for (let i = 1; i < list.length; i++) {
      const [b, to] = list[i];
      if (t <= b) {
        const [a, from] = list[i - 1];
        return blend(from, to, (t - a) / (b - a));
      }
    }
    return list.at(-1)[1];
  };
}

/** Numbers in [0, 1), always the same for one seed (mulberry32). */
function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

function hash(x, y, seed) {
  let h = Math.imul(x, 374761393) ^ Math.imul(y, 668265263) ^ Math.imul(seed, 2246822519);
  h = Math.imul(h ^ (h >>> 13), 1274126177);
  return ((h ^ (h >>> 16)) >>> 0) / 4294967296;
}

/** Smooth noise in [0, 1]. */
function noise(x, y, seed = 1) {
  const xi = Math.floor(x);
  const yi = Math.floor(y);
  const u = x - xi;
  const v = y - yi;
  const su = u * u * (3 - 2 * u);
  const sv = v * v * (3 - 2 * v);
  const top = mix(hash(xi, yi, seed), hash(xi + 1, yi, seed), su);
  const bottom = mix(hash(xi, yi + 1, seed), hash(xi + 1, yi + 1, seed), su);
  return mix(top, bottom, sv);
}

/** Noise of several sizes, in about [0, 1], mean 0.5. */
function cloud(x, y, octaves = 5, seed = 1) {
  let sum = 0;
  let weight = 0.5;
  let total = 0;
  for (let i = 0; i < octaves; i++) {
    sum += weight * noise(x, y, seed + i * 17);
    total += weight;
    weight *= 0.5;
    [x, y] = [x * 1.97 + y * 0.31, y * 1.97 - x * 0.31]; // turned a little, so that no grid shows
  }
  return sum / total;
}

// ------------------------------------------------------------------------------------------------------ the layers

/** A full picture computed a pixel at a time; `at(u, v, x, y)` with u, v in [0, 1] gives [r, g, b] or [r, g, b, alpha 0..1]. */
function field(at, channels = 3) {
  const data = Buffer.allocUnsafe(W * H * channels);
  let o = 0;
  for (let y = 0; y < H; y++) {
    for (let x = 0; x < W; x++) {
      const colour = at(x / W, y / H, x, y);
      for (let c = 0; c < 3; c++) data[o++] = clamp(colour[c] + 0.5, 0, 255);
      if (channels === 4) data[o++] = clamp(colour[3]) * 255;
    }
  }
  return { data, channels };
}

const toSharp = ({ data, channels }) => sharp(data, { raw: { width: W, height: H, channels } });

/** A drawing as a layer. */
async function draw(body, defs = "") {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="${W}" height="${H}" viewBox="0 0 ${W} ${H}"><defs>${defs}</defs>${body}</svg>`;
  return sharp(Buffer.from(svg), { limitInputPixels: false }).ensureAlpha().png({ compressionLevel: 1 }).toBuffer();
}

const blurred = (layer, sigma) => sharp(layer).blur(sigma).png({ compressionLevel: 1 }).toBuffer();

/** Lays layers over a base: a layer, or `{ input, blend }`. */
async function lay(base, ...layers) {
  const { data } = await toSharp(base)
    .composite(layers.map((layer) => (layer.input ? layer : { input: layer })))
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, channels: 3 };
}

/** Maps every pixel by `by(colour, u, v, x, y)`. */
const change = (picture, by) =>
  field((u, v, x, y) => {
    const o = (y * W + x) * 3;
    return by([picture.data[o], picture.data[o + 1], picture.data[o + 2]], u, v, x, y);
  });

/** The blurred bright parts of a picture, added back as `glow`. */
async function bloom(picture, threshold, sigma, strength) {
  const bright = change(picture, (c) => {
    const light = Math.max(0, Math.max(c[0], c[1], c[2]) - threshold) / (255 - threshold);
    return scale(c, light);
  });
  const { data } = await toSharp(bright).blur(sigma).raw().toBuffer({ resolveWithObject: true });
  return change(picture, (c, u, v, x, y) => {
    const o = (y * W + x) * 3;
    return [0, 1, 2].map((i) => 255 - ((255 - c[i]) * (255 - data[o + i] * strength)) / 255);
  });
}

/** Grain and darker corners: the last step of each picture. */
const finish = (picture, { grain = 5, vignette = 0.16, seed = 3 } = {}) =>
  change(picture, (c, u, v, x, y) => {
    const g = (hash(x, y, seed) + hash(x >> 1, y >> 1, seed + 1) - 1) * grain;
    const d = Math.hypot((u - 0.5) * 1.15, v - 0.5);
    const dim = 1 - vignette * smooth(0.35, 0.78, d);
    return [c[0] * dim + g, c[1] * dim + g, c[2] * dim + g];
  });

async function save(name, picture, { quality = 82 } = {}) {
  await toSharp(picture).jpeg({ quality, mozjpeg: true }).toFile(join(MEDIA, name));
}

// ---------------------------------------------------------------------------------------------- things drawn often

const gradient = (id, stops, box = 'x1="0" y1="0" x2="0" y2="1"') =>
  `<linearGradient id="${id}" ${box}>${stops.map(([at, colour, opacity = 1]) => `<stop offset="${at}" stop-color="${colour}" stop-opacity="${opacity}"/>`).join("")}</linearGradient>`;
const glow = (id, stops) =>
  `<radialGradient id="${id}">${stops.map(([at, colour, opacity = 1]) => `<stop offset="${at}" stop-color="${colour}" stop-opacity="${opacity}"/>`).join("")}</radialGradient>`;

/** The tower of Punta Scura: foot of the wall at (x, y), `h` to the top of the dome. */
function tower(
  x,
  y,
  h,
  {
    light = "#f4efe4",
    shade = "#8f9aa3",
    band = "#1d2529",
    bandShade = "#0c1013",
    lamp = "#ffe7a8",
    id = "t",
    dir = 1,
  } = {},
) {
  const w = h * 0.105; // half the width at the foot
  const s = (v) => v * h;
  const X = (f) => (x + f * w).toFixed(2);
  const Y = (f) => (y - s(f)).toFixed(2);
  const side = (f) => 1 - f * 0.42; // the wall draws in as it rises
  const body = (a, b, fill) =>
    `<path d="M${X(-side(a))} ${Y(a)}L${X(side(a))} ${Y(a)}L${X(side(b))} ${Y(b)}L${X(-side(b))} ${Y(b)}Z" fill="${fill}"/>`;
  const box = dir > 0 ? 'x1="0" y1="0" x2="1" y2="0"' : 'x1="1" y1="0" x2="0" y2="0"';
  const defs =
    gradient(
      `${id}w`,
      [
        [0, shade],
        [0.3, light],
        [0.62, light],
        [1, shade],
      ],
      box,
    ) +
    gradient(
      `${id}b`,
      [
        [0, bandShade],
        [0.4, band],
        [1, bandShade],
      ],
      box,
    ) +
    gradient(`${id}g`, [
      [0, "#fff6d8"],
      [0.5, lamp],
      [1, "#e08f2a"],
    ]);
  const windows = [0.16, 0.31, 0.55]
    .map(
      (f) =>
        `<rect x="${(x - w * 0.09).toFixed(2)}" y="${Y(f + 0.028)}" width="${(w * 0.18).toFixed(2)}" height="${s(0.03).toFixed(2)}" fill="${bandShade}" opacity=".75"/>`,
    )
    .join("");
  const bars = [-0.36, -0.12, 0.12, 0.36]
    .map(
      (f) =>
        `<path d="M${X(f)} ${Y(0.875)}V${Y(0.945)}" stroke="${bandShade}" stroke-width="${(w * 0.035).toFixed(2)}"/>`,
    )
    .join("");
  const rail = Array.from(
    { length: 9 },
    (_, i) =>
      `<path d="M${X(-0.86 + i * 0.215)} ${Y(0.845)}V${Y(0.88)}" stroke="${bandShade}" stroke-width="${(w * 0.03).toFixed(2)}"/>`,
  ).join("");
  return {
    defs,
    lamp: [x, y - s(0.91)],
    body:
      body(0, 0.8, `url(#${id}w)`) +
      body(0.37, 0.53, `url(#${id}b)`) +
      windows +
      `<path d="M${X(-0.66)} ${Y(0.8)}L${X(-0.92)} ${Y(0.835)}H${X(0.92)}L${X(0.66)} ${Y(0.8)}Z" fill="url(#${id}w)"/>` +
      `<rect x="${X(-0.95)}" y="${Y(0.848)}" width="${(w * 1.9).toFixed(2)}" height="${s(0.014).toFixed(2)}" fill="url(#${id}b)"/>` +
      `<rect x="${X(-0.5)}" y="${Y(0.945)}" width="${w.toFixed(2)}" height="${s(0.1).toFixed(2)}" fill="url(#${id}g)"/>` +
      bars +
      rail +
      `<path d="M${X(-0.9)} ${Y(0.88)}H${X(0.9)}" stroke="${bandShade}" stroke-width="${(w * 0.04).toFixed(2)}"/>` +
      `<path d="M${X(-0.6)} ${Y(0.945)}Q${X(-0.52)} ${Y(0.985)} ${X(0)} ${Y(0.99)}Q${X(0.52)} ${Y(0.985)} ${X(0.6)} ${Y(0.945)}Z" fill="url(#${id}b)"/>` +
      `<path d="M${X(0)} ${Y(0.985)}V${Y(1.03)}" stroke="${bandShade}" stroke-width="${(w * 0.06).toFixed(2)}"/>`,
  };
}

const gull = (x, y, s, tilt = 0, colour = "#26323a", opacity = 0.8) =>
  `<path transform="translate(${x} ${y}) rotate(${tilt}) scale(${s})" d="M-20-3C-14-10-6-9 0 0C6-9 14-11 21-5C13-7 6-5 1 3H-1C-6-5-13-6-20-3Z" fill="${colour}" opacity="${opacity}"/>`;

/** The sea as seen from just above it: small waves that lengthen towards the eye. `depth` is 0 at the horizon, 1 at the eye. */
const ripple = (x, depth, seed, size = 1) => {
  const near = 0.018 + depth * depth * 0.9 + depth * 0.12;
  return cloud((x - W / 2) / (near * 620 * size) + seed * 9, 2.6 / near, 4, seed);
};

// -------------------------------------------------------------------------------------------------------- pictures

const pictures = {};

pictures["punta-scura-at-dusk.jpg"] = async () => {
  const horizon = 0.635;
  const sky = ramp([
    [0, "#0c1c33"],
    [0.2, "#173355"],
    [0.38, "#2f587a"],
    [0.47, "#5a7d8f"],
    [0.545, "#b9978a"],
    [0.6, "#e6a66c"],
    [0.64, "#f3bd74"],
  ]);
  const headAt = (u) => {
    // The dark point: a long back that comes in from the right and breaks off at the tower.
    const back = mix(-0.05, 0.165, smooth(0.53, 0.64, u)) + 0.075 * smooth(0.66, 1, u);
    const rough =
      (cloud(u * 9, 3.1, 5, 21) - 0.5) * 0.075 * smooth(0.53, 0.66, u) +
      (cloud(u * 46, 8, 3, 22) - 0.5) * 0.016 * smooth(0.52, 0.6, u);
    const flat = smooth(0.6, 0.65, u) * (1 - smooth(0.76, 0.82, u));
    return back + rough * (1 - flat * 0.85);
  };
  const top = Array.from({ length: W }, (_, x) => horizon + 0.012 - headAt(x / W));
  const far = Array.from({ length: W }, (_, x) => {
    const u = x / W;
    return (
      horizon -
      0.052 * smooth(0.03, 0.13, u) * (1 - smooth(0.2, 0.42, u)) -
      (cloud(u * 14, 1, 5, 31) - 0.45) * 0.045 * smooth(0.02, 0.1, u) * (1 - smooth(0.26, 0.42, u))
    );
  });
  const skyAt = (u, v) => {
    let c = sky(v);
    const sun = Math.exp(-(((u - 0.33) / 0.3) ** 2) - ((v - 0.63) / 0.16) ** 2);
    c = add(c, [74, 34, 4], sun);
    // Long thin clouds, lit from below where they are near the sun.
    const bend = cloud(u * 3, v * 7, 3, 41);
    const streak =
      smooth(0.52, 0.78, cloud(u * 2.6 + bend, v * 15 + bend * 2.2, 6, 42)) *
      smooth(0.04, 0.3, v) *
      (1 - smooth(0.57, 0.64, v) * 0.6);
    const lit = blend(
      [52, 66, 92],
      [246, 156, 104],
      smooth(0.22, 0.56, v) * (0.35 + 0.75 * Math.exp(-(((u - 0.36) / 0.42) ** 2))),
    );
    return blend(c, lit, streak * 0.72);
  };
  let p = field((u, v, x) => {
    if (v < horizon) {
      const c = skyAt(u, v);
      if (v > far[x]) return blend(c, [64, 76, 98], 0.8 - 0.3 * smooth(far[x], horizon, v));
      return c;
    }
    const depth = (v - horizon) / (1 - horizon);
    const n = ripple(x, depth, 51);
    const m = cloud(x / (30 + depth * 260), depth * (90 - depth * 45), 3, 52);
    const c = skyAt(
      u + (n - 0.5) * 0.06,
      clamp(horizon - 0.015 - depth * 0.56 - (n - 0.5) * 0.34 * (0.25 + depth), 0.02, horizon),
    );
    const water = blend([9, 24, 38], [16, 42, 58], n);
    let w = blend(c, water, clamp(0.28 + depth * 0.6 - (m - 0.5) * 0.75));
    w = blend(
      w,
      [13, 18, 27],
      0.86 * smooth(0.53, 0.66, u + (n - 0.5) * 0.14) * (1 - smooth(0.1, 0.62, depth + (m - 0.5) * 0.5)),
    ); // the headland, mirrored
    return scale(w, 1 - 0.35 * smooth(0.3, 1, depth));
  });
  // Stars, where it is dark enough for them.
  const r = random(7);
  let stars = "";
  for (let i = 0; i < 240; i++) {
    const y = r() ** 1.6 * 0.42;
    stars += `<circle cx="${(r() * W).toFixed(1)}" cy="${(y * H).toFixed(1)}" r="${(0.5 + r() ** 5 * 1.7).toFixed(2)}" fill="#fff" opacity="${((0.15 + r() * 0.7) * (1 - y / 0.44)).toFixed(2)}"/>`;
  }
  // Rock: dark, a little warm where the west still reaches it.
  const rock = field((u, v, x) => {
    const t = top[x];
    if (v < t - 0.002 || u < 0.49) return [0, 0, 0, 0];
    const foot = horizon + 0.03 + (cloud(u * 30, 2, 3, 61) - 0.5) * 0.026;
    if (v > foot) return [0, 0, 0, 0];
    const lean = v * 60 + u * 44 + cloud(u * 8, v * 8, 3, 64) * 9;
    const strata =
      smooth(0.36, 0.7, cloud(u * 30, lean, 4, 62)) * 0.7 + smooth(0.5, 0.62, cloud(u * 90, lean * 2.2, 3, 65)) * 0.3;
    const face = smooth(0.42, 0.62, cloud(u * 26 - v * 22, v * 16 + u * 8, 5, 63));
    const edge = 1 - smooth(0, 0.012, v - t);
    let c = blend([11, 15, 21], [58, 58, 64], strata * (0.25 + 0.55 * face));
    c = add(c, [96, 58, 30], (face * 0.5 + edge * 0.5) * (1 - smooth(0.55, 0.74, u)) * (0.3 + strata));
    c = add(c, [26, 34, 46], edge * 0.8 * smooth(0.6, 0.8, u));
    c = blend(c, [9, 13, 19], smooth(horizon - 0.07, foot, v) * 0.7);
    return [...c, Math.min(smooth(t - 0.0015, t + 0.001, v), 1 - smooth(foot - 0.004, foot, v))];
  }, 4);
  const rocks = await toSharp(rock).png({ compressionLevel: 1 }).toBuffer();
  const groundAt = (x) => top[Math.round(x)] * H;
  const tx = 1322;
  const light = tower(tx, groundAt(tx) + 6, 300, {
    light: "#d9cfc3",
    shade: "#43546a",
    band: "#161c22",
    lamp: "#ffe39a",
  });
  const [lx, ly] = light.lamp;
  const hy = groundAt(1410) + 9;
  const houses =
    `<path d="M1352 ${hy}v-44l34-20 34 20v44z" fill="#3b4656"/><path d="M1346 ${hy - 42}l40-25 40 25-4 3-36-21-36 21z" fill="#1d252e"/>` +
    `<path d="M1420 ${hy}v-38h82v38z" fill="#333e4d"/><path d="M1414 ${hy - 36}l12-17h70l12 17z" fill="#1a222b"/>` +
    [
      [1376, 24, 11, 14],
      [1437, 26, 10, 13],
      [1464, 26, 10, 13],
    ]
      .map(([x, up, w, h]) => `<rect x="${x}" y="${hy - up}" width="${w}" height="${h}" fill="#ffc766"/>`)
      .join("") +
    `<rect x="1486" y="${hy - 26}" width="10" height="13" fill="#1a222b"/>`;
  const scene = await draw(light.body + houses, light.defs);
  const beams = await draw(
    `<path d="M${lx} ${ly - 5}L-40 ${ly - 150}V${ly + 30}L${lx} ${ly + 5}Z" fill="url(#bl)"/><path d="M${lx} ${ly - 5}L${W + 40} ${ly - 60}V${ly + 36}L${lx} ${ly + 5}Z" fill="url(#br)"/>`,
    gradient(
      "bl",
      [
        [0, "#ffe9b8", 0.03],
        [0.45, "#ffe3a3", 0.16],
        [1, "#fff0c4", 0.85],
      ],
      'x1="0" y1="0" x2="1" y2="0"',
    ) +
      gradient(
        "br",
        [
          [0, "#fff0c4", 0.75],
          [0.7, "#ffe3a3", 0.16],
          [1, "#ffe9b8", 0.05],
        ],
        'x1="0" y1="0" x2="1" y2="0"',
      ),
  );
  const lamps = await draw(
    `<circle cx="${lx}" cy="${ly}" r="190" fill="url(#g)"/><circle cx="${lx}" cy="${ly}" r="20" fill="#fffbe8"/>` +
      [
        [1381, hy - 17],
        [1442, hy - 19],
        [1469, hy - 19],
      ]
        .map(([x, y]) => `<circle cx="${x}" cy="${y}" r="36" fill="url(#h)"/>`)
        .join(""),
    glow("g", [
      [0, "#fff1c0", 0.95],
      [0.12, "#ffdd8c", 0.55],
      [0.4, "#f3b45a", 0.16],
      [1, "#f3b45a", 0],
    ]) +
      glow("h", [
        [0, "#ffc766", 0.55],
        [1, "#ffb347", 0],
      ]),
  );
  // The light on the water: broken, and only where a wave leans the right way.
  const path = field((u, v, x) => {
    const depth = (v - horizon) / (1 - horizon);
    if (depth < 0.07) return [0, 0, 0, 0];
    const wide = 0.008 + depth * 0.026;
    const across = Math.exp(-(((x - lx) / W / wide) ** 2));
    return [255, 214, 130, across * smooth(0.46, 0.7, ripple(x, depth, 53, 0.6)) * 0.95 * (1 - depth * 0.75)];
  }, 4);
  p = await lay(
    p,
    { input: await draw(stars), blend: "screen" },
    { input: await blurred(beams, 9), blend: "screen" },
    rocks,
    await blurred(scene, 0.6),
    { input: await toSharp(path).png({ compressionLevel: 1 }).toBuffer(), blend: "screen" },
    { input: await blurred(lamps, 2), blend: "screen" },
    await draw(
      gull(520, 420, 0.8, -8, "#1b2735", 0.7) +
        gull(566, 446, 0.55, 6, "#1b2735", 0.6) +
        gull(470, 462, 0.45, -4, "#1b2735", 0.5),
    ),
  );
  await save("punta-scura-at-dusk.jpg", finish(await bloom(p, 190, 22, 0.5)));
};

pictures["first-ferry.jpg"] = async () => {
  const horizon = 0.6;
  const sky = ramp([
    [0, "#8fb1c6"],
    [0.2, "#b4c6cf"],
    [0.36, "#dccfc8"],
    [0.48, "#f2cdb2"],
    [0.56, "#f9d6a8"],
    [0.6, "#fbdfae"],
  ]);
  const sun = [0.66, 0.455];
  const skyAt = (u, v) => {
    const d = Math.hypot((u - sun[0]) * 1.5, v - sun[1]);
    let c = add(sky(v), [60, 38, 6], Math.exp(-((d / 0.22) ** 2)) * 0.75);
    const veil =
      smooth(0.48, 0.8, cloud(u * 2.2, v * 9 + cloud(u * 4, v * 5, 3, 5), 5, 6)) *
      smooth(0, 0.2, v) *
      (1 - smooth(0.42, 0.58, v));
    c = blend(c, blend([232, 206, 200], [255, 236, 206], Math.exp(-((d / 0.3) ** 2))), veil * 0.6);
    return c;
  };
  // Six hills, each paler than the one before it.
  const hills = Array.from({ length: 6 }, (_, i) => {
    const f = i / 5;
    return {
      colour: blend([199, 187, 187], [52, 80, 99], f ** 1.1),
      top: Array.from({ length: W }, (_, x) => {
        const u = x / W;
        const shape = [
          0.1 * smooth(0.0, 0.3, u) * (1 - smooth(0.55, 1.0, u)),
          0.135 * smooth(0.08, 0.3, u) * (1 - smooth(0.38, 0.66, u)),
          0.15 * smooth(-0.1, 0.16, u) * (1 - smooth(0.2, 0.46, u)),
          0.085 * smooth(0.2, 0.36, u) * (1 - smooth(0.42, 0.62, u)),
          0.1 * (1 - smooth(0.06, 0.34, u)),
          0.062 * (1 - smooth(0.02, 0.22, u)),
        ][i];
        return (
          horizon +
          0.002 -
          shape * (0.72 + cloud(u * (5 + i * 2), i * 7, 4, 70 + i) * 0.58) -
          (shape > 0.004 ? (cloud(u * 70, i, 3, 80 + i) - 0.5) * 0.007 * f : 0)
        );
      }),
    };
  });
  const above = (u, v, x) => {
    let c = skyAt(u, v);
    for (const { top, colour } of hills) {
      if (v > top[x]) {
        const deep = smooth(top[x], top[x] + 0.14, v);
        c = blend(c, blend(colour, [240, 208, 178], deep * 0.5), smooth(0, 0.0016, v - top[x]));
      }
    }
    return c;
  };
  let p = field((u, v, x) => {
    if (v < horizon) return above(u, v, x);
    const depth = (v - horizon) / (1 - horizon);
    const n = ripple(x, depth, 90, 1.3);
    const mirror = clamp(horizon - (v - horizon) * 0.92 - (n - 0.5) * (0.03 + depth * 0.3), 0.01, horizon - 0.001);
    const mx = Math.round(clamp(x + (n - 0.5) * 60 * depth, 0, W - 1));
    let c = above(mx / W, mirror, mx);
    c = blend(c, [70, 112, 132], 0.1 + depth * 0.36 + (n - 0.5) * 0.34 * depth);
    const across = Math.exp(-(((u - sun[0]) / (0.02 + depth * 0.085)) ** 2));
    const glint = smooth(0.5, 0.76, cloud(x / (9 + depth * 70), depth * (120 - 70 * depth), 3, 92));
    return add(c, [255, 220, 160], across * glint * 0.5);
  });
  const disc = await draw(
    `<circle cx="${sun[0] * W}" cy="${sun[1] * H}" r="310" fill="url(#s)"/><circle cx="${sun[0] * W}" cy="${sun[1] * H}" r="43" fill="#fffaea"/>`,
    glow("s", [
      [0, "#fff4d4", 0.9],
      [0.14, "#ffeec2", 0.5],
      [0.45, "#ffdda0", 0.16],
      [1, "#ffd694", 0],
    ]),
  );
  // The ferry, small enough to be far.
  const fx = 760;
  const fy = 858;
  const hull =
    `<path d="M${fx - 118} ${fy - 30}h236l-16 34q-4 6-12 6h-186q-10 0-14-8z" fill="url(#hl)"/><path d="M${fx - 110} ${fy - 6}h218l-6 10q-4 6-12 6h-186q-8 0-11-6z" fill="#24506b"/>` +
    `<rect x="${fx - 96}" y="${fy - 56}" width="158" height="28" fill="#fbf6ea"/><rect x="${fx - 70}" y="${fy - 78}" width="112" height="24" fill="#f3ecdc"/>` +
    `<path d="M${fx + 42} ${fy - 78}h24l10 24h-34z" fill="#fffaf0"/><rect x="${fx + 48}" y="${fy - 73}" width="20" height="10" fill="#3a5a6a"/>` +
    `<path d="M${fx - 40} ${fy - 78}l6-34h30l4 34z" fill="#b4472c"/><path d="M${fx - 34} ${fy - 112}h30l1 8h-32z" fill="#1f2c33"/>` +
    Array.from(
      { length: 9 },
      (_, i) => `<rect x="${fx - 88 + i * 16}" y="${fy - 48}" width="9" height="10" fill="#4b6c7c"/>`,
    ).join("") +
    `<path d="M${fx + 20} ${fy - 78}v-40M${fx + 12} ${fy - 106}h16" stroke="#4a5a62" stroke-width="2.5"/><path d="M${fx + 110} ${fy - 30}v-22" stroke="#4a5a62" stroke-width="2"/>`;
  const shipDefs = gradient("hl", [
    [0, "#fffdf6"],
    [1, "#d5d2cc"],
  ]);
  const ship = await draw(hull, shipDefs);
  const shipMirror = await draw(
    `<g transform="translate(0 ${2 * fy + 20}) scale(1 -1)" opacity=".5">${hull}</g>`,
    shipDefs,
  );
  const smoke = await draw(
    Array.from(
      { length: 16 },
      (_, i) =>
        `<circle cx="${fx - 28 - i * 21}" cy="${fy - 118 - i * 5.4 + Math.sin(i * 1.4) * 5}" r="${7 + i * 2}" fill="#6b6a70" opacity="${(0.3 - i * 0.018).toFixed(3)}"/>`,
    ).join(""),
  );
  const wake = await draw(
    `<path d="M${fx - 104} ${fy + 6}C${fx - 320} ${fy + 10} ${fx - 560} ${fy + 14} -40 ${fy + 10}V${fy + 52}C${fx - 500} ${fy + 40} ${fx - 300} ${fy + 24} ${fx - 104} ${fy + 12}Z" fill="url(#k)"/>` +
      `<path d="M${fx + 116} ${fy + 4}C${fx - 10} ${fy + 34} ${fx - 360} ${fy + 74} -40 ${fy + 150}V${fy + 168}C${fx - 340} ${fy + 92} ${fx + 10} ${fy + 46} ${fx + 118} ${fy + 8}Z" fill="url(#k)" opacity=".55"/>`,
    gradient(
      "k",
      [
        [0, "#fffaf0", 0.05],
        [1, "#fffaf0", 0.8],
      ],
      'x1="0" y1="0" x2="1" y2="0"',
    ),
  );
  p = await lay(
    p,
    { input: await blurred(disc, 2), blend: "screen" },
    await blurred(shipMirror, 5),
    await blurred(wake, 3),
    await blurred(smoke, 8),
    await blurred(ship, 0.7),
    await draw(
      gull(930, 690, 0.9, -12, "#5a6670", 0.8) +
        gull(1010, 730, 0.7, 8, "#5a6670", 0.8) +
        gull(860, 655, 0.5, -3, "#5a6670", 0.7) +
        gull(1180, 640, 0.45, 10, "#5a6670", 0.6),
    ),
  );
  await save("first-ferry.jpg", finish(await bloom(p, 215, 26, 0.35), { vignette: 0.1 }));
};

pictures["the-lens.jpg"] = async () => {
  const cx = 0.44 * W;
  const cy = 0.5 * H;
  const rings = [0, 118];
  while (rings.at(-1) < 1600) rings.push(rings.at(-1) + Math.max(30, 74 - rings.length * 3.1));
  const warm = ramp([
    [0, "#0b0705"],
    [0.18, "#3a1a07"],
    [0.4, "#8a4309"],
    [0.62, "#d98a1f"],
    [0.8, "#f8c65a"],
    [0.93, "#ffeaae"],
    [1, "#fffaf0"],
  ]);
  const p = field((u, v, x, y) => {
    const dx = x - cx;
    const dy = y - cy;
    const d = Math.hypot(dx, dy);
    const a = Math.atan2(dy, dx);
    let i = 1;
    while (d >= rings[i]) i++;
    const inner = rings[i - 1];
    const f = (d - inner) / (rings[i] - inner); // across the ring, 0 at its inner edge
    let light;
    if (i === 1) {
      light =
        0.62 + 0.42 * Math.exp(-((d / 62) ** 2)) + 0.12 * Math.exp(-(((d - 88) / 15) ** 2)) - 0.28 * smooth(98, 118, d);
    } else {
      const facet = Math.exp(-(((f - 0.3) / 0.19) ** 2)) * 0.66 + Math.exp(-(((f - 0.78) / 0.1) ** 2)) * 0.34;
      const around = 0.6 + 0.4 * Math.cos(a * 2 + i * 0.55 + 0.5) * Math.cos(a + 0.7 + i * 0.21);
      const waver = cloud(Math.cos(a) * 2.4 + i * 5, Math.sin(a) * 2.4 + d / 300, 3, 11);
      light = facet * (0.42 + 0.62 * around) * (0.75 + waver * 0.55);
      light *= 1.06 - 0.52 * smooth(140, 1150, d);
      light += 0.3 * Math.exp(-((d / 330) ** 2));
      light *= smooth(0, 0.055, f) * (1 - smooth(0.93, 1, f) * 0.92); // the joints are dark
      light += 0.5 * Math.exp(-(((f - 0.09) / 0.022) ** 2)) * around * (1 - smooth(200, 1100, d)); // and their edges catch
    }
    // The seams where the glass was cut to be carried.
    for (const seam of [0.36, 1.57, 2.78, -0.36, -1.57, -2.78]) {
      const off = Math.abs(Math.sin(a - seam)) * d;
      if (d > 120 && Math.cos(a - seam) > 0) light *= 1 - 0.8 * Math.exp(-((off / 4) ** 2));
    }
    const c = warm(clamp(light));
    // Glass splits the light: a little blue-green inside each edge, red outside.
    const split =
      i === 1
        ? 0
        : Math.exp(-(((f - 0.55) / 0.09) ** 2)) * (1 - smooth(250, 1200, d)) * (0.4 + 0.6 * Math.cos(a * 2 + i));
    return add(c, [-8, 34, 42], Math.max(0, split) * 0.8);
  });
  // The brass that holds it, and the room behind.
  const post = (x, w) => `<rect x="${x}" y="-10" width="${w}" height="${H + 20}" fill="url(#br)"/>`;
  const frame = await draw(
    `<circle cx="${cx}" cy="${cy}" r="${rings[12]}" fill="none" stroke="url(#ring)" stroke-width="17"/>` +
      post(1610, 74) +
      Array.from(
        { length: 8 },
        (_, i) =>
          `<circle cx="1647" cy="${70 + i * 170}" r="10" fill="#2a1506"/><circle cx="1645" cy="${67 + i * 170}" r="6.5" fill="#e2ad54"/>`,
      ).join(""),
    gradient(
      "br",
      [
        [0, "#2a1606"],
        [0.2, "#a8722a"],
        [0.34, "#f2cf83"],
        [0.46, "#a06a24"],
        [0.85, "#4a2a0c"],
        [1, "#180c03"],
      ],
      'x1="0" y1="0" x2="1" y2="0"',
    ) +
      gradient(
        "ring",
        [
          [0, "#d59c43"],
          [0.35, "#6a4013"],
          [0.6, "#3a2008"],
          [1, "#a5702a"],
        ],
        'x1="0" y1="0" x2="1" y2="1"',
      ),
  );
  const shade = await draw(
    `<circle cx="${cx}" cy="${cy}" r="${rings[12] + 14}" fill="none" stroke="#000" stroke-opacity=".65" stroke-width="26"/><rect x="1585" y="-10" width="120" height="${H + 20}" fill="#000" opacity=".7"/><rect x="1684" y="-10" width="400" height="${H + 20}" fill="url(#n)"/>`,
    gradient(
      "n",
      [
        [0, "#070605", 0.85],
        [1, "#04080c", 0.96],
      ],
      'x1="0" y1="0" x2="1" y2="0"',
    ),
  );
  const flare = await draw(
    `<circle cx="${cx}" cy="${cy}" r="560" fill="url(#f)"/><ellipse cx="${cx}" cy="${cy}" rx="1000" ry="9" fill="url(#f)" opacity=".9"/>`,
    glow("f", [
      [0, "#fff6dc", 0.8],
      [0.16, "#ffdf96", 0.3],
      [0.5, "#f5a93a", 0.1],
      [1, "#f5a93a", 0],
    ]),
  );
  const q = await lay(p, await blurred(shade, 12), await blurred(frame, 0.8), {
    input: await blurred(flare, 4),
    blend: "screen",
  });
  await save("the-lens.jpg", finish(await bloom(q, 170, 20, 0.5), { grain: 6, vignette: 0.35 }));
};

pictures["nina-under-sail.jpg"] = async () => {
  const horizon = 0.56;
  const sky = ramp([
    [0, "#5487a8"],
    [0.2, "#90aeb8"],
    [0.36, "#dcc4aa"],
    [0.48, "#f5c88e"],
    [0.56, "#fcd79c"],
  ]);
  const sun = 0.2;
  const skyAt = (u, v) => {
    let c = add(sky(v), [44, 22, 2], Math.exp(-(((u - sun) / 0.3) ** 2) - ((v - 0.5) / 0.24) ** 2) * 0.8);
    const puff =
      smooth(0.5, 0.74, cloud(u * 3.2 + 2, v * 8 + cloud(u * 5, v * 9, 3, 4) * 1.3, 6, 101)) *
      smooth(0.02, 0.2, v) *
      (1 - smooth(0.44, 0.56, v));
    c = blend(c, blend([244, 214, 176], [255, 240, 208], cloud(u * 7, v * 18 + 1, 4, 103)), puff * 0.75);
    return c;
  };
  const coast = Array.from({ length: W }, (_, x) => {
    const u = x / W;
    return (
      horizon -
      (0.1 * smooth(0.62, 0.9, u) + 0.03 * smooth(0.5, 0.66, u)) *
        (0.66 + cloud(u * 8, 4, 5, 111) * 0.6) *
        smooth(0.48, 0.55, u)
    );
  });
  let p = field((u, v, x) => {
    if (v < horizon) {
      const c = skyAt(u, v);
      if (v <= coast[x]) return c;
      const t = cloud(u * 40, v * 60, 4, 112);
      return blend(c, blend([148, 132, 112], [118, 110, 104], t), 0.72 - 0.25 * smooth(horizon - 0.08, horizon, v));
    }
    const depth = (v - horizon) / (1 - horizon);
    const n = ripple(x, depth, 120, 0.8);
    const fine = cloud(x / (10 + depth * 56) + depth * 7, (210 * depth) / (1 + depth * 2.4), 4, 121);
    const c = skyAt(u, clamp(horizon - depth * 0.5 - (n - 0.5) * 0.3, 0.03, horizon - 0.005));
    let w = blend(c, [26, 84, 98], clamp(0.22 + depth * 0.52 + (n - 0.5) * 0.7));
    w = blend(w, [14, 52, 70], smooth(0.5, 0.75, n) * 0.55 * depth + smooth(0.55, 1, depth) * 0.35);
    const across = Math.exp(-(((u - sun) / (0.06 + depth * 0.16)) ** 2));
    w = add(w, [255, 206, 140], across * smooth(0.53, 0.72, fine) * 0.8 * (1 - 0.72 * smooth(0.35, 0.95, depth)));
    return add(w, [110, 90, 64], smooth(0.64, 0.8, fine) * 0.5 * (1 - smooth(0.3, 0.95, depth)));
  });
  // The boat: two bows, one long spar, a sail that was rust-red when it was new.
  const bx = 1080;
  const by = 930;
  const sail = `M${bx - 214} ${by - 118}C${bx - 120} ${by - 330} ${bx + 60} ${by - 640} ${bx + 236} ${by - 800}C${bx + 196} ${by - 560} ${bx + 190} ${by - 300} ${bx + 252} ${by - 82}C${bx + 110} ${by - 52} ${bx - 70} ${by - 66} ${bx - 214} ${by - 118}Z`;
  const bezier = (p, t) =>
    [0, 1].map(
      (k) => p[0][k] * (1 - t) ** 3 + 3 * p[1][k] * t * (1 - t) ** 2 + 3 * p[2][k] * t * t * (1 - t) + p[3][k] * t ** 3,
    );
  const seams = Array.from({ length: 9 }, (_, i) => {
    const f = (i + 1) / 10;
    const [x0, y0] = bezier(
      [
        [-214, -118],
        [-120, -330],
        [60, -640],
        [236, -800],
      ],
      f,
    );
    const [x1, y1] = bezier(
      [
        [-214, -118],
        [-70, -66],
        [110, -52],
        [252, -82],
      ],
      f,
    );
    return `<path d="M${bx + x0} ${by + y0}Q${bx + (x0 + x1) / 2 - 26 * f} ${by + (y0 + y1) / 2} ${bx + x1} ${by + y1}" stroke="#5f2413" stroke-width="2.2" fill="none" opacity=".34"/>`;
  }).join("");
  const reef = Array.from(
    { length: 11 },
    (_, i) =>
      `<path d="M${bx - 130 + i * 34} ${by - 158 + Math.sin(i / 3) * 6}l-3 24" stroke="#f0d9b0" stroke-width="3" opacity=".7"/>`,
  ).join("");
  const hull = `M${bx - 262} ${by - 52}C${bx - 180} ${by - 12} ${bx + 150} ${by - 8} ${bx + 268} ${by - 62}C${bx + 256} ${by - 8} ${bx + 214} ${by + 38} ${bx + 150} ${by + 46}H${bx - 150}C${bx - 212} ${by + 40} ${bx - 250} ${by} ${bx - 262} ${by - 52}Z`;
  const people =
    `<g fill="#33261f"><path d="M${bx + 164} ${by - 32}q-6-52 14-66 22 4 26 62z"/><circle cx="${bx + 182}" cy="${by - 112}" r="15" fill="#6b4632"/><path d="M${bx + 166} ${by - 116}q16-22 34 0l8 3h-44z" fill="#d9c08a"/><path d="M${bx + 190} ${by - 78}l56 22" stroke="#33261f" stroke-width="9" stroke-linecap="round"/></g>` +
    `<g fill="#274b5c"><path d="M${bx - 96} ${by - 20}q0-44 18-52 20 6 20 52z"/><circle cx="${bx - 77}" cy="${by - 84}" r="13" fill="#6b4632"/><path d="M${bx - 90} ${by - 88}q12-18 27-1z" fill="#2a201b"/></g><path d="M${bx - 22} ${by - 18}q0-34 14-40 16 5 16 40z" fill="#a23c2a"/><circle cx="${bx - 7}" cy="${by - 67}" r="11" fill="#7a5038"/>`;
  const boat =
    `<path d="M${bx + 30} ${by - 20}L${bx + 44} ${by - 470}" stroke="#6b4322" stroke-width="15"/><path d="${sail}" fill="url(#sl)"/><path d="${sail}" fill="url(#sh)"/>` +
    seams +
    reef +
    `<path d="M${bx - 250} ${by - 82}C${bx - 130} ${by - 322} ${bx + 60} ${by - 640} ${bx + 262} ${by - 836}" stroke="#5b3517" stroke-width="11" fill="none" stroke-linecap="round"/>` +
    `<path d="M${bx + 252} ${by - 82}L${bx + 214} ${by - 52}M${bx - 236} ${by - 104}L${bx - 250} ${by - 60}"  stroke="#4a3826" stroke-width="3" opacity=".8"/>` +
    people +
    `<path d="${hull}" fill="url(#hu)"/>` +
    [0.24, 0.46, 0.66]
      .map(
        (f) =>
          `<path d="M${bx - 258 + f * 26} ${by - 46 + f * 74}C${bx - 160} ${by + f * 60 - 8} ${bx + 140} ${by + f * 60 - 6} ${bx + 264 - f * 30} ${by - 54 + f * 78}" stroke="#10303c" stroke-width="3" fill="none" opacity=".55"/>`,
      )
      .join("") +
    `<path d="M${bx - 266} ${by - 56}C${bx - 180} ${by - 14} ${bx + 150} ${by - 10} ${bx + 272} ${by - 66}" stroke="#e9d9b4" stroke-width="11" fill="none" stroke-linecap="round"/><path d="M${bx - 262} ${by - 50}l-8-44M${bx + 268} ${by - 60}l12-46" stroke="#d8c294" stroke-width="12" stroke-linecap="round"/>`;
  const defs =
    gradient(
      "sl",
      [
        [0, "#e59258"],
        [0.4, "#bf5a31"],
        [1, "#8a3a22"],
      ],
      'x1="0" y1="0.2" x2="1" y2="0.5"',
    ) +
    gradient(
      "sh",
      [
        [0, "#3d120a", 0.6],
        [0.3, "#3d120a", 0],
        [0.7, "#ffcf8a", 0.16],
        [1, "#3d120a", 0.42],
      ],
      'x1="0.1" y1="0.9" x2="0.9" y2="0.2"',
    ) +
    gradient("hu", [
      [0, "#3c7f8a"],
      [0.5, "#23596a"],
      [1, "#12323f"],
    ]);
  const layer = await draw(boat, defs);
  // Its mirror: upside down, pulled apart by the waves.
  const { data: under } = await sharp(
    await draw(`<g transform="translate(0 ${2 * by + 74}) scale(1 -1)">${boat}</g>`, defs),
  )
    .raw()
    .toBuffer({ resolveWithObject: true });
  const mirror = field((u, v, x, y) => {
    const depth = (v - horizon) / (1 - horizon);
    if (depth < 0.3) return [0, 0, 0, 0];
    const n = ripple(x, depth, 120, 0.55);
    const sx = Math.round(clamp(x + (n - 0.5) * 190, 0, W - 1));
    const sy = Math.round(clamp(by + 37 + (y - by - 37) * 1.7 + (n - 0.5) * 110, 0, H - 1));
    const o = (sy * W + sx) * 4;
    return [
      under[o] * 0.62,
      under[o + 1] * 0.7,
      under[o + 2] * 0.78,
      (under[o + 3] / 255) * 0.62 * (1 - smooth(0.78, 1.05, depth)),
    ];
  }, 4);
  const wake = await draw(
    `<path d="M${bx - 262} ${by + 34}C${bx - 200} ${by + 24} ${bx + 160} ${by + 30} ${bx + 210} ${by + 36}C${bx + 420} ${by + 30} ${bx + 660} ${by + 12} ${W + 40} ${by + 6}V${by + 34}C${bx + 600} ${by + 40} ${bx + 400} ${by + 66} ${bx + 180} ${by + 62}C${bx - 10} ${by + 72} ${bx - 220} ${by + 62} ${bx - 286} ${by + 44}Z" fill="url(#wk)"/>`,
    gradient(
      "wk",
      [
        [0, "#fff6e0", 0.95],
        [0.45, "#fff6e0", 0.55],
        [1, "#fff6e0", 0.05],
      ],
      'x1="0" y1="0" x2="1" y2="0"',
    ),
  );
  const foam = field((u, v, x, y) => {
    const from = bx - 300;
    if (x < from || Math.abs(y - by - 44) > 42) return [0, 0, 0, 0];
    const near = Math.exp(-(((y - by - 46 + (x - bx) * 0.03) / 15) ** 2)) * (1 - smooth(bx + 160, bx + 620, x));
    return [255, 248, 230, near * smooth(0.46, 0.66, cloud(x / 26, y / 8, 4, 131)) * 0.95];
  }, 4);
  const glare = await draw(
    `<circle cx="${sun * W}" cy="${0.47 * H}" r="620" fill="url(#gl)"/>`,
    glow("gl", [
      [0, "#fff3cf", 0.95],
      [0.1, "#ffe9b4", 0.6],
      [0.4, "#ffcf86", 0.22],
      [1, "#ffcf86", 0],
    ]),
  );
  p = await lay(
    p,
    await blurred(await toSharp(mirror).png({ compressionLevel: 1 }).toBuffer(), 2),
    await blurred(wake, 8),
    await blurred(layer, 0.7),
    await toSharp(foam).png({ compressionLevel: 1 }).toBuffer(),
    { input: glare, blend: "screen" },
    await draw(
      gull(560, 330, 1.1, -14, "#6a6258") + gull(650, 372, 0.8, 4, "#6a6258") + gull(1560, 420, 0.7, 10, "#7a6f60"),
    ),
  );
  await save("nina-under-sail.jpg", finish(await bloom(p, 215, 26, 0.4), { vignette: 0.18 }));
};

pictures["night-watch.jpg"] = async () => {
  const pole = [0.4, 0.36];
  const air = ramp([
    [0, "#060d1e"],
    [0.35, "#0a1a35"],
    [0.62, "#12315a"],
    [0.8, "#285a72"],
    [0.9, "#5a7f74"],
    [1, "#8a8a62"],
  ]);
  let p = field((u, v) => {
    let c = air(v + (cloud(u * 2, v * 3, 3, 140) - 0.5) * 0.08);
    const way = Math.exp(-(((u * 0.8 + v * 0.6 - 0.92 + (cloud(u * 4, v * 4, 4, 141) - 0.5) * 0.22) / 0.12) ** 2));
    c = add(c, [40, 48, 66], way * (0.35 + cloud(u * 9, v * 9, 5, 142) * 0.9) * 0.7 * (1 - smooth(0.6, 0.9, v)));
    return c;
  });
  const r = random(99);
  const tints = ["#ffffff", "#cfe0ff", "#ffe6c0", "#bcd3ff", "#fff3dd", "#ffd0a8"];
  let arcs = "";
  const turn = 0.57; // two hours and ten minutes of sky, in radians
  for (let i = 0; i < 1500; i++) {
    const d = 14 + Math.sqrt(r()) * 1650;
    const from = r() * Math.PI * 2;
    const x0 = pole[0] * W + Math.cos(from) * d;
    const y0 = pole[1] * H + Math.sin(from) * d;
    const x1 = pole[0] * W + Math.cos(from + turn) * d;
    const y1 = pole[1] * H + Math.sin(from + turn) * d;
    const bright = r() ** 4;
    const low = 1 - smooth(0.62, 0.88, (y0 + y1) / 2 / H);
    arcs += `<path d="M${x0.toFixed(1)} ${y0.toFixed(1)}A${d.toFixed(1)} ${d.toFixed(1)} 0 0 1 ${x1.toFixed(1)} ${y1.toFixed(1)}" stroke="${tints[Math.floor(r() * tints.length)]}" stroke-width="${(1 + bright * 2.5).toFixed(2)}" stroke-opacity="${((0.3 + bright * 0.7) * low).toFixed(2)}" fill="none" stroke-linecap="round"/>`;
  }
  arcs += `<circle cx="${pole[0] * W + 5}" cy="${pole[1] * H - 4}" r="2.6" fill="#fff"/>`;
  const sky = await draw(arcs);
  // The terrace, its wall and the tower seen from its foot.
  const ground = Array.from({ length: W }, (_, x) => {
    const u = x / W;
    return 0.862 + (cloud(u * 7, 2, 4, 151) - 0.5) * 0.05 + 0.02 * Math.sin(u * 4);
  });
  const land = field((u, v, x) => {
    const t = ground[x];
    if (v < t) return [0, 0, 0, 0];
    const g = cloud(u * 60, v * 90, 4, 152);
    return [6 + g * 8, 9 + g * 9, 14 + g * 10, smooth(t, t + 0.002, v)];
  }, 4);
  const light = tower(1492, 1180, 1010, {
    light: "#2c3a4e",
    shade: "#0c131d",
    band: "#070b11",
    bandShade: "#04070b",
    lamp: "#ffdf8e",
    dir: -1,
  });
  const [lx, ly] = light.lamp;
  const person = (x, y, size, arm = "") =>
    `<g transform="translate(${x} ${y}) scale(${size})" fill="#04070b"><path d="M-13 2L-9-38C-17-42-19-68-11-77C-6-82 7-82 12-76C19-66 17-44 11-38L15 2H4L1-30-4 2Z"/><path d="M-5-90h9v16h-9z"/><ellipse cx="-2" cy="-93" rx="10.5" ry="12.5" transform="rotate(-28 -2 -93)"/>${arm}</g>`;
  const folk =
    person(560, 1194, 1.12) +
    person(604, 1196, 0.86) +
    person(
      736,
      1198,
      1.16,
      '<path d="M8-70L34-96 52-118" stroke="#04070b" stroke-width="8" stroke-linecap="round" stroke-linejoin="round" fill="none"/>',
    ) +
    person(
      948,
      1196,
      1.06,
      '<path d="M-10-66L-28-62-44-72" stroke="#04070b" stroke-width="8" stroke-linecap="round" stroke-linejoin="round" fill="none"/>',
    ) +
    `<path d="M806 1196l32-88M870 1196l-32-88M838 1196v-88" stroke="#04070b" stroke-width="4.5"/><path d="M812 1122l84-70" stroke="#04070b" stroke-width="19"/><path d="M801 1131l12-10" stroke="#04070b" stroke-width="11"/>` +
    `<path d="M-10 1190h1400v26H-10z" fill="#05080c"/><path d="M-10 1210H${W + 10}v${H}H-10z" fill="#05080d"/>`;
  const lamps = await draw(
    `<circle cx="${lx}" cy="${ly}" r="330" fill="url(#g)"/><circle cx="${lx}" cy="${ly}" r="46" fill="#fff3cc"/>` +
      `<path d="M${lx} ${ly - 16}L-60 ${ly - 250}V${ly - 96}L${lx} ${ly + 16}Z" fill="url(#bm)"/><path d="M${lx} ${ly - 16}L${W + 60} ${ly - 130}V${ly + 10}L${lx} ${ly + 16}Z" fill="url(#bn)"/>`,
    glow("g", [
      [0, "#fff1c0", 0.9],
      [0.12, "#ffdd8c", 0.5],
      [0.4, "#f3b45a", 0.14],
      [1, "#f3b45a", 0],
    ]) +
      gradient(
        "bm",
        [
          [0, "#ffe9b8", 0],
          [0.6, "#ffe3a3", 0.12],
          [1, "#fff0c4", 0.6],
        ],
        'x1="0" y1="0" x2="1" y2="0"',
      ) +
      gradient(
        "bn",
        [
          [0, "#fff0c4", 0.5],
          [1, "#ffe9b8", 0.1],
        ],
        'x1="0" y1="0" x2="1" y2="0"',
      ),
  );
  const red = await draw(
    `<circle cx="774" cy="1150" r="150" fill="url(#r)"/><circle cx="774" cy="1150" r="5" fill="#ffb09a"/><path d="M700 1192h200" stroke="#b23a20" stroke-width="4" opacity=".4"/>`,
    glow("r", [
      [0, "#ff5a38", 0.6],
      [0.3, "#d8321a", 0.2],
      [1, "#b01a10", 0],
    ]),
  );
  p = await lay(
    p,
    { input: await blurred(sky, 0.7), blend: "screen" },
    await toSharp(land).png({ compressionLevel: 1 }).toBuffer(),
    await blurred(await draw(light.body, light.defs), 0.9),
    await blurred(await draw(folk), 0.9),
    { input: await blurred(lamps, 11), blend: "screen" },
    { input: await blurred(red, 2), blend: "screen" },
  );
  await save("night-watch.jpg", finish(await bloom(p, 190, 16, 0.35), { grain: 5, vignette: 0.22 }), { quality: 80 });
};

pictures["libeccio.jpg"] = async () => {
  const horizon = 0.47;
  const sky = ramp([
    [0, "#262d33"],
    [0.5, "#3f4a4e"],
    [0.8, "#6f7771"],
    [1, "#a7a48c"],
  ]);
  const skyAt = (u, v) => {
    const t = v / horizon;
    const wx = cloud(u * 3 + 5, v * 5, 4, 161);
    const wy = cloud(u * 3 + 9, v * 5 + 3, 4, 162);
    const mass = cloud(u * 3.2 + wx * 2.2 + v, v * 6.5 + wy * 1.6, 6, 163);
    let c = blend(sky(t), [22, 27, 32], smooth(0.42, 0.68, mass) * (0.9 - 0.5 * smooth(0.6, 1, t)));
    c = add(c, [74, 74, 62], smooth(0.56, 0.36, mass) * 0.55 * (1 - Math.abs(u - 0.3)));
    // A slot in the west, and what comes through it.
    const slot = Math.exp(-(((t - 0.9 - (mass - 0.5) * 0.5) / 0.085) ** 2)) * Math.exp(-(((u - 0.3) / 0.17) ** 2));
    return add(c, [150, 128, 78], slot * (0.35 + wx * 0.7));
  };
  // Seas, from the farthest to the one about to arrive. Each has a crest line, a face and a back.
  const seas = [
    { at: 0.478, high: 0.006, long: 42, dark: "#4f5d5a", light: "#8f9889" },
    { at: 0.495, high: 0.012, long: 26, dark: "#44565a", light: "#87958a" },
    { at: 0.525, high: 0.026, long: 15, dark: "#354b50", light: "#7f958c" },
    { at: 0.575, high: 0.05, long: 8.5, dark: "#2a4247", light: "#6f8d84" },
    { at: 0.665, high: 0.085, long: 5, dark: "#1e363c", light: "#5f8680" },
    { at: 0.82, high: 0.15, long: 2.9, dark: "#142a31", light: "#527f7a" },
  ].map((sea, i) => ({
    ...sea,
    dark: hex(sea.dark),
    light: hex(sea.light),
    top: Array.from({ length: W }, (_, x) => {
      const u = x / W;
      const swell = Math.abs(Math.sin((u * sea.long + i * 1.7 + cloud(u * sea.long * 0.7, i, 3, 170 + i) * 2.4) * 1.5));
      return sea.at - sea.high * ((1 - swell) ** 1.25 * 0.95 + (cloud(u * sea.long * 3, 4, 4, 180 + i) - 0.5) * 0.32);
    }),
  }));
  let p = field((u, v, x) => {
    let i = -1;
    for (let k = 0; k < seas.length; k++) if (v > seas[k].top[x]) i = k;
    if (i < 0) return skyAt(u, v);
    const sea = seas[i];
    const down = (v - sea.top[x]) / sea.high; // from the crest, in wave heights
    const s = sea.long;
    const slope = (sea.top[Math.min(W - 1, x + 4)] - sea.top[Math.max(0, x - 4)]) * s * 3.2;
    const grain = cloud(u * s * 7 + down * 0.7, v * s * 16 - u * 8, 5, 190 + i);
    let c = blend(sea.light, sea.dark, clamp(0.12 + down * 0.62 + slope * 1.5 + (0.5 - grain) * 0.9));
    c = add(c, [24, 44, 36], Math.exp(-((down / 0.16) ** 2)) * 0.55); // light through the lip
    const net =
      1 -
      Math.abs(
        2 * cloud(u * s * 10 + cloud(u * s * 6, v * s * 9, 3, 201) * 2.4, v * s * 20 + down * 1.4, 5, 200 + i) - 1,
      );
    const lace =
      smooth(0.8, 0.97, net) *
      (1 - smooth(0.2, 1.7, down)) *
      (0.35 + smooth(0.35, 0.65, cloud(u * s * 2.4, v * s * 5, 3, 205 + i)));
    const cap =
      smooth(0.12, 0.0, down) * smooth(0.38, 0.6, cloud(u * s * 2.2, i * 3, 4, 210 + i)) +
      smooth(0.4, 0.05, down) * smooth(0.5, 0.72, cloud(u * s * 9, down * 5 + i, 5, 215 + i)) * 0.75;
    const streak = smooth(0.6, 0.72, cloud(u * s * 3 - v * 12, v * s * 26, 4, 220 + i)) * 0.28;
    c = blend(c, [214, 222, 214], clamp(lace * 0.8 + cap * 0.9 + streak));
    c = add(c, [120, 108, 66], Math.exp(-(((u - 0.3) / 0.15) ** 2)) * (1 - smooth(0.48, 0.64, v)) * 0.36 * grain);
    return blend(c, [124, 132, 124], (1 - i / 5) * 0.3);
  });
  const rx = 1500;
  const ry = 628;
  const rock = `M${rx - 250} ${ry + 60}L${rx - 190} ${ry + 8}L${rx - 128} ${ry - 20}L${rx - 96} ${ry - 62}L${rx - 30} ${ry - 84}L${rx + 70} ${ry - 88}L${rx + 130} ${ry - 66}L${rx + 210} ${ry - 74}L${rx + 300} ${ry - 110}L${rx + 400} ${ry - 128}L${rx + 520} ${ry - 150}V${ry + 70}Z`;
  const light = tower(rx + 16, ry - 80, 208, {
    light: "#aeb6b4",
    shade: "#5f6b70",
    band: "#2b3236",
    bandShade: "#1e2428",
    lamp: "#fff0c0",
  });
  const [lx, ly] = light.lamp;
  const shore = await draw(
    `<path d="${rock}" fill="url(#rk)"/>${light.body}`,
    light.defs +
      gradient("rk", [
        [0, "#3a4346"],
        [1, "#272f33"],
      ]),
  );
  const haze = await draw(
    `<ellipse cx="1580" cy="640" rx="760" ry="230" fill="url(#hz)"/>`,
    glow("hz", [
      [0, "#98a29c", 0.55],
      [0.5, "#8b938e", 0.3],
      [1, "#8b938e", 0],
    ]),
  );
  const burst = field((u, v, x, y) => {
    const a =
      Math.exp(-(((x - rx + 196) / 96) ** 2)) * Math.exp(-(((y - ry + 12) / 96) ** 2)) +
      0.75 * Math.exp(-(((x - rx + 78) / 120) ** 2)) * Math.exp(-(((y - ry - 6) / 60) ** 2)) +
      0.7 * Math.exp(-(((x - rx - 240) / 150) ** 2)) * Math.exp(-(((y - ry - 8) / 62) ** 2));
    if (a < 0.02) return [0, 0, 0, 0];
    const n = cloud(x / 30 + cloud(x / 40, y / 40, 3, 232) * 2, y / 22, 6, 231);
    const white = 196 + n * 58;
    return [white, white + 4, white - 2, clamp(a * 1.25 * smooth(0.28, 0.78, n + a * 0.1))];
  }, 4);
  // What stands in front of the rock: the near seas once more.
  const front = field((u, v, x, y) => {
    const o = (y * W + x) * 3;
    return [p.data[o], p.data[o + 1], p.data[o + 2], smooth(seas[3].top[x], seas[3].top[x] + 0.003, v)];
  }, 4);
  const r = random(5);
  let rain = "";
  for (let i = 0; i < 900; i++) {
    const x = r() * W * 1.3 - 100;
    const y = r() * H;
    const l = 24 + r() * 70;
    rain += `<path d="M${x.toFixed(0)} ${y.toFixed(0)}l${(-l * 0.52).toFixed(1)} ${(-l).toFixed(1)}" stroke="#dfe6e2" stroke-width="${(0.6 + r() * 1.1).toFixed(2)}" opacity="${(0.04 + r() * 0.13).toFixed(2)}"/>`;
  }
  let spray = "";
  for (let i = 0; i < 500; i++) {
    const x = Math.floor(r() * W);
    const k = 3 + Math.floor(r() * 3);
    const up = r() ** 2 * seas[k].high * 0.55;
    spray += `<circle cx="${(x + up * 300).toFixed(0)}" cy="${((seas[k].top[x] - up) * H).toFixed(1)}" r="${(0.7 + r() * 2.1 * (k - 2) * 0.5).toFixed(2)}" fill="#eef2ec" opacity="${(0.12 + r() * 0.4).toFixed(2)}"/>`;
  }
  const beam = await draw(
    `<path d="M${lx} ${ly - 4}L300 ${ly - 120}V${ly + 34}L${lx} ${ly + 4}Z" fill="url(#b)"/><circle cx="${lx}" cy="${ly}" r="110" fill="url(#g)"/>`,
    gradient(
      "b",
      [
        [0, "#fff0c8", 0],
        [0.5, "#fff0c8", 0.1],
        [1, "#fff4d4", 0.7],
      ],
      'x1="0" y1="0" x2="1" y2="0"',
    ) +
      glow("g", [
        [0, "#fff6dc", 1],
        [0.14, "#ffe9ae", 0.5],
        [1, "#ffd98a", 0],
      ]),
  );
  const shafts = await draw(
    [
      [430, 160, 300, 470],
      [620, 130, 590, 700],
      [760, 90, 820, 900],
    ]
      .map(([x, w, a, b]) => `<path d="M${x} 120L${x + w * 0.5} 120L${b} 660L${a} 660Z" fill="url(#sf)"/>`)
      .join(""),
    gradient("sf", [
      [0, "#efe2b4", 0],
      [0.5, "#efe2b4", 0.28],
      [1, "#efe2b4", 0.02],
    ]),
  );
  const png = (f) => toSharp(f).png({ compressionLevel: 1 }).toBuffer();
  p = await lay(
    p,
    { input: await blurred(shafts, 26), blend: "screen" },
    await blurred(shore, 1),
    await blurred(haze, 12),
    await png(burst),
    { input: await blurred(beam, 5), blend: "screen" },
    await png(front),
    await blurred(await draw(spray), 0.8),
    await blurred(await draw(rain), 0.8),
  );
  await save("libeccio.jpg", finish(p, { grain: 5, vignette: 0.26 }), { quality: 80 });
};

pictures["mule-track.jpg"] = async () => {
  const horizon = 0.37;
  const sky = ramp([
    [0, "#4f93c4"],
    [0.2, "#86b9d8"],
    [0.33, "#c4dde4"],
    [0.37, "#dfeae6"],
  ]);
  const skyAt = (u, v) => {
    const n = cloud(u * 4 + 1, v * 9 + cloud(u * 6, v * 8, 4, 301) * 1.5, 6, 302);
    const puff = smooth(0.52, 0.7, n) * smooth(0.06, 0.2, v) * (1 - smooth(0.28, 0.36, v));
    return blend(
      sky(v),
      blend([214, 224, 230], [255, 253, 246], smooth(0.55, 0.75, cloud(u * 6, v * 12 + 0.5, 4, 303))),
      puff * 0.9,
    );
  };
  const px = (f) => Array.from({ length: W }, (_, x) => f(x / W));
  // Three slopes: the headland with the tower, the terraces, and the bank one stands on.
  const lands = [
    {
      top: px(
        (u) =>
          mix(0.52, 0.352, smooth(0.42, 0.56, u)) +
          0.03 * smooth(0.66, 0.8, u) -
          0.02 * smooth(0.8, 1, u) +
          (cloud(u * 12, 1, 4, 311) - 0.5) * 0.03 -
          (u < 0.43 ? -0.1 : 0),
      ),
      near: "#8c9a5e",
      far: "#a9a878",
    },
    {
      top: px(
        (u) =>
          0.47 -
          0.13 * smooth(0.62, 1, u) +
          0.2 * (1 - smooth(0.1, 0.42, u)) -
          0.02 * smooth(0.3, 0.5, u) +
          (cloud(u * 10, 5, 4, 312) - 0.5) * 0.03,
      ),
      near: "#6f8a43",
      far: "#98a561",
    },
    {
      top: px(
        (u) =>
          0.66 -
          0.26 * (1 - smooth(-0.05, 0.28, u)) -
          0.07 * smooth(0.7, 1, u) +
          (cloud(u * 12, 7, 5, 313) - 0.5) * 0.03,
      ),
      near: "#4f6b2e",
      far: "#869a4c",
    },
  ];
  const wallsOf = (i, u, v) => {
    // Dry walls run along the slope, closer together as they are farther away.
    if (i === 0) return 0;
    const step = i === 1 ? 0.052 : 0.13;
    const along =
      v - lands[i].top[Math.min(W - 1, Math.floor(u * W))] * 0.82 + (cloud(u * 3, i, 3, 320 + i) - 0.5) * 0.05;
    const f = (((along / step) % 1) + 1) % 1;
    const thick = i === 1 ? 0.2 : 0.16;
    return f < thick ? 1 - (f / thick) * 0.35 : 0;
  };
  // The path: a ribbon that turns three times on its way down to the light.
  const bends = [
    [1.0, 0.36, 0.17],
    [0.86, 0.47, 0.105],
    [0.74, 0.565, 0.062],
    [0.64, 0.49, 0.036],
    [0.565, 0.545, 0.021],
    [0.5, 0.62, 0.013],
    [0.445, 0.672, 0.008],
    [0.4, 0.655, 0.0055],
    [0.372, 0.625, 0.004],
  ];
  const pathAt = (v) => {
    for (let i = 1; i < bends.length; i++) {
      if (v >= bends[i][0]) {
        const t = smooth(bends[i][0], bends[i - 1][0], v);
        return [
          mix(bends[i][1], bends[i - 1][1], t),
          mix(bends[i][2], bends[i - 1][2], (v - bends[i][0]) / (bends[i - 1][0] - bends[i][0])),
        ];
      }
    }
    return [0.5, 0];
  };
  let p = field((u, v, x) => {
    let i = -1;
    for (let k = 0; k < 3; k++) if (v > lands[k].top[x]) i = k;
    if (i < 0) {
      if (v < horizon) return skyAt(u, v);
      const d = (v - horizon) / 0.3;
      const n = cloud((u * 60) / (0.3 + d), d * 70, 4, 331);
      let c = blend([150, 190, 205], [24, 98, 140], smooth(0, 0.5, d));
      c = blend(c, [34, 138, 158], smooth(0.35, 0.9, d) * 0.8);
      return add(c, [60, 60, 50], smooth(0.6, 0.8, n) * 0.6 - (n < 0.4 ? 0.08 : 0));
    }
    const land = lands[i];
    const down = clamp((v - land.top[x]) / 0.3);
    const size = [150, 90, 42][i];
    const tuft = cloud(u * size, v * size * 1.5, 5, 340 + i);
    const patch = cloud(u * size * 0.16, v * size * 0.32, 4, 345 + i);
    let c = blend(hex(land.far), hex(land.near), clamp(tuft * 1.5 - 0.25));
    c = blend(c, [196, 178, 104], smooth(0.46, 0.7, patch) * 0.6);
    c = blend(c, [40, 58, 34], smooth(0.56, 0.76, cloud(u * size * 0.5, v * size * 0.9, 4, 350 + i)) * 0.75);
    if (i === 0 && v > land.top[x] + 0.026 + (cloud(u * 30, 3, 3, 352) - 0.5) * 0.03 + 0.2 * smooth(0.575, 0.625, u)) {
      const rock = cloud(u * 110 + v * 90, v * 120 - u * 30, 5, 353);
      const crack = smooth(0.5, 0.62, cloud(u * 170 + v * 60, v * 40, 4, 354));
      c = blend([40, 38, 42], [150, 132, 112], rock * 1.5 - 0.3 - crack * 0.3); // the dark point itself
    }
    const wall = wallsOf(i, u, v);
    if (wall > 0) {
      const st = i === 1 ? 240 : 96;
      const stone = cloud(u * st, v * st * 1.9, 2, 360);
      const joint = smooth(0.36, 0.46, stone);
      c = blend([86, 80, 68], [206, 196, 172], clamp(wall * 0.75 + stone * 0.3) * (0.45 + 0.55 * joint));
    }
    c = blend(c, [206, 218, 214], [0.34, 0.12, 0][i]);
    c = scale(c, 1.06 - 0.16 * down);
    const [mid, wide] = pathAt(v);
    {
      const off = (u - mid + (cloud(v * 30, 3, 3, 370) - 0.5) * wide * 0.5) / wide + (tuft - 0.5) * 0.5;
      if (Math.abs(off) < 1.3 && v > 0.374) {
        const pebble = cloud((u * 7) / (wide + 0.012), (v * 13) / (wide + 0.012), 4, 371);
        const stones = smooth(0.6, 0.68, cloud((u * 4.2) / (wide + 0.02), (v * 7) / (wide + 0.02), 3, 372));
        let dust = blend([190, 168, 130], [238, 222, 186], pebble * 1.3 - 0.1);
        dust = blend(dust, [226, 216, 196], stones * 0.7);
        dust = scale(dust, 1 - 0.2 * Math.exp(-(((Math.abs(off) - 0.45) / 0.16) ** 2)) * (0.4 + pebble));
        c = blend(c, dust, 1 - smooth(0.94, 1.06, Math.abs(off)));
      }
    }
    return c;
  });
  const r = random(44);
  let bushes = "";
  // Broom: each bush a dark heart and a few hundred yellow points, larger towards the eye.
  const seeds = [];
  for (let i = 0; i < 84; i++) {
    const v = 0.56 + r() ** 0.8 * 0.46;
    const u = r();
    const [mid, wide] = pathAt(Math.min(v, 1));
    if (Math.abs(u - mid) < wide * 1.5 + 0.03) continue;
    if (v < lands[2].top[Math.floor(u * W)] + 0.012) continue;
    seeds.push([u, v, r()]);
  }
  for (const [u, v, k] of seeds.sort((a, b) => a[1] - b[1])) {
    const size = 14 + ((v - 0.54) / 0.46) ** 1.5 * 105 * (0.6 + k * 0.7);
    const x = u * W;
    const y = v * H;
    bushes += `<ellipse cx="${x.toFixed(0)}" cy="${(y + size * 0.1).toFixed(0)}" rx="${(size * 1.2).toFixed(0)}" ry="${(size * 0.26).toFixed(0)}" fill="#24301a" opacity=".45"/>`;
    const lobes = Array.from({ length: 6 }, () => [(r() - 0.5) * 1.5, -0.15 - r() * 0.75, 0.34 + r() * 0.3]);
    for (let j = 0; j < 14 + size * 0.3; j++) {
      const a = -Math.PI / 2 + (r() - 0.5) * 2.4;
      const long = size * (0.7 + r() * 0.75);
      const x0 = x + (r() - 0.5) * size;
      bushes += `<path d="M${x0.toFixed(1)} ${y.toFixed(1)}q${(Math.cos(a) * long * 0.3).toFixed(1)} ${(Math.sin(a) * long * 0.7).toFixed(1)} ${(Math.cos(a) * long).toFixed(1)} ${(Math.sin(a) * long).toFixed(1)}" stroke="rgb(${blend([38, 58, 26], [98, 124, 52], r()).map(Math.round).join(" ")})" stroke-width="${(1 + size * 0.02).toFixed(1)}" fill="none"/>`;
    }
    const n = Math.floor(90 + size * 5);
    for (let j = 0; j < n; j++) {
      const [lx, ly, lr] = lobes[j % 6];
      const a = r() * Math.PI * 2;
      const d = Math.sqrt(r());
      const dx = lx + Math.cos(a) * d * lr;
      const dy = ly + Math.sin(a) * d * lr * 0.8;
      if (dy > 0.08) continue;
      const lit = clamp(0.42 - Math.sin(a) * d * 0.42 - Math.cos(a) * d * 0.2 - ly * 0.3 - 0.12 + (r() - 0.5) * 0.35);
      const c =
        r() < 0.5 - lit * 0.42 ? blend([30, 48, 22], [104, 128, 52], lit) : blend([132, 96, 10], [255, 224, 84], lit);
      bushes += `<circle cx="${(x + dx * size).toFixed(1)}" cy="${(y + dy * size).toFixed(1)}" r="${(0.9 + size * 0.028 * (0.5 + r())).toFixed(1)}" fill="rgb(${c.map(Math.round).join(" ")})"/>`;
    }
  }
  const tx = 1196;
  const ground = lands[0].top[tx] * H;
  const light = tower(tx, ground + 6, 178, {
    light: "#fffdf5",
    shade: "#b5bcc0",
    band: "#22292c",
    bandShade: "#3a4347",
    lamp: "#dfe9ea",
  });
  const hx = tx + 24;
  const houses =
    `<path d="M${hx} ${ground + 6}v-28h58v28z" fill="#fbf5e6"/><path d="M${hx - 4} ${ground - 22}l10-13h46l10 13z" fill="#b96a48"/><path d="M${hx + 62} ${ground + 8}v-24h40v24z" fill="#efe6d2"/><path d="M${hx + 58} ${ground - 16}l8-11h32l8 11z" fill="#a75c3e"/>` +
    [10, 27, 44, 74]
      .map((x) => `<rect x="${hx + x}" y="${ground - 13}" width="7" height="10" fill="#4d6470"/>`)
      .join("");
  const sails = await draw(
    `<path d="M520 508l26-44v44zM516 511h40l-6 7h-28z" fill="#fff8ec"/><path d="M286 540l14-25v25z" fill="#fff8ec" opacity=".9"/>`,
  );
  p = await lay(
    p,
    await blurred(sails, 0.8),
    await blurred(await draw(light.body + houses, light.defs), 0.8),
    await blurred(await draw(bushes), 0.7),
    await draw(
      gull(700, 300, 0.8, -10, "#55636a") + gull(764, 336, 0.55, 8, "#55636a") + gull(1500, 240, 0.6, 6, "#55636a"),
    ),
  );
  const sunny = change(p, (c, u, v) => add(c, [30, 24, 6], Math.exp(-((u / 0.7) ** 2) - ((v - 0.3) / 0.6) ** 2) * 0.7));
  await save("mule-track.jpg", finish(sunny, { grain: 4, vignette: 0.14 }), { quality: 78 });
};

// The four rooms are built alike; what differs is the light, what the window shows, the blanket, and on which side the bed is.
const ROOMS = {
  grecale: {
    sky: ["#9fcbe2", "#d6e8ea", "#f5efdd"],
    sea: [
      [150, 194, 208],
      [32, 112, 148],
    ],
    shine: [120, 110, 80],
    clouds: [0.5, 0.75, 0.7],
    blanket: ["#4a829a", "#2f6178", "#1f4556"],
    folds: ["#0f2a38", "#7fb0c4"],
    sun: [0.2, 0.13, -0.05],
    dim: [0.86, 0.86, 0.87],
  },
  maestrale: {
    sky: ["#6f8fb4", "#c4bfc0", "#f3b27c"],
    sea: [
      [214, 168, 140],
      [58, 92, 122],
    ],
    shine: [150, 96, 52],
    clouds: [0.46, 0.7, 0.5],
    blanket: ["#d0a54e", "#a97d2f", "#77561f"],
    folds: ["#4a3410", "#f0d79a"],
    sun: [0.27, 0.08, -0.16],
    dim: [0.76, 0.74, 0.79],
    mirrored: true,
  },
  scirocco: {
    sky: ["#e4d8bd", "#ecdfc6", "#f1e4cd"],
    sea: [
      [206, 196, 172],
      [120, 138, 134],
    ],
    shine: [60, 56, 40],
    clouds: [0.4, 0.7, 0.4],
    blanket: ["#c46a4c", "#9c4631", "#6e2e20"],
    folds: ["#43190f", "#eba78c"],
    sun: [0.05, 0.035, 0],
    dim: [0.97, 0.92, 0.83],
  },
  libeccio: {
    sky: ["#4b575f", "#6d7a7e", "#b3bcb4"],
    sea: [
      [128, 146, 140],
      [44, 74, 74],
    ],
    shine: [24, 30, 26],
    clouds: [0.34, 0.6, 0.38],
    blanket: ["#6f8a5e", "#4f6a45", "#34492f"],
    folds: ["#1a2a18", "#a9c094"],
    sun: [0, 0, 0],
    dim: [0.66, 0.7, 0.73],
    mirrored: true,
  },
};
for (const name of Object.keys(ROOMS)) pictures[`room-${name}.jpg`] = () => room(name, ROOMS[name]);

async function room(name, look) {
  // Straight on: a wall, a deep window, a bed, a desk. The sun comes from the window's right.
  const win = { x: 700, y: 210, w: 420, h: 520 };
  const floor = 1050;
  let p = field((u, v, x, y) => {
    const plaster = cloud(u * 5, v * 5, 4, 401);
    const trowel = cloud(u * 50 + plaster * 4, v * 34, 4, 402);
    let c = blend([222, 214, 198], [250, 241, 222], plaster * 0.7 + 0.15);
    c = add(c, [16, 15, 12], (trowel - 0.5) * 1.1);
    c = scale(c, 0.84 + 0.2 * Math.exp(-(((x - 950) / 820) ** 2) - ((y - 620) / 620) ** 2));
    if (y > floor) {
      // Terracotta, laid in rows that open towards the eye.
      const depth = (y - floor) / (H - floor);
      const row = Math.log(1 + depth * 2.1) * 5.2;
      const across = (x - 960) / (150 + depth * 190) + (Math.floor(row) % 2) * 0.5;
      const gx = Math.abs((((across % 1) + 1) % 1) - 0.5);
      const gy = Math.abs((row % 1) - 0.5);
      const tile = hash(Math.floor(across), Math.floor(row), 403);
      c = blend([150, 86, 60], [190, 118, 84], tile * 0.8 + cloud(x / 60, y / 24, 4, 404) * 0.4);
      c = blend(c, [120, 96, 80], Math.max(smooth(0.475, 0.495, gx), smooth(0.46, 0.49, gy)) * 0.8);
      c = scale(c, 0.72 + 0.2 * depth);
    } else if (y > floor - 26) c = scale(blend(c, [120, 128, 130], 0.55), 0.95);
    return c;
  });
  const sea = field((u, v, x, y) => {
    const t = (y - win.y) / win.h;
    if (t < 0.52) {
      const puff = smooth(look.clouds[0], look.clouds[1], cloud(x / 150, y / 46, 5, 411));
      return blend(
        ramp([
          [0, look.sky[0]],
          [0.4, look.sky[1]],
          [0.52, look.sky[2]],
        ])(t),
        name === "libeccio" ? [38, 46, 52] : [255, 253, 246],
        puff * look.clouds[2],
      );
    }
    const d = (t - 0.52) / 0.48;
    const n = cloud(x / (8 + d * 50), d * 60, 4, 412);
    return add(
      blend(look.sea[0], look.sea[1], smooth(0, 0.9, d)),
      look.shine,
      smooth(0.56, 0.76, n) * Math.exp(-(((x - 1010) / 110) ** 2)) + smooth(0.66, 0.8, n) * 0.2,
    );
  });
  const cut = await draw(
    `<rect x="${win.x + 66}" y="${win.y + 60}" width="${win.w - 132}" height="${win.h - 120}" fill="#fff"/>`,
  );
  const view = await sharp(await toSharp(sea).png({ compressionLevel: 1 }).toBuffer())
    .ensureAlpha()
    .composite([{ input: cut, blend: "dest-in" }])
    .png({ compressionLevel: 1 })
    .toBuffer();
  const { x, y, w, h } = win;
  const recess =
    `<path d="M${x} ${y}L${x + 66} ${y + 60}V${y + h - 60}L${x} ${y + h}Z" fill="url(#rl)"/><path d="M${x + w} ${y}L${x + w - 66} ${y + 60}V${y + h - 60}L${x + w} ${y + h}Z" fill="url(#rr)"/>` +
    `<path d="M${x} ${y}H${x + w}L${x + w - 66} ${y + 60}H${x + 66}Z" fill="#b9b7b2"/><path d="M${x} ${y + h}H${x + w}L${x + w - 66} ${y + h - 60}H${x + 66}Z" fill="#fff6e0"/>` +
    `<g fill="none" stroke="#6f8a86" stroke-width="13"><rect x="${x + 72}" y="${y + 66}" width="${w - 144}" height="${h - 132}"/><path d="M${x + w / 2} ${y + 66}V${y + h - 66}M${x + 66} ${y + h * 0.42}H${x + w - 66}" stroke-width="9"/></g>`;
  const recessDefs =
    gradient(
      "rl",
      [
        [0, "#f4ead4"],
        [1, "#fffaf0"],
      ],
      'x1="0" y1="0" x2="1" y2="0"',
    ) +
    gradient(
      "rr",
      [
        [0, "#8e9290"],
        [1, "#c9c6be"],
      ],
      'x1="0" y1="0" x2="1" y2="0"',
    );
  // A second window, behind us, which the sun draws on the wall: four panes, leaning.
  const pane = (i, j) => {
    const x0 = 96 + i * 226;
    const y0 = 196 + j * 316 + i * 52;
    return `M${x0} ${y0}L${x0 + 204} ${y0 + 47}V${y0 + 341}L${x0} ${y0 + 294}Z`;
  };
  const panes = [pane(0, 0), pane(1, 0), pane(0, 1), pane(1, 1)].join("");
  const { data: sun } = await sharp(await blurred(await draw(`<path d="${panes}" fill="#fff"/>`), 4))
    .extractChannel(3)
    .raw()
    .toBuffer({ resolveWithObject: true });
  p = change(p, (c, u, v, x, y) => {
    const m = sun[y * W + x] / 255;
    const spill = Math.exp(-(((x - 320) / 420) ** 2) - ((y - 560) / 420) ** 2) * 0.07;
    return [
      c[0] * (look.dim[0] + spill + m * look.sun[0]),
      c[1] * (look.dim[1] + spill + m * look.sun[1]),
      c[2] * (look.dim[2] + spill * 0.6 + m * look.sun[2]),
    ];
  });
  const bed =
    `<path d="M1168 726q22-26 44 0v520h-44zM1934 560q24-30 50 0v690h-50z" fill="url(#post)"/><path d="M1700 610H1940V830H1700Z" fill="#6a4b2e"/><path d="M1700 610H1940v14H1700z" fill="#a87f50"/>` +
    `<path d="M1180 838C1290 800 1500 790 1640 796L2000 800V1130H1180Z" fill="url(#sheet)"/>` +
    `<path d="M1180 900C1320 868 1520 862 1700 866L2000 868V1150L1200 1150C1176 1080 1172 980 1180 900Z" fill="url(#blk)"/>` +
    [0, 1, 2]
      .map(
        (i) =>
          `<path d="M${1196 + i * 9} ${934 + i * 22 + i * 30}C1340 ${904 + i * 50} 1540 ${898 + i * 50} 1720 ${900 + i * 50}L2000 ${902 + i * 50}" stroke="#f3ead6" stroke-width="${11 - i * 2}" fill="none" opacity=".85"/>`,
      )
      .join("") +
    `<path d="M1640 812C1620 740 1660 706 1760 706C1880 700 1960 716 1962 772C1964 822 1940 836 1850 838C1760 842 1656 852 1640 812Z" fill="url(#pl)"/><path d="M1700 776C1760 790 1840 770 1900 782" stroke="#b7b3aa" stroke-width="6" fill="none" opacity=".6"/>` +
    `<path d="M1190 1120H2000v34H1190z" fill="#5b4129"/>`;
  const folds = [1290, 1420, 1580, 1740, 1880]
    .map(
      (fx, i) =>
        `<path d="M${fx} 880C${fx - 26} 960 ${fx + 30} 1030 ${fx - 12 + i * 4} 1140" stroke="${look.folds[(i + 1) % 2]}" stroke-width="34" fill="none" opacity=".4"/>`,
    )
    .join("");
  const bedDefs =
    gradient("sheet", [
      [0, "#fffaf0"],
      [1, "#d9d3c6"],
    ]) +
    gradient("blk", [
      [0, look.blanket[0]],
      [0.5, look.blanket[1]],
      [1, look.blanket[2]],
    ]) +
    gradient("pl", [
      [0, "#fffdf6"],
      [0.6, "#eee8dc"],
      [1, "#c9c3b8"],
    ]) +
    gradient(
      "post",
      [
        [0, "#8a6440"],
        [0.5, "#6b4a2c"],
        [1, "#472f1a"],
      ],
      'x1="0" y1="0" x2="1" y2="0"',
    );
  const desk =
    `<path d="M150 842H640v28H150z" fill="#8a6138"/><path d="M150 842H640v7H150z" fill="#c99a62"/><path d="M176 870h24v330h-24zM590 870h24v330h-24z" fill="#6b4826"/><path d="M200 870H590v48H200z" fill="#7a532e"/><circle cx="395" cy="894" r="7" fill="#d9b070"/>` +
    `<path d="M214 826h150l6 16H208z" fill="#2f4f4a"/><path d="M220 812h138l6 14H214z" fill="#9c3b28"/><path d="M366 834l76-10 60 14-80 6z" fill="#fffaf0"/><path d="M404 838l30-5" stroke="#5a6a70" stroke-width="2"/>` +
    `<path d="M556 842c-22 0-28-14-28-34 0-16 8-22 10-34h36c2 12 10 18 10 34 0 20-6 34-28 34z" fill="#7ba3a0" opacity=".9"/>` +
    [
      [536, 690, -14],
      [556, 664, 0],
      [580, 682, 12],
      [548, 714, -6],
      [570, 720, 9],
      [522, 724, -22],
    ]
      .map(
        ([fx, fy, a]) =>
          `<path d="M556 790Q${(fx + 556) / 2} ${fy + 60} ${fx} ${fy}" stroke="#5d7240" stroke-width="3.5" fill="none"/><g transform="translate(${fx} ${fy}) rotate(${a})">${[0, 60, 120, 180, 240, 300].map((t) => `<ellipse cx="0" cy="-9" rx="5" ry="9" transform="rotate(${t})" fill="#f1c53c"/>`).join("")}<circle r="4.5" fill="#a8751a"/></g>`,
      )
      .join("") +
    `<path d="M300 1010h150v20H300z" fill="#a87c48"/><path d="M306 1030h15v190h-15zM430 1030h15v190h-15z" fill="#7c5630"/><path d="M304 1010V900h12v110zM434 1010V900h12v110zM304 916h142v14H304zM304 952h142v14H304z" fill="#94693a"/>`;
  const shadows = await draw(
    `<path d="M130 870H600V1060H100Z" fill="#39434a" opacity=".22"/><ellipse cx="390" cy="1216" rx="300" ry="24" fill="#2a1a12" opacity=".45"/><path d="M1150 900L1240 700H1300V1150H1130Z" fill="#39434a" opacity=".25"/><path d="M1100 1170H2000v90H1080Z" fill="#2a1a12" opacity=".5"/><path d="M${x - 10} ${y + h}h${w + 20}l-10 20h-${w}z" fill="#555" opacity=".25"/>`,
  );
  const picture = `<rect x="1450" y="330" width="230" height="170" fill="#5d4630"/><rect x="1462" y="342" width="206" height="146" fill="#efe6d2"/><path d="M1480 462C1530 430 1600 470 1650 440V474H1480Z" fill="#7f9aa4"/><path d="M1560 448l5-66h12l5 66z" fill="#2b2f33"/><circle cx="1571" cy="376" r="6" fill="#e2982f"/>`;
  p = await lay(
    p,
    await blurred(shadows, 22),
    await blurred(await draw(`<rect x="1456" y="342" width="234" height="176" fill="#3a3a38" opacity=".4"/>`), 9),
    view,
    await blurred(await draw(recess, recessDefs), 1.2),
    await blurred(await draw(picture), 0.8),
    await blurred(await draw(bed, bedDefs), 1),
    { input: await blurred(await draw(folds), 16), blend: "soft-light" },
    await blurred(await draw(desk), 0.8),
  );
  if (look.mirrored) {
    const { data } = p;
    p = field((u, v, x, y) => [0, 1, 2].map((i) => data[(y * W + W - 1 - x) * 3 + i]));
  }
  await save(`room-${name}.jpg`, finish(await bloom(p, 232, 36, 0.5), { grain: 5, vignette: 0.3 }));
}

pictures["cala-fonda.jpg"] = async () => {
  const quay = 0.6;
  const sky = ramp([
    [0, "#22395c"],
    [0.2, "#4d668c"],
    [0.36, "#a08aa0"],
    [0.48, "#e0a58c"],
    [0.6, "#f2bd8a"],
  ]);
  const hillTop = Array.from({ length: W }, (_, x) => {
    const u = x / W;
    return (
      0.36 -
      0.13 * Math.exp(-(((u - 0.62) / 0.3) ** 2)) +
      0.12 * (1 - smooth(0, 0.26, u)) +
      0.1 * smooth(0.86, 1.05, u) +
      (cloud(u * 9, 2, 5, 501) - 0.5) * 0.05 +
      (cloud(u * 60, 2, 3, 502) - 0.5) * 0.008
    );
  });
  let base = field((u, v, x) => {
    if (v < hillTop[x]) {
      const c = sky(v);
      const streak =
        smooth(0.5, 0.75, cloud(u * 3, v * 14 + cloud(u * 4, v * 4, 3, 503), 5, 504)) * smooth(0.03, 0.2, v);
      return blend(c, blend([120, 100, 130], [250, 176, 140], smooth(0.1, 0.38, v)), streak * 0.6);
    }
    const t = cloud(u * 46, v * 70, 5, 505);
    const terrace = Math.abs((((v - hillTop[x] * 0.6) * 34 + cloud(u * 4, 2, 3, 506) * 2) % 1) - 0.5);
    let c = blend([34, 44, 56], [82, 84, 84], t * 0.9);
    c = add(c, [26, 20, 16], smooth(0.42, 0.5, terrace) * 0.7);
    return blend(c, [150, 116, 120], 0.32 * (1 - smooth(hillTop[x], hillTop[x] + 0.2, v)));
  });
  const r = random(12);
  const walls = [
    "#d99a5c",
    "#e2b479",
    "#c9705a",
    "#e8d6b8",
    "#d58873",
    "#b9826a",
    "#efe3cc",
    "#cf9d86",
    "#d9b64f",
    "#a8b09a",
    "#e6c5a2",
  ];
  const shutters = ["#3f6b5c", "#4b6f86", "#6b4a3a", "#7a8f62"];
  let houses = "";
  let lights = "";
  const q = quay * H;
  const house = (x, w, h, colour, lift = 0) => {
    const y = q - lift;
    const top = y - h;
    houses += `<rect x="${x}" y="${top}" width="${w}" height="${h + 6}" fill="${colour}"/><rect x="${x}" y="${top}" width="${w}" height="${h + 6}" fill="url(#wall)"/>`;
    houses += `<path d="M${x - 5} ${top + 3}L${x + w * 0.12} ${top - 20}H${x + w * 0.88}L${x + w + 5} ${top + 3}Z" fill="#8c4a36"/><path d="M${x - 5} ${top + 3}h${w + 10}v5h-${w + 10}z" fill="#5f3226"/>`;
    if (r() < 0.5)
      houses += `<rect x="${x + w * (0.2 + r() * 0.5)}" y="${top - 36}" width="14" height="26" fill="#9a6a54"/>`;
    const cols = Math.max(1, Math.floor(w / 46));
    const rows = Math.max(1, Math.floor((h - 34) / 62));
    const shutter = shutters[Math.floor(r() * shutters.length)];
    for (let i = 0; i < cols; i++) {
      for (let j = 0; j < rows; j++) {
        const wx = x + (w / cols) * (i + 0.5) - 9;
        const wy = top + 22 + j * 62;
        const lit = r() < 0.36;
        houses += `<rect x="${wx - 1}" y="${wy}" width="20" height="32" fill="${lit ? "#ffd27a" : "#39424e"}"/><path d="M${wx + 9} ${wy}v32M${wx} ${wy + 13}h18" stroke="#5b4a3c" stroke-width="1.5"/>`;
        houses += `<rect x="${wx - 11}" y="${wy - 1}" width="9" height="34" fill="${shutter}"/><rect x="${wx + 20}" y="${wy - 1}" width="9" height="34" fill="${shutter}"/><path d="M${wx - 3} ${wy + 34}h24" stroke="#f4e8d2" stroke-width="3" opacity=".6"/>`;
        if (lit) lights += `<circle cx="${wx + 9}" cy="${wy + 16}" r="52" fill="url(#w)"/>`;
      }
    }
    if (lift === 0) {
      const dx = x + w * (0.3 + r() * 0.3);
      houses += `<path d="M${dx} ${y + 4}v-38q13-14 26 0v38z" fill="${r() < 0.3 ? "#ffca6c" : "#4a362a"}"/>`;
    }
  };
  for (let x = 760; x < 1900; x += 92 + r() * 30)
    house(
      Math.round(x),
      96 + Math.round(r() * 24),
      110 + Math.round(r() * 80),
      walls[Math.floor(r() * walls.length)],
      150 + Math.round(40 * Math.sin((x - 700) / 240)),
    );
  houses += `<path d="M1300 ${q - 300}h62v-220h-62z" fill="#e9dcc2"/><path d="M1300 ${q - 520}h62v220h-62z" fill="url(#wall)"/><path d="M1294 ${q - 520}h74l-37-64z" fill="#7f4634"/><path d="M1318 ${q - 440}v-34q13-16 26 0v34z" fill="#3a3440"/><path d="M1331 ${q - 584}v-26M1323 ${q - 600}h16" stroke="#3a3440" stroke-width="3"/>`;
  for (let x = 640; x < 1990;) {
    const w = 104 + Math.round(r() * 62);
    house(Math.round(x), w, 176 + Math.round(r() * 96), walls[Math.floor(r() * walls.length)]);
    x += w + 1;
  }
  // The tuna shed: nine stone arches, one of them lit.
  houses += `<path d="M-10 ${q + 4}V${q - 150}H640V${q + 4}Z" fill="#b5a68c"/><path d="M-10 ${q + 4}V${q - 150}H640V${q + 4}Z" fill="url(#wall)"/><path d="M-20 ${q - 146}L40 ${q - 206}H600L650 ${q - 146}Z" fill="#7d4433"/>`;
  for (let i = 0; i < 8; i++) {
    const ax = 22 + i * 78;
    houses += `<path d="M${ax - 5} ${q + 4}v-76q30-52 62 0v76z" fill="#d8ccb2"/><path d="M${ax} ${q + 4}v-74q26-46 52 0v74z" fill="${i === 5 ? "#ffbf5e" : "#2a2b34"}"/>`;
    if (i === 5) houses += `<path d="M${ax + 4} ${q + 4}q20-26 46-22v22z" fill="#6b3a20"/>`;
  }
  lights += `<circle cx="438" cy="${q - 30}" r="120" fill="url(#w)"/>`;
  houses += `<rect x="-10" y="${q}" width="${W + 20}" height="24" fill="#8a7d6c"/><rect x="-10" y="${q}" width="${W + 20}" height="5" fill="#c9b99c"/><rect x="-10" y="${q + 16}" width="${W + 20}" height="10" fill="#4c473f"/>`;
  for (const x of [700, 1010, 1330, 1660, 1900]) {
    houses += `<path d="M${x} ${q}v-84" stroke="#2b2c33" stroke-width="4"/><circle cx="${x}" cy="${q - 88}" r="7" fill="#fff0c0"/>`;
    lights += `<circle cx="${x}" cy="${q - 88}" r="110" fill="url(#w)"/>`;
  }
  const defs =
    gradient("wall", [
      [0, "#fff0d8", 0.1],
      [0.5, "#3a3048", 0.12],
      [1, "#2a2438", 0.4],
    ]) +
    glow("w", [
      [0, "#ffc766", 0.5],
      [0.3, "#ffb347", 0.18],
      [1, "#ffb347", 0],
    ]);
  const town = await draw(houses, defs);
  const stains = field((u, v, x, y) => {
    if (y > q || y < q - 640) return [0, 0, 0, 0];
    return [60, 48, 52, smooth(0.5, 0.8, cloud(x / 60, y / 90, 5, 520)) * 0.28];
  }, 4);
  const cutStains = await sharp(await toSharp(stains).png({ compressionLevel: 1 }).toBuffer())
    .composite([{ input: town, blend: "dest-in" }])
    .png({ compressionLevel: 1 })
    .toBuffer();
  base = await lay(base, await blurred(town, 0.7), cutStains, { input: await draw(lights, defs), blend: "screen" });
  base = await bloom(base, 195, 18, 0.5);
  // Water: the town upside down, pushed about by what little moves.
  const edge = quay + 26 / H;
  const water = change(base, (c, u, v, x, y) => {
    if (v < edge) return c;
    const depth = (v - edge) / (1 - edge);
    const n = cloud(x / (70 + depth * 240), depth * (46 - depth * 20), 4, 531);
    const fine = cloud(x / (18 + depth * 60), depth * (120 - depth * 60), 3, 532);
    const sy = Math.round(
      clamp(edge * H - (y - edge * H) * 1.12 - (n - 0.5) * 90 * (0.15 + depth) - (fine - 0.5) * 26, 0, edge * H - 1),
    );
    const sx = Math.round(clamp(x + (n - 0.5) * 46 * (0.2 + depth) + (fine - 0.5) * 14, 0, W - 1));
    const o = (sy * W + sx) * 3;
    const m = [base.data[o], base.data[o + 1], base.data[o + 2]];
    return blend(scale(m, 0.88), [30, 48, 72], 0.16 + depth * 0.42 + (fine - 0.5) * 0.2);
  });
  const gozzo = (x, y, s, hull, stripe) =>
    `<g transform="translate(${x} ${y}) scale(${s})"><path d="M-120-24C-80-6 70-4 124-28C116 4 96 24 66 28H-66C-96 24-114 4-120-24Z" fill="${hull}"/><path d="M-122-27C-80-9 70-7 126-31" stroke="${stripe}" stroke-width="8" fill="none"/><path d="M-112-6C-70 10 70 12 116-8" stroke="#000" stroke-opacity=".25" stroke-width="3" fill="none"/><path d="M-96-17Q0-2 98-20L90-10Q0 4-88-8Z" fill="#2d2420"/><path d="M-40-10v12M30-10v12" stroke="#b98a54" stroke-width="10"/><path d="M-4-14L4-170" stroke="#5b4028" stroke-width="6"/></g>` +
    `<g transform="translate(${x} ${y + 56 * s}) scale(${s} ${-s * 0.8})" opacity=".42"><path d="M-120-24C-80-6 70-4 124-28C116 4 96 24 66 28H-66C-96 24-114 4-120-24Z" fill="${hull}"/><path d="M-4-14L10-150" stroke="#33241a" stroke-width="6"/></g>`;
  const boats = await draw(
    gozzo(430, 960, 1.05, "#2f6a86", "#f3e6c8") +
      gozzo(760, 906, 0.72, "#a03c2c", "#f3e6c8") +
      gozzo(1460, 1000, 1.25, "#3e6b4f", "#efd9a0") +
      gozzo(1760, 910, 0.7, "#d8c49a", "#7d3426"),
  );
  const p = await lay(water, await blurred(boats, 0.8));
  await save("cala-fonda.jpg", finish(p, { grain: 5, vignette: 0.24 }), { quality: 80 });
};

pictures["oilskins.jpg"] = async () => {
  const dado = 800;
  let p = field((u, v, x, y) => {
    const lime = cloud(u * 4, v * 4, 5, 601);
    const brush = cloud(u * 14 + v * 30, v * 60 - u * 12, 4, 602);
    let c = blend([208, 199, 180], [250, 239, 216], lime * 0.8 + brush * 0.25);
    if (y > dado) {
      const board = x / 124;
      const k = Math.floor(board);
      const f = board - k;
      const grainy = cloud(x / 26 + k * 7, y / 320, 5, 603);
      c = blend([84, 112, 112], [128, 152, 146], grainy * 0.8 + hash(k, 1, 604) * 0.22);
      c = blend(c, [210, 208, 190], smooth(0.66, 0.8, cloud(x / 20, y / 70, 5, 605)) * 0.3);
      c = scale(c, 1 - 0.5 * (Math.exp(-((f / 0.025) ** 2)) + Math.exp(-(((1 - f) / 0.02) ** 2))));
      c = add(c, [30, 30, 26], Math.exp(-(((f - 0.05) / 0.015) ** 2)) * 0.7);
    }
    if (y > 1190) {
      const slab = (x + (y - 1190) * 0.6 * ((x - 990) / 990)) / 330;
      c = blend([52, 56, 60], [92, 94, 94], cloud(x / 60, y / 20, 5, 606));
      c = scale(c, 1 - 0.45 * Math.exp(-((((slab % 1) - 0.5) / 0.008) ** 2)));
      c = add(c, [40, 34, 22], smooth(1190, 1320, y) * 0.3);
    }
    const light = Math.exp(-(((x - 420 - (y - 300) * 0.35) / 900) ** 2));
    return scale(c, 0.62 + 0.46 * light);
  });
  const rail = `<rect x="-10" y="232" width="${W + 20}" height="74" fill="url(#rail)"/><path d="M-10 232H${W + 10}" stroke="#d9ab6c" stroke-width="4" opacity=".7"/><path d="M-10 305H${W + 10}" stroke="#2a1a0c" stroke-width="4" opacity=".6"/><rect x="-10" y="${dado - 14}" width="${W + 20}" height="26" fill="#5f7f7c"/><rect x="-10" y="${dado - 14}" width="${W + 20}" height="6" fill="#a9c0b8"/><rect x="-10" y="1150" width="${W + 20}" height="42" fill="#52706e"/>`;
  const coats = [
    { x: 250, h: 640, w: 232, main: "#d9a521", dark: "#7d5a0c", light: "#f6d46a" },
    { x: 620, h: 700, w: 256, main: "#a83a26", dark: "#571a10", light: "#d9684a" },
    { x: 990, h: 590, w: 214, main: "#2b5f7a", dark: "#12303f", light: "#5f97b0" },
    { x: 1360, h: 660, w: 262, main: "#5f7340", dark: "#2d3a1c", light: "#90a566" },
    { x: 1730, h: 615, w: 220, main: "#8d949a", dark: "#4a5157", light: "#c3c8ca" },
  ];
  const r = random(23);
  let shapes = "";
  let defs = gradient("rail", [
    [0, "#9a6a38"],
    [0.5, "#7d5128"],
    [1, "#573416"],
  ]);
  let shadow = "";
  let pegs = "";
  let sheen = "";
  coats.forEach(({ x, h, w, main, dark, light }, i) => {
    const t = 296;
    const hem = t + h;
    const a = w * 0.5;
    const sway = (r() - 0.5) * 14;
    const outline = `M${x - 16} ${t}C${x - 58} ${t + 14} ${x - a * 0.62} ${t + 54} ${x - a * 0.74} ${t + 130}C${x - a * 0.9} ${t + 300} ${x - a * 0.96 + sway} ${hem - 140} ${x - a * 1.04 + sway} ${hem - 6}C${x - a * 0.5} ${hem + 22} ${x - a * 0.3} ${hem - 10} ${x + sway} ${hem + 8}C${x + a * 0.4} ${hem + 22} ${x + a * 0.6} ${hem - 6} ${x + a * 1.02 + sway} ${hem + 4}C${x + a * 0.98} ${hem - 160} ${x + a * 0.92} ${t + 300} ${x + a * 0.74} ${t + 130}C${x + a * 0.62} ${t + 54} ${x + 58} ${t + 14} ${x + 16} ${t}Z`;
    const sleeve = (k) =>
      `M${x + k * a * 0.6} ${t + 96}C${x + k * a * 0.98} ${t + 128} ${x + k * a * 1.2} ${t + 300} ${x + k * a * 1.24} ${t + h * 0.66}C${x + k * a * 1.22} ${t + h * 0.7} ${x + k * a * 0.92} ${t + h * 0.71} ${x + k * a * 0.84} ${t + h * 0.67}C${x + k * a * 0.86} ${t + 340} ${x + k * a * 0.76} ${t + 210} ${x + k * a * 0.6} ${t + 96}Z`;
    defs +=
      gradient(
        `c${i}`,
        [
          [0, dark],
          [0.16, main],
          [0.34, light],
          [0.5, main],
          [0.72, dark],
          [0.86, main],
          [1, dark],
        ],
        'x1="0" y1="0" x2="1" y2="0.06"',
      ) +
      gradient(
        `s${i}`,
        [
          [0, dark],
          [0.35, light],
          [0.6, main],
          [1, dark],
        ],
        'x1="0" y1="0" x2="1" y2="0"',
      ) +
      gradient(`h${i}`, [
        [0, light],
        [0.5, main],
        [1, dark],
      ]);
    shadow += `<path transform="translate(46 26)" d="${outline}${sleeve(-1)}${sleeve(1)}" fill="#141a1f" opacity=".5"/>`;
    const hood = `M${x - a * 0.5} ${t + 96}C${x - a * 0.5} ${t + 20} ${x - 30} ${t - 4} ${x} ${t - 2}C${x + 30} ${t - 4} ${x + a * 0.5} ${t + 20} ${x + a * 0.5} ${t + 96}C${x + a * 0.3} ${t + 138} ${x - a * 0.3} ${t + 138} ${x - a * 0.5} ${t + 96}Z`;
    shapes += `<path d="${outline}" fill="url(#c${i})"/><path d="${sleeve(-1)}" fill="url(#s${i})"/><path d="${sleeve(1)}" fill="url(#s${i})"/><path d="${hood}" fill="url(#h${i})"/><path d="M${x - a * 0.34} ${t + 92}C${x - a * 0.3} ${t + 40} ${x + a * 0.3} ${t + 40} ${x + a * 0.34} ${t + 92}C${x + a * 0.16} ${t + 116} ${x - a * 0.16} ${t + 116} ${x - a * 0.34} ${t + 92}Z" fill="${dark}" opacity=".72"/>`;
    shapes += `<path d="M${x + 2} ${t + 126}C${x - 6} ${t + 300} ${x + 8} ${hem - 200} ${x + sway} ${hem + 6}" stroke="${dark}" stroke-width="5" fill="none"/>`;
    for (let k = 0; k < 5; k++)
      shapes += `<g transform="translate(${x + 12} ${t + 170 + (k * (h - 250)) / 4.6})"><circle r="7" fill="${dark}"/><circle cx="-1.5" cy="-1.5" r="4.5" fill="#d8cdb2"/></g>`;
    for (const k of [-1, 1])
      shapes += `<path d="M${x + k * a * 0.48 - 31} ${t + h * 0.6}h62v15q-31 10-62 0z" fill="${main}" stroke="${dark}" stroke-width="3"/>`;
    for (let k = 0; k < 7; k++) {
      const fx = x - a * 0.8 + r() * a * 1.6;
      const fy = t + 190 + r() * h * 0.3;
      const long = 140 + r() * 260;
      sheen += `<path d="M${fx} ${fy}C${fx + (r() - 0.5) * 46} ${fy + long * 0.4} ${fx + (r() - 0.5) * 40} ${fy + long * 0.7} ${fx + (fx - x) * 0.2} ${Math.min(hem - 12, fy + long)}" stroke="${k % 2 ? light : dark}" stroke-width="${6 + r() * 12}" stroke-opacity="${k % 2 ? 0.34 : 0.36}" fill="none" stroke-linecap="round"/>`;
    }
    pegs += `<circle cx="${x + 4}" cy="278" r="20" fill="#1d1208" opacity=".5"/><circle cx="${x}" cy="270" r="18" fill="#b98248"/><circle cx="${x - 4}" cy="265" r="10" fill="#e0b478"/>`;
  });
  const boot = (x, k) =>
    `<g transform="translate(${x} 1196) scale(${k} 1)"><path d="M-34-150H22C24-90 20-60 30-42C52-30 74-24 76-2V12H-38C-34-40-30-90-34-150Z" fill="url(#bt)"/><path d="M-38 4H77V14H-38Z" fill="#caa25a"/><path d="M-34-150H22v16h-56z" fill="#caa25a" opacity=".85"/></g>`;
  defs += gradient(
    "bt",
    [
      [0, "#1c2a2e"],
      [0.35, "#486068"],
      [0.6, "#26363c"],
      [1, "#101a1e"],
    ],
    'x1="0" y1="0" x2="1" y2="0"',
  );
  const boots = boot(540, 1) + boot(640, 1) + boot(1180, -1) + boot(1440, 1) + boot(1540, 1);
  const bucket = `<path d="M836 1040h150l-18 168H854z" fill="url(#bk)"/><ellipse cx="911" cy="1040" rx="75" ry="17" fill="#4a555a"/><ellipse cx="911" cy="1043" rx="66" ry="12" fill="#20282c"/><path d="M838 1044C850 960 972 960 984 1044" stroke="#6d787c" stroke-width="5" fill="none"/>`;
  defs += gradient(
    "bk",
    [
      [0, "#59656a"],
      [0.3, "#c2cacb"],
      [0.5, "#8b979a"],
      [1, "#39444a"],
    ],
    'x1="0" y1="0" x2="1" y2="0"',
  );
  const drips = field(
    (u, v, x, y) => [255, 255, 250, y > 330 && y < 1010 ? smooth(0.8, 0.9, noise(x / 3, y / 9, 640)) * 0.16 : 0],
    4,
  );
  const all = await draw(shapes, defs);
  const wet = await sharp(await toSharp(drips).png({ compressionLevel: 1 }).toBuffer())
    .composite([{ input: all, blend: "dest-in" }])
    .png({ compressionLevel: 1 })
    .toBuffer();
  const folds = await sharp(await blurred(await draw(sheen), 7))
    .composite([{ input: all, blend: "dest-in" }])
    .png({ compressionLevel: 1 })
    .toBuffer();
  const sunPatch = await draw(
    `<path d="M-60 60L560 -60L1180 1320H420Z" fill="#ffe8b8" opacity=".3"/><path d="M330 -60h60L1010 1320h-70Z" fill="#000" opacity=".12"/>`,
  );
  p = await lay(
    p,
    await blurred(
      await draw(
        `<rect x="-10" y="300" width="${W + 20}" height="30" fill="#1a1612" opacity=".5"/><rect x="-10" y="${dado + 8}" width="${W + 20}" height="18" fill="#10201f" opacity=".5"/>`,
      ),
      7,
    ),
    await blurred(await draw(rail, defs), 0.8),
    await blurred(await draw(shadow), 20),
    await blurred(
      await draw(
        `<ellipse cx="620" cy="1212" rx="170" ry="16" fill="#000" opacity=".6"/><ellipse cx="920" cy="1210" rx="110" ry="15" fill="#000" opacity=".6"/><ellipse cx="1170" cy="1212" rx="80" ry="13" fill="#000" opacity=".6"/><ellipse cx="1510" cy="1212" rx="160" ry="16" fill="#000" opacity=".6"/>`,
      ),
      8,
    ),
    await blurred(all, 0.9),
    folds,
    wet,
    await draw(pegs),
    await blurred(await draw(boots + bucket, defs), 0.8),
    { input: await blurred(sunPatch, 34), blend: "overlay" },
  );
  await save("oilskins.jpg", finish(p, { grain: 5, vignette: 0.3 }));
};

pictures["the-tower.jpg"] = async () => {
  const vx = 1010; // where the walls would meet, far above
  const vy = -1250;
  const foot = [
    [430, H + 40],
    [1700, H + 40],
  ];
  const wall = (side, y) => vx + (foot[side][0] - vx) * ((y - vy) / (H + 40 - vy));
  const sky = ramp([
    [0, "#14508c"],
    [0.5, "#2f78b4"],
    [1, "#7fb2d6"],
  ]);
  let p = field((u, v) => {
    let c = sky(v * 0.8 + u * 0.2);
    const wisp = smooth(0.5, 0.78, cloud(u * 2 + v * 3, v * 7 - u * 5 + cloud(u * 4, v * 4, 3, 701) * 1.6, 6, 702));
    c = blend(c, [240, 246, 250], wisp * 0.62);
    return add(c, [90, 80, 50], Math.exp(-((u / 0.3) ** 2) - (v / 0.45) ** 2));
  });
  const top = 300; // where the wall ends under the gallery
  const masonry = field((u, v, x, y) => {
    if (y < top - 6) return [0, 0, 0, 0];
    const l = wall(0, y);
    const r = wall(1, y);
    const f = (x - l) / (r - l);
    if (f < 0 || f > 1) return [0, 0, 0, 0];
    const bow = (f - 0.5) ** 2; // courses curve, seen from below
    const course = Math.log((y + bow * 300 - vy) / 900) * 46;
    const row = Math.floor(course);
    const angle = Math.asin(clamp(f * 2 - 1, -1, 1)) / Math.PI + 0.5;
    const block = angle * 13 + (row % 2) * 0.5;
    const gy = Math.abs(course - row - 0.5);
    const gx = Math.abs((((block % 1) + 1) % 1) - 0.5);
    const lit = Math.max(0, Math.cos((angle - 0.24) * Math.PI * 0.98));
    const rough = cloud(x / 22, y / 16, 4, 711);
    const stone = hash(Math.floor(block), row, 712);
    const painted = smooth(0.46, 0.54, (y - 300) / 900 + (cloud(u * 14, v * 4, 4, 713) - 0.5) * 0.2 + (f - 0.36) * 0.3); // below: the old coat
    const banded = smooth(628, 632, y + bow * 300 - 34) * (1 - smooth(896, 901, y + bow * 300 - 34));
    let c = blend([250, 247, 238], blend([226, 216, 194], [204, 192, 168], stone), painted * 0.8);
    c = scale(c, 0.96 + rough * 0.1);
    c = blend(c, [168, 150, 122], painted * smooth(0.56, 0.8, cloud(x / 40, y / 130, 5, 714)) * 0.55);
    c = blend(c, [34 + rough * 12, 38 + rough * 12, 42 + rough * 12], banded);
    const joint = Math.max(smooth(0.43, 0.49, gy), smooth(0.485, 0.497, gx));
    c = scale(c, 1 - joint * (0.1 + painted * 0.14));
    const shade = 0.4 + 0.66 * lit;
    c = [c[0] * shade, c[1] * (shade * 0.97 + 0.03), c[2] * (shade * 0.88 + 0.14)];
    const under = 1 - 0.55 * Math.exp(-(((y - bow * 240 - top) / 90) ** 2)); // the gallery's shadow
    return [...scale(c, under), smooth(0, 0.003, f) * (1 - smooth(0.997, 1, f))];
  }, 4);
  const l = wall(0, top);
  const r = wall(1, top);
  const mid = (l + r) / 2;
  const ring = (y, rx, ry, fill) => `<ellipse cx="${mid}" cy="${y}" rx="${rx}" ry="${ry}" fill="${fill}"/>`;
  const brackets = Array.from({ length: 13 }, (_, i) => {
    const a = Math.PI * (0.06 + (i / 12) * 0.88);
    const x0 = mid - Math.cos(a) * 352;
    const x1 = mid - Math.cos(a) * 470;
    const y0 = top + 4 + Math.sin(a) * 66;
    const y1 = top - 62 + Math.sin(a) * 84;
    return `<path d="M${x0 - 13} ${y0 + 50}L${x1 - 15} ${y1}H${x1 + 15}L${x0 + 13} ${y0 + 50}Z" fill="url(#br)"/>`;
  }).join("");
  const rails = Array.from({ length: 33 }, (_, i) => {
    const a = Math.PI * (i / 32);
    const x1 = mid - Math.cos(a) * 492;
    const y1 = top - 92 + Math.sin(a) * 84;
    return `<path d="M${x1} ${y1}L${mid - Math.cos(a) * 478} ${y1 - 96 - Math.sin(a) * 6}" stroke="#1f2a30" stroke-width="5"/>`;
  }).join("");
  const arc = (rx, y, w) =>
    `<path d="M${mid - rx} ${y}A${rx} 84 0 0 0 ${mid + rx} ${y}" stroke="#1f2a30" stroke-width="${w}" fill="none"/>`;
  const gallery =
    `<path d="M${mid - 210} 150L${mid - 176} -20H${mid + 176}L${mid + 210} 150Z" fill="url(#gl)"/>` +
    [-150, -75, 0, 75, 150]
      .map((d) => `<path d="M${mid + d * 1.25} 150L${mid + d} -20" stroke="#26323a" stroke-width="10"/>`)
      .join("") +
    `<path d="M${mid - 190} 60H${mid + 190}" stroke="#26323a" stroke-width="8"/>` +
    ring(top - 92, 492, 84, "#8d979b") +
    ring(top - 76, 492, 84, "#39454b") +
    ring(top - 60, 486, 84, "#d9dcd6") +
    ring(top - 58, 476, 80, "url(#un)") +
    brackets +
    rails +
    arc(478, top - 190, 8) +
    arc(484, top - 142, 4);
  const defs =
    gradient(
      "gl",
      [
        [0, "#bfe0ee"],
        [0.4, "#f4fbff"],
        [0.6, "#86b4cc"],
        [1, "#4f86a4"],
      ],
      'x1="0" y1="0" x2="1" y2="0"',
    ) +
    gradient("un", [
      [0, "#59656b"],
      [0.5, "#8f9a9c"],
      [1, "#c4c9c6"],
    ]) +
    gradient("br", [
      [0, "#aab2b2"],
      [1, "#e2e3dc"],
    ]);
  // The plank, its two ropes from the rail, and the person on it.
  const py = 742;
  const ax = 748;
  const bx = 1000;
  const ropes = `<path d="M${ax + 66} ${top - 64}L${ax} ${py}M${bx + 4} ${top - 20}L${bx} ${py - 10}" stroke="#d9c294" stroke-width="6"/><path d="M${ax - 44} ${py}L${bx + 50} ${py - 12}l4 18L${ax - 42} ${py + 20}Z" fill="#a87440"/><path d="M${ax - 42} ${py + 18}L${bx + 54} ${py + 6}l0 8L${ax - 42} ${py + 27}Z" fill="#5f3d1e"/>`;
  const cx = 868;
  const painter =
    `<path d="M${cx - 22} ${py - 6}q-12 60 -20 106l24 4q10-54 20-96zM${cx + 16} ${py - 8}q16 56 10 112l24 0q6-66-4-118z" fill="#34566b"/><path d="M${cx - 46} ${py + 98}h30v15h-40zM${cx + 24} ${py + 102}h30l8 14h-38z" fill="#3a2a1f"/>` +
    `<path d="M${cx - 34} ${py + 4}C${cx - 44} ${py - 76} ${cx - 30} ${py - 132} ${cx + 4} ${py - 138}C${cx + 40} ${py - 132} ${cx + 52} ${py - 76} ${cx + 42} ${py + 2}Z" fill="#8d949a"/><path d="M${cx + 4} ${py - 138}C${cx + 40} ${py - 132} ${cx + 52} ${py - 76} ${cx + 42} ${py + 2}L${cx + 16} ${py + 4}Z" fill="#6d757b"/>` +
    `<circle cx="${cx + 4}" cy="${py - 164}" r="26" fill="#8a5f45"/><path d="M${cx - 25} ${py - 170}C${cx - 22} ${py - 206} ${cx + 30} ${py - 208} ${cx + 33} ${py - 170}C${cx + 14} ${py - 180} ${cx - 8} ${py - 180} ${cx - 25} ${py - 170}Z" fill="#b5402c"/>` +
    `<path d="M${cx + 36} ${py - 104}q44-22 66-86" stroke="#7c848a" stroke-width="22" fill="none" stroke-linecap="round"/><path d="M${cx + 100} ${py - 186}l16-44" stroke="#8a6036" stroke-width="8"/><path d="M${cx + 88} ${py - 244}l56 18-6 20-58-18z" fill="#f6f3e8"/>` +
    `<path d="M${ax - 22} ${py - 54}h62l-8 54h-46z" fill="url(#bk)"/><ellipse cx="${ax + 9}" cy="${py - 54}" rx="31" ry="8" fill="#fbfaf4"/><path d="M${ax - 22} ${py - 54}q31-58 62 0" stroke="#50606a" stroke-width="4" fill="none"/><path d="M${ax + 34} ${py - 48}q4 28-2 44" stroke="#fbfaf4" stroke-width="6" fill="none"/>`;
  const shadow = await draw(
    `<g transform="translate(54 40)" opacity=".5">${ropes}${painter}</g>`,
    gradient("bk", [
      [0, "#222"],
      [1, "#222"],
    ]),
  );
  const dark = await sharp(shadow)
    .modulate({ brightness: 0.05, saturation: 0 })
    .png({ compressionLevel: 1 })
    .toBuffer();
  const gloss = await draw(
    `<circle cx="0" cy="0" r="900" fill="url(#s)"/>`,
    glow("s", [
      [0, "#fff8e0", 0.9],
      [0.25, "#fff0c8", 0.4],
      [1, "#fff0c8", 0],
    ]),
  );
  p = await lay(
    p,
    await toSharp(masonry).png({ compressionLevel: 1 }).toBuffer(),
    await blurred(await draw(gallery, defs), 0.9),
    await blurred(dark, 9),
    await blurred(
      await draw(
        ropes + painter,
        gradient(
          "bk",
          [
            [0, "#d5dadb"],
            [0.5, "#8f999d"],
            [1, "#4f5a60"],
          ],
          'x1="0" y1="0" x2="1" y2="0"',
        ),
      ),
      0.9,
    ),
    { input: gloss, blend: "screen" },
    await draw(
      gull(1660, 420, 1.3, 12, "#f4f6f6", 0.95) +
        gull(1790, 520, 0.9, -8, "#f4f6f6", 0.9) +
        gull(240, 620, 0.8, 10, "#f4f6f6", 0.9),
    ),
  );
  await save("the-tower.jpg", finish(p, { grain: 4, vignette: 0.18 }));
};

/** Figures as pen strokes, so that no font is needed: each a path in a box 6 wide and 10 high. */
const FIGURES = [
  "M0 2Q3-2 6 2V8Q3 12 0 8Z",
  "M1 2L3 0V10",
  "M0 2Q3-3 6 2Q6 5 0 10H6",
  "M0 1Q6-2 5 3Q4 5 2 5Q6 5 6 8Q4 12 0 9",
  "M5 10V0L0 7H7",
  "M6 0H1V4Q6 3 6 7Q5 11 0 10",
  "M5 0Q0 2 0 7Q1 11 5 9Q7 6 4 5Q1 5 0 7",
  "M0 0H6L2 10",
  "M3 5Q-1 3 1 1Q3-1 5 1Q7 3 3 5Q-1 7 1 9Q3 11 5 9Q7 7 3 5",
  "M6 4Q5-1 1 1Q-1 4 2 5Q5 5 6 3Q6 8 2 10",
];
const figures = (n, x, y, size, style) => {
  const digits = String(n).split("");
  return digits
    .map(
      (d, i) =>
        `<path transform="translate(${(x + (i - digits.length / 2) * 9 * size).toFixed(1)} ${(y - 5 * size).toFixed(1)}) scale(${size})" d="${FIGURES[Number(d)]}" ${style} fill="none" stroke-linecap="round" stroke-linejoin="round"/>`,
    )
    .join("");
};

pictures["chart-of-tagliamare.jpg"] = async () => {
  // Height above the sea (positive) and depth (negative), in metres: an island like a ship, bow to the north-east.
  const heightAt = (x, y) => {
    const dx = x - 1010;
    const dy = y - 640;
    const a = -0.52;
    const along = (dx * Math.cos(a) + dy * Math.sin(a)) / 560;
    const across = (-dx * Math.sin(a) + dy * Math.cos(a)) / 215;
    const rough = (cloud(x / 170, y / 170, 6, 801) - 0.5) * 0.62 + (cloud(x / 34, y / 34, 3, 802) - 0.5) * 0.1;
    const bay = 0.62 * Math.exp(-(((x - 1275) / 105) ** 2) - ((y - 690) / 90) ** 2); // Cala Fonda
    const r = Math.hypot(along * (along > 0 ? 1.12 : 1), across * (1 + 0.45 * along)) + rough + bay;
    const islet =
      0.4 * Math.exp(-(((x - 560) / 42) ** 2) - ((y - 1010) / 32) ** 2) +
      0.36 * Math.exp(-(((x - 1545) / 36) ** 2) - ((y - 330) / 26) ** 2);
    return r - islet < 1 ? (1 - r + islet) * 330 : -((r - islet - 1) ** 1.15) * 96;
  };
  const heights = new Float32Array(W * H);
  for (let y = 0; y < H; y++) for (let x = 0; x < W; x++) heights[y * W + x] = heightAt(x, y);
  const h = (x, y) => heights[Math.min(H - 1, Math.max(0, y)) * W + Math.min(W - 1, Math.max(0, x))];
  const frame = 74;
  let p = field((u, v, x, y) => {
    const z = h(x, y);
    const paper = cloud(u * 6, v * 6, 5, 811);
    const fibre = cloud(u * 190, v * 190, 3, 812);
    let c = blend([243, 235, 214], [250, 245, 230], paper + (fibre - 0.5) * 0.5);
    const inside = x > frame && x < W - frame && y > frame && y < H - frame;
    if (inside) {
      if (z > 0) {
        c = blend([236, 212, 148], [246, 226, 172], paper);
        const slope = (h(x + 3, y + 3) - h(x - 3, y - 3)) / 12;
        c = scale(c, clamp(1 - slope * 0.17, 0.72, 1.12));
      } else {
        c = blend(c, [176, 212, 222], (z > -8 ? 0.92 : z > -20 ? 0.62 : z > -40 ? 0.32 : 0.06) * (0.9 + fibre * 0.2));
      }
      // A contour is where a neighbour lies on the other side of the level.
      for (const level of z > -3 ? [0, 30, 60, 90, 120, 150, 180, 210] : [-8, -20, -40, -70, -110]) {
        if (
          z >= level !== h(x + 1, y) >= level ||
          z >= level !== h(x, y + 1) >= level ||
          (level === 0 && z >= 0 !== h(x + 2, y) >= 0) ||
          (level === 0 && z >= 0 !== h(x, y + 2) >= 0)
        ) {
          c = blend(
            c,
            level === 0 ? [58, 44, 30] : level > 0 ? [176, 132, 74] : [70, 120, 142],
            level === 0 ? 0.95 : 0.72,
          );
        }
      }
    }
    c = blend(c, [150, 112, 60], smooth(0.68, 0.86, cloud(u * 3, v * 3, 5, 813)) * 0.22);
    const crease = Math.min(Math.abs(x - W / 2), Math.abs(y - H / 2 - 6));
    return add(scale(c, 1 - 0.09 * Math.exp(-((crease / 7) ** 2))), [14, 12, 8], Math.exp(-(((crease - 9) / 5) ** 2)));
  });
  const ink = 'stroke="#2c4250" stroke-width="0.34"';
  const r = random(77);
  let marks = "";
  for (let i = 0; i < 900; i++) {
    const x = Math.round(frame + 46 + r() * (W - 2 * frame - 92));
    const y = Math.round(frame + 40 + r() * (H - 2 * frame - 80));
    const z = h(x, y);
    let clear = z < -4;
    for (let d = -30; d <= 30 && clear; d += 10) if (h(x + d, y) > -3 || h(x, y + d) > -3) clear = false;
    if (
      !clear ||
      Math.hypot(x - 395, y - 395) < 265 ||
      (x > 1360 && y > 1090) ||
      heights.marked?.some(([a, b]) => Math.hypot(a - x, b - y) < 62)
    )
      continue;
    (heights.marked ??= []).push([x, y]);
    marks += figures(Math.round(-z), x, y, 1.9, ink.replace("0.34", "0.9"));
  }
  // The graticule and its chequered frame.
  let net = "";
  for (const gx of [520, 990, 1460])
    net += `<path d="M${gx} ${frame}V${H - frame}" stroke="#2c4250" stroke-width="1" opacity=".35"/>`;
  for (const gy of [330, 660, 990])
    net += `<path d="M${frame} ${gy}H${W - frame}" stroke="#2c4250" stroke-width="1" opacity=".35"/>`;
  const bar = 16;
  let border = `<rect x="${frame}" y="${frame}" width="${W - 2 * frame}" height="${H - 2 * frame}" fill="none" stroke="#22323c" stroke-width="2"/><rect x="${frame - bar}" y="${frame - bar}" width="${W - 2 * frame + 2 * bar}" height="${H - 2 * frame + 2 * bar}" fill="none" stroke="#22323c" stroke-width="2"/><rect x="${frame - 32}" y="${frame - 32}" width="${W - 2 * frame + 64}" height="${H - 2 * frame + 64}" fill="none" stroke="#22323c" stroke-width="5"/>`;
  for (let x = frame, i = 0; x < W - frame; x += 47, i++)
    if (i % 2)
      border += `<path d="M${x} ${frame - bar / 2}H${Math.min(W - frame, x + 47)}M${x} ${H - frame + bar / 2}H${Math.min(W - frame, x + 47)}" stroke="#22323c" stroke-width="${bar - 6}"/>`;
  for (let y = frame, i = 0; y < H - frame; y += 44, i++)
    if (i % 2)
      border += `<path d="M${frame - bar / 2} ${y}V${Math.min(H - frame, y + 44)}M${W - frame + bar / 2} ${y}V${Math.min(H - frame, y + 44)}" stroke="#22323c" stroke-width="${bar - 6}"/>`;
  // The rose.
  const cx = 395;
  const cy = 395;
  let rose = `<circle cx="${cx}" cy="${cy}" r="226" fill="none" stroke="#a3366a" stroke-width="2"/><circle cx="${cx}" cy="${cy}" r="204" fill="none" stroke="#a3366a" stroke-width="1.2"/><circle cx="${cx}" cy="${cy}" r="136" fill="none" stroke="#a3366a" stroke-width="1.2"/>`;
  for (let d = 0; d < 360; d += 2) {
    const a = (d * Math.PI) / 180;
    const from = d % 30 === 0 ? 196 : d % 10 === 0 ? 204 : 214;
    rose += `<path d="M${(cx + Math.sin(a) * from).toFixed(1)} ${(cy - Math.cos(a) * from).toFixed(1)}L${(cx + Math.sin(a) * 226).toFixed(1)} ${(cy - Math.cos(a) * 226).toFixed(1)}" stroke="#a3366a" stroke-width="${d % 10 === 0 ? 1.8 : 0.9}"/>`;
    if (d % 30 === 0)
      rose += `<g transform="rotate(${d} ${cx} ${cy})">${figures(d, cx, cy - 178, 1.45, 'stroke="#a3366a" stroke-width="1"')}</g>`;
  }
  for (let i = 0; i < 16; i++) {
    const long = i % 4 === 0 ? 134 : i % 2 === 0 ? 104 : 70;
    const wide = i % 4 === 0 ? 21 : i % 2 === 0 ? 16 : 9;
    rose += `<g transform="rotate(${i * 22.5} ${cx} ${cy})"><path d="M${cx} ${cy - long}L${cx + wide} ${cy - wide * 1.2}L${cx} ${cy}Z" fill="#a3366a"/><path d="M${cx} ${cy - long}L${cx - wide} ${cy - wide * 1.2}L${cx} ${cy}Z" fill="#f6eddb" stroke="#a3366a" stroke-width="1.2"/></g>`;
  }
  rose += `<path d="M${cx} ${cy - 280}l12 34-12-9-12 9z" fill="#a3366a"/>`;
  // The light, with its flare and the arc in which it is seen; the harbour; a wreck; the ferry's way.
  let lx = 520;
  let ly = 900;
  for (let t = 0; t < 700; t++) {
    // outwards along the island's axis to the south-western shore
    const x = Math.round(1010 - t * Math.cos(-0.52));
    const y = Math.round(640 - t * Math.sin(-0.52));
    if (h(x, y) > 8) [lx, ly] = [x, y];
  }
  const light =
    `<path d="M${lx} ${ly}L${lx - 126} ${ly + 34}Q${lx - 150} ${ly + 66} ${lx - 112} ${ly + 84}Z" fill="#c2417f" opacity=".72"/><path d="M${lx} ${ly - 19}L${lx + 5} ${ly - 6}L${lx + 18} ${ly - 6}L${lx + 8} ${ly + 3}L${lx + 12} ${ly + 16}L${lx} ${ly + 8}L${lx - 12} ${ly + 16}L${lx - 8} ${ly + 3}L${lx - 18} ${ly - 6}L${lx - 5} ${ly - 6}Z" fill="#22323c"/><circle cx="${lx}" cy="${ly}" r="3.5" fill="#f6eddb"/>` +
    `<path d="M${lx - 252} ${ly - 150}A293 293 0 0 0 ${lx + 98} ${ly + 276}" stroke="#c2417f" stroke-width="2.5" stroke-dasharray="14 9" fill="none" opacity=".8"/>`;
  const ferry = `<path d="M1290 716C1420 760 1640 730 ${W - frame} 640" stroke="#a3366a" stroke-width="2.5" stroke-dasharray="20 12" fill="none"/>`;
  const anchor = `<g transform="translate(1330 770) scale(1.25)" stroke="#a3366a" stroke-width="3" fill="none"><circle cy="-15" r="4.5"/><path d="M0-10V16M-9-5H9M-14 6Q-10 17 0 17Q10 17 14 6"/></g>`;
  const houses = Array.from(
    { length: 22 },
    (_, i) =>
      `<rect x="${(1088 + (i % 6) * 15 + r() * 6).toFixed(0)}" y="${(652 + Math.floor(i / 6) * 15 + r() * 6).toFixed(0)}" width="9" height="7" fill="#22323c" transform="rotate(${(r() * 30 - 15).toFixed(0)} 1126 682)"/>`,
  ).join("");
  const track = `<path d="M1092 700C1020 740 960 700 880 740S740 800 ${lx + 16} ${ly - 8}" stroke="#5a3d20" stroke-width="3" stroke-dasharray="10 6" fill="none"/>`;
  const wreck = `<g stroke="#22323c" stroke-width="2" fill="none"><path d="M1660 932h46M1668 924v16M1683 920v24M1698 924v16"/><ellipse cx="1683" cy="932" rx="36" ry="22" stroke-dasharray="4 5"/></g>`;
  let scaleBar = "";
  for (let i = 0; i < 6; i++)
    scaleBar += `<rect x="${1440 + i * 66}" y="1166" width="66" height="11" fill="${i % 2 ? "#f6eddb" : "#22323c"}" stroke="#22323c" stroke-width="1.5"/>${figures(i, 1440 + i * 66, 1146, 1.5, 'stroke="#22323c" stroke-width="1"')}`;
  scaleBar += figures(6, 1836, 1146, 1.5, 'stroke="#22323c" stroke-width="1"');
  // Pencil marks: a course from the ferry route to the landing, and the ring of a cup.
  const pencil = `<path d="M1560 1060L${lx + 150} ${ly + 190}L${lx + 10} ${ly + 36}" stroke="#4a4a4a" stroke-width="2.5" fill="none" opacity=".65"/><path d="M1180 1029l16 10-18 8M1560 1052v16M1552 1060h16" stroke="#4a4a4a" stroke-width="2.2" fill="none" opacity=".65"/>`;
  const cup = await draw(
    `<circle cx="1700" cy="250" r="104" fill="none" stroke="#7a4a1c" stroke-width="9" opacity=".34"/><path d="M1600 262A104 104 0 0 1 1760 168" fill="none" stroke="#7a4a1c" stroke-width="13" opacity=".3"/>`,
  );
  p = await lay(
    p,
    await draw(net + marks + border + rose + light + ferry + anchor + houses + track + wreck + scaleBar + pencil),
    { input: await blurred(cup, 2), blend: "multiply" },
  );
  const lit = change(p, (c, u, v) => scale(c, 0.9 + 0.14 * (1 - u * 0.5 - v * 0.5)));
  await save("chart-of-tagliamare.jpg", finish(lit, { grain: 4, vignette: 0.14 }), { quality: 80 });
};

pictures["weather-log.jpg"] = async () => {
  // The strip lies a little askew on a dark desk; sharp where the pen is, less so away from it.
  const turn = -0.1;
  const cos = Math.cos(turn);
  const sin = Math.sin(turn);
  const to = (x, y) => [(x - 990) * cos + (y - 640) * sin, -(x - 990) * sin + (y - 640) * cos];
  const back = (a, b) => [990 + a * cos - b * sin, 640 + a * sin + b * cos];
  const pressure = (a) => {
    const t = (a + 1500) / 3000;
    const slow = 60 * Math.sin(t * 7.2 + 0.4) + 34 * Math.sin(t * 17 + 2);
    const dip = 330 * Math.exp(-(((t - 0.56) / (t < 0.56 ? 0.07 : 0.045)) ** 2));
    const shiver = (cloud(t * 120, 4, 4, 901) - 0.5) * (10 + 50 * Math.exp(-(((t - 0.585) / 0.05) ** 2)));
    return -110 + slow * 0.8 + dip + shiver;
  };
  const penAt = 620;
  let p = field((u, v, x, y) => {
    const [a, b] = to(x, y);
    const top = -452 + (cloud(a / 500, 1, 2, 902) - 0.5) * 6;
    if (b < top || b > 470) {
      // the desk
      const grainy = cloud(a / 420, b / 16, 5, 911);
      const ring = cloud(a / 900, b / 60 + grainy, 4, 912);
      let c = blend([44, 25, 14], [108, 66, 36], grainy * 0.7 + ring * 0.35);
      const near = b < top ? top - b : b - 470;
      c = scale(c, 0.5 + 0.5 * smooth(0, 46, near));
      return c;
    }
    const paper = cloud(a / 300, b / 300, 5, 921);
    const fibre = cloud(a / 9, b / 7, 3, 922);
    let c = blend([238, 226, 196], [251, 245, 226], paper * 0.8 + (fibre - 0.5) * 0.5);
    // Curved uprights, as the pen arm swings: two hours, a day; levels each millibar, each ten.
    const bow = ((b - 30) / 470) ** 2 * 62;
    const hours = ((((a + bow) / 34) % 12) + 12) % 12;
    const f = Math.abs(hours - Math.round(hours)) * 34;
    const day = Math.round(hours) % 12 === 0;
    if (b > -380 && b < 410) {
      c = blend(c, [94, 138, 112], (day ? 0.75 : 0.34) * (1 - smooth(day ? 1.4 : 0.5, day ? 2.4 : 1.3, f)));
      const level = (b + 380) / 19.75;
      const g = Math.abs(level - Math.round(level)) * 19.75;
      const ten = Math.round(level) % 10 === 0;
      const five = Math.round(level) % 5 === 0;
      c = blend(c, [94, 138, 112], (ten ? 0.8 : five ? 0.5 : 0.3) * (1 - smooth(ten ? 1.4 : 0.5, ten ? 2.3 : 1.3, g)));
    }
    if (a < penAt) {
      // Ink: a violet line that pools where the pen was slow.
      const slope = (pressure(a + 2) - pressure(a - 2)) / 4;
      const off = Math.abs(b - pressure(a)) / Math.hypot(1, slope);
      const wide = 2.8 + cloud(a / 40, 3, 3, 931) * 1.8 + (fibre - 0.5) * 2;
      c = blend(c, [46, 34, 108], 0.94 * (1 - smooth(wide - 0.9, wide + 0.9, off)));
      c = blend(c, [90, 74, 150], 0.16 * (1 - smooth(wide, wide + 7, off)));
    }
    c = blend(c, [170, 128, 70], smooth(0.64, 0.9, cloud(a / 240 + 4, b / 200, 5, 941)) * 0.3);
    c = scale(c, 1 - 0.18 * smooth(-400, -452, b) - 0.12 * smooth(430, 470, b));
    return c;
  });
  // Days and tens, written with the pen strokes of the chart.
  let marks = "";
  for (let d = -2; d <= 3; d++) {
    const [x, y] = back(d * 408 + 170, -412);
    marks += `<g transform="rotate(${(turn * 180) / Math.PI} ${x} ${y})">${figures(d + 3, x, y, 2.6, 'stroke="#5e8a70" stroke-width="1"')}</g>`;
  }
  for (let l = 0; l < 4; l++) {
    for (const a of [-816 + 52, 408 + 52]) {
      const [x, y] = back(a, -380 + l * 197.5 + 22);
      marks += `<g transform="rotate(${(turn * 180) / Math.PI} ${x} ${y})">${figures(1030 - l * 10, x, y, 1.9, 'stroke="#5e8a70" stroke-width="0.9"')}</g>`;
    }
  }
  // A handwritten remark next to the dip.
  const [rx, ry] = back(330, 292);
  const r = random(61);
  let hand = "";
  for (const [row, words] of [
    [0, [5, 3, 7]],
    [1, [4, 6]],
  ]) {
    let x = rx;
    for (const letters of words) {
      let d = `M${x} ${ry + row * 44}`;
      for (let i = 0; i < letters; i++) {
        const up = r() < 0.28 ? 27 : 11;
        d += `q${3 + r() * 3} ${-up} ${6 + r() * 2} ${-up * 0.8}t${2 + r() * 3} ${up * 0.8 + (r() - 0.5) * 3}`;
      }
      hand += `<path d="${d}" stroke="#3a2c20" stroke-width="2.6" fill="none" stroke-linecap="round" opacity=".85"/>`;
      x += letters * 11.5 + 22;
    }
  }
  const [px, py] = back(penAt, pressure(penAt));
  const arm =
    `<g transform="translate(${px} ${py}) rotate(-27)"><path d="M46-13L900-40V40L46 13Z" fill="url(#arm)"/><path d="M-3 0L30-15H62L70-11V11L62 15H30Z" fill="url(#nib)"/><path d="M8 0H52" stroke="#2a3338" stroke-width="2"/>` +
    `<circle cx="176" cy="0" r="13" fill="url(#scr)"/><path d="M168-6L184 6" stroke="#4a2f0e" stroke-width="4"/><circle cx="330" cy="0" r="17" fill="url(#scr)"/><path d="M324 10L336-10" stroke="#4a2f0e" stroke-width="5"/></g>`;
  const defs =
    gradient("arm", [
      [0, "#6a4516"],
      [0.16, "#d9ab58"],
      [0.32, "#fff0c4"],
      [0.46, "#d3a24e"],
      [0.78, "#8a5f22"],
      [1, "#3c260c"],
    ]) +
    gradient("nib", [
      [0, "#59646a"],
      [0.3, "#f2f6f7"],
      [0.55, "#9aa5aa"],
      [1, "#39444a"],
    ]) +
    glow("scr", [
      [0, "#ffe9b0"],
      [0.55, "#b98a3c"],
      [0.9, "#7a5420"],
      [1, "#3c260c"],
    ]);
  const armLayer = await draw(arm, defs);
  const armShadow = await draw(
    `<g transform="translate(${px - 6} ${py + 34}) rotate(-23)"><path d="M10-2L46-13L900-40V40L46 13Z" fill="#2a1a0a" opacity=".55"/></g>`,
  );
  p = await lay(p, await draw(marks + hand), await blurred(armShadow, 13), await blurred(armLayer, 0.9));
  // Out of focus away from the pen; a lamp from the upper left.
  const { data: soft } = await toSharp(p).blur(5).raw().toBuffer({ resolveWithObject: true });
  const focused = change(p, (c, u, v, x, y) => {
    const o = (y * W + x) * 3;
    const d = Math.hypot((x - px + 160) / 900, (y - py) / 560);
    const m = blend(c, [soft[o], soft[o + 1], soft[o + 2]], smooth(0.55, 1.15, d));
    const lamp = 0.74 + 0.4 * Math.exp(-(((x - 820) / 900) ** 2) - ((y - 520) / 640) ** 2);
    return [m[0] * lamp * 1.02, m[1] * lamp * 0.985, m[2] * lamp * 0.93];
  });
  await save("weather-log.jpg", finish(focused, { grain: 5, vignette: 0.34 }), { quality: 80 });
};

// The mark: the tower with its band between two beams. The favicon is the same on a dark tile.
const MARK =
  '<path d="M22.5 12.5 2 7v11zM25.5 12.5 46 7v11z" fill="#e2982f"/>' +
  '<path d="M20 9.5 24 5.5l4 4v1.2h-8zM21 12h6v4h-6zM18.5 17h11v2h-11zM20.2 20.2h7.6l.7 6.3h-9zM18.8 32.3h10.400L30.2 41H17.8z" fill="INK"/>' +
  '<path d="M19.5 26.5h9l.7 5.800H18.8z" fill="BAND"/>' +
  '<path d="M4 44.5c4-2.8 6-2.8 10 0s6 2.8 10 0 6-2.8 10 0 6 2.8 10 0" fill="none" stroke="INK" stroke-width="2" stroke-linecap="round"/>' +
  '<circle cx="24" cy="13.9" r="1.8" fill="#ffe9b0"/>';
const mark = (ink, band, under = "") =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48">${under}${MARK.replaceAll("INK", ink)
    .replaceAll("BAND", band)
    .replace(/\.(\d)00/g, ".$1")}</svg>\n`;

pictures["site/favicon.svg"] = () =>
  writeFile(
    join(MEDIA, "site/favicon.svg"),
    mark("#f4ead6", "#9c3b28", '<rect width="48" height="48" rx="9" fill="#10202b"/>'),
  );
pictures["site/favicon.png"] = () =>
  sharp(Buffer.from(mark("#f4ead6", "#9c3b28", '<rect width="48" height="48" rx="9" fill="#10202b"/>')), {
    density: 288,
  })
    .resize(96, 96)
    .png({ compressionLevel: 9, palette: true })
    .toFile(join(MEDIA, "site/favicon.png"));

// ------------------------------------------------------------------------------------------------------------ main

const wanted = process.argv.slice(2);
await mkdir(join(MEDIA, "site"), { recursive: true });
for (const [name, make] of Object.entries(pictures)) {
  if (wanted.length > 0 && !wanted.some((word) => name.includes(word))) continue;
  await make();
  console.log(name);
}
