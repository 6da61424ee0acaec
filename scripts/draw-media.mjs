// Draws the pictures of the example site into media/: `node scripts/draw-media.mjs [name ...]`.
//
// Every picture is a scene of two kinds of layer: fields, computed a pixel at a time from seeded noise (sky, sea, rock,
// glass, paper), and drawings, SVG with soft edges (towers, boats, coats). They are laid over each other, lit with
// blurred copies, and finished with a little grain. No fonts and no chance: the same pictures on every machine.
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

/** The picture with every pixel changed by `by(colour, u, v, x, y)`. */
const change = (picture, by) =>
  field((u, v, x, y) => {
    const o = (y * W + x) * 3;
    return by([picture.data[o], picture.data[o + 1], picture.data[o + 2]], u, v, x, y);
  });

/** What the bright parts of a picture spill over: added back as `glow`. */
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

/** Grain and darker corners, the last thing done to each picture. */
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

const line = (points) => points.map(([x, y], i) => `${i ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
const gradient = (id, stops, box = 'x1="0" y1="0" x2="0" y2="1"') =>
  `<linearGradient id="${id}" ${box}>${stops.map(([at, colour, opacity = 1]) => `<stop offset="${at}" stop-color="${colour}" stop-opacity="${opacity}"/>`).join("")}</linearGradient>`;
const glow = (id, stops) =>
  `<radialGradient id="${id}">${stops.map(([at, colour, opacity = 1]) => `<stop offset="${at}" stop-color="${colour}" stop-opacity="${opacity}"/>`).join("")}</radialGradient>`;

/** The tower of Punta Scura: foot of the wall at (x, y), `h` to the top of the dome. */
function tower(x, y, h, { light = "#f4efe4", shade = "#8f9aa3", band = "#1d2529", bandShade = "#0c1013", lamp = "#ffe7a8", id = "t", dir = 1 } = {}) {
  const w = h * 0.105; // half the width at the foot
  const s = (v) => v * h;
  const X = (f) => (x + f * w).toFixed(2);
  const Y = (f) => (y - s(f)).toFixed(2);
  const side = (f) => 1 - f * 0.42; // the wall draws in as it rises
  const body = (a, b, fill) => `<path d="M${X(-side(a))} ${Y(a)}L${X(side(a))} ${Y(a)}L${X(side(b))} ${Y(b)}L${X(-side(b))} ${Y(b)}Z" fill="${fill}"/>`;
  const box = dir > 0 ? 'x1="0" y1="0" x2="1" y2="0"' : 'x1="1" y1="0" x2="0" y2="0"';
  const defs =
    gradient(`${id}w`, [[0, shade], [0.3, light], [0.62, light], [1, shade]], box) +
    gradient(`${id}b`, [[0, bandShade], [0.4, band], [1, bandShade]], box) +
    gradient(`${id}g`, [[0, "#fff6d8"], [0.5, lamp], [1, "#e08f2a"]]);
  const windows = [0.16, 0.31, 0.55].map((f) => `<rect x="${(x - w * 0.09).toFixed(2)}" y="${Y(f + 0.028)}" width="${(w * 0.18).toFixed(2)}" height="${s(0.03).toFixed(2)}" fill="${bandShade}" opacity=".75"/>`).join("");
  const bars = [-0.36, -0.12, 0.12, 0.36].map((f) => `<path d="M${X(f)} ${Y(0.875)}V${Y(0.945)}" stroke="${bandShade}" stroke-width="${(w * 0.035).toFixed(2)}"/>`).join("");
  const rail = Array.from({ length: 9 }, (_, i) => `<path d="M${X(-0.86 + i * 0.215)} ${Y(0.845)}V${Y(0.88)}" stroke="${bandShade}" stroke-width="${(w * 0.03).toFixed(2)}"/>`).join("");
  return {
    defs,
    lamp: [x, y - s(0.91)],
    body:
      body(0, 0.8, `url(#${id}w)`) + body(0.37, 0.53, `url(#${id}b)`) + windows +
      `<path d="M${X(-0.66)} ${Y(0.8)}L${X(-0.92)} ${Y(0.835)}H${X(0.92)}L${X(0.66)} ${Y(0.8)}Z" fill="url(#${id}w)"/>` +
      `<rect x="${X(-0.95)}" y="${Y(0.848)}" width="${(w * 1.9).toFixed(2)}" height="${s(0.014).toFixed(2)}" fill="url(#${id}b)"/>` +
      `<rect x="${X(-0.5)}" y="${Y(0.945)}" width="${w.toFixed(2)}" height="${s(0.1).toFixed(2)}" fill="url(#${id}g)"/>` + bars + rail +
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
  const sky = ramp([[0, "#0c1c33"], [0.2, "#173355"], [0.38, "#2f587a"], [0.47, "#5a7d8f"], [0.545, "#b9978a"], [0.6, "#e6a66c"], [0.64, "#f3bd74"]]);
  const headAt = (u) => {
    // The dark point: a long back that comes in from the right and breaks off at the tower.
    const back = mix(-0.05, 0.165, smooth(0.53, 0.64, u)) + 0.075 * smooth(0.66, 1, u);
    const stack = 0.062 * smooth(0.5, 0.512, u) * (1 - smooth(0.516, 0.531, u)); // a rock that stayed behind
    const rough = (cloud(u * 9, 3.1, 5, 21) - 0.5) * 0.075 * smooth(0.53, 0.66, u) + (cloud(u * 46, 8, 3, 22) - 0.5) * 0.016 * smooth(0.52, 0.6, u);
    const flat = smooth(0.6, 0.65, u) * (1 - smooth(0.76, 0.82, u));
    return Math.max(back + rough * (1 - flat * 0.85), stack - 0.03 + rough * 0.4);
  };
  const top = Array.from({ length: W }, (_, x) => horizon + 0.012 - headAt(x / W));
  const far = Array.from({ length: W }, (_, x) => {
    const u = x / W;
    return horizon - 0.052 * smooth(0.03, 0.13, u) * (1 - smooth(0.2, 0.42, u)) - (cloud(u * 14, 1, 5, 31) - 0.45) * 0.045 * smooth(0.02, 0.1, u) * (1 - smooth(0.26, 0.42, u));
  });
  const skyAt = (u, v) => {
    let c = sky(v);
    const sun = Math.exp(-(((u - 0.33) / 0.3) ** 2) - ((v - 0.63) / 0.16) ** 2);
    c = add(c, [74, 34, 4], sun);
    // Long thin clouds, lit from below where they are near the sun.
    const bend = cloud(u * 3, v * 7, 3, 41);
    const streak = smooth(0.52, 0.78, cloud(u * 2.6 + bend, v * 15 + bend * 2.2, 6, 42)) * smooth(0.04, 0.3, v) * (1 - smooth(0.57, 0.64, v) * 0.6);
    const lit = blend([52, 66, 92], [246, 156, 104], smooth(0.22, 0.56, v) * (0.35 + 0.75 * Math.exp(-(((u - 0.36) / 0.42) ** 2))));
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
    const c = skyAt(u + (n - 0.5) * 0.06, clamp(horizon - 0.015 - depth * 0.56 - (n - 0.5) * 0.34 * (0.25 + depth), 0.02, horizon));
    const water = blend([9, 24, 38], [16, 42, 58], n);
    let w = blend(c, water, clamp(0.28 + depth * 0.6 - (m - 0.5) * 0.75));
    w = blend(w, [13, 18, 27], 0.86 * smooth(0.53, 0.66, u + (n - 0.5) * 0.14) * (1 - smooth(0.1, 0.62, depth + (m - 0.5) * 0.5))); // the headland, mirrored
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
    const strata = smooth(0.36, 0.7, cloud(u * 30, lean, 4, 62)) * 0.7 + smooth(0.5, 0.62, cloud(u * 90, lean * 2.2, 3, 65)) * 0.3;
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
  const light = tower(tx, groundAt(tx) + 6, 300, { light: "#d9cfc3", shade: "#43546a", band: "#161c22", lamp: "#ffe39a" });
  const [lx, ly] = light.lamp;
  const hy = groundAt(1410) + 9;
  const houses =
    `<path d="M1352 ${hy}v-44l34-20 34 20v44z" fill="#3b4656"/><path d="M1346 ${hy - 42}l40-25 40 25-4 3-36-21-36 21z" fill="#1d252e"/>` +
    `<path d="M1420 ${hy}v-38h82v38z" fill="#333e4d"/><path d="M1414 ${hy - 36}l12-17h70l12 17z" fill="#1a222b"/>` +
    [[1376, 24, 11, 14], [1437, 26, 10, 13], [1464, 26, 10, 13]].map(([x, up, w, h]) => `<rect x="${x}" y="${hy - up}" width="${w}" height="${h}" fill="#ffc766"/>`).join("") +
    `<rect x="1486" y="${hy - 26}" width="10" height="13" fill="#1a222b"/>`;
  const scene = await draw(light.body + houses, light.defs);
  const beams = await draw(
    `<path d="M${lx} ${ly - 5}L-40 ${ly - 150}V${ly + 30}L${lx} ${ly + 5}Z" fill="url(#bl)"/><path d="M${lx} ${ly - 5}L${W + 40} ${ly - 60}V${ly + 36}L${lx} ${ly + 5}Z" fill="url(#br)"/>`,
    gradient("bl", [[0, "#ffe9b8", 0.03], [0.45, "#ffe3a3", 0.16], [1, "#fff0c4", 0.85]], 'x1="0" y1="0" x2="1" y2="0"') +
      gradient("br", [[0, "#fff0c4", 0.75], [0.7, "#ffe3a3", 0.16], [1, "#ffe9b8", 0.05]], 'x1="0" y1="0" x2="1" y2="0"'),
  );
  const lamps = await draw(
    `<circle cx="${lx}" cy="${ly}" r="190" fill="url(#g)"/><circle cx="${lx}" cy="${ly}" r="20" fill="#fffbe8"/>` +
      [[1381, hy - 17], [1442, hy - 19], [1469, hy - 19]].map(([x, y]) => `<circle cx="${x}" cy="${y}" r="36" fill="url(#h)"/>`).join(""),
    glow("g", [[0, "#fff1c0", 0.95], [0.12, "#ffdd8c", 0.55], [0.4, "#f3b45a", 0.16], [1, "#f3b45a", 0]]) + glow("h", [[0, "#ffc766", 0.55], [1, "#ffb347", 0]]),
  );
  // The light on the water: broken, and only where a wave leans the right way.
  const path = field((u, v, x) => {
    const depth = (v - horizon) / (1 - horizon);
    if (depth < 0.07) return [0, 0, 0, 0];
    const wide = 0.008 + depth * 0.026;
    const across = Math.exp(-((((x - lx) / W) / wide) ** 2));
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
    await draw(gull(520, 420, 0.8, -8, "#1b2735", 0.7) + gull(566, 446, 0.55, 6, "#1b2735", 0.6) + gull(470, 462, 0.45, -4, "#1b2735", 0.5)),
  );
  await save("punta-scura-at-dusk.jpg", finish(await bloom(p, 190, 22, 0.5)));
};

pictures["first-ferry.jpg"] = async () => {
  const horizon = 0.6;
  const sky = ramp([[0, "#8fb1c6"], [0.2, "#b4c6cf"], [0.36, "#dccfc8"], [0.48, "#f2cdb2"], [0.56, "#f9d6a8"], [0.6, "#fbdfae"]]);
  const sun = [0.66, 0.455];
  const skyAt = (u, v) => {
    const d = Math.hypot((u - sun[0]) * 1.5, v - sun[1]);
    let c = add(sky(v), [60, 38, 6], Math.exp(-((d / 0.22) ** 2)) * 0.75);
    const veil = smooth(0.48, 0.8, cloud(u * 2.2, v * 9 + cloud(u * 4, v * 5, 3, 5), 5, 6)) * smooth(0, 0.2, v) * (1 - smooth(0.42, 0.58, v));
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
          0.1 * smooth(0.0, 0.3, u) * (1 - smooth(0.55, 1.0, u)), 0.135 * smooth(0.08, 0.3, u) * (1 - smooth(0.38, 0.66, u)),
          0.15 * smooth(-0.1, 0.16, u) * (1 - smooth(0.2, 0.46, u)), 0.085 * smooth(0.2, 0.36, u) * (1 - smooth(0.42, 0.62, u)),
          0.1 * (1 - smooth(0.06, 0.34, u)), 0.062 * (1 - smooth(0.02, 0.22, u)),
        ][i];
        return horizon + 0.002 - shape * (0.72 + cloud(u * (5 + i * 2), i * 7, 4, 70 + i) * 0.58) - (shape > 0.004 ? (cloud(u * 70, i, 3, 80 + i) - 0.5) * 0.007 * f : 0);
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
    glow("s", [[0, "#fff4d4", 0.9], [0.14, "#ffeec2", 0.5], [0.45, "#ffdda0", 0.16], [1, "#ffd694", 0]]),
  );
  // The ferry, small enough to be far.
  const fx = 760;
  const fy = 858;
  const hull =
    `<path d="M${fx - 118} ${fy - 30}h236l-16 34q-4 6-12 6h-186q-10 0-14-8z" fill="url(#hl)"/><path d="M${fx - 110} ${fy - 6}h218l-6 10q-4 6-12 6h-186q-8 0-11-6z" fill="#24506b"/>` +
    `<rect x="${fx - 96}" y="${fy - 56}" width="158" height="28" fill="#fbf6ea"/><rect x="${fx - 70}" y="${fy - 78}" width="112" height="24" fill="#f3ecdc"/>` +
    `<path d="M${fx + 42} ${fy - 78}h24l10 24h-34z" fill="#fffaf0"/><rect x="${fx + 48}" y="${fy - 73}" width="20" height="10" fill="#3a5a6a"/>` +
    `<path d="M${fx - 40} ${fy - 78}l6-34h30l4 34z" fill="#b4472c"/><path d="M${fx - 34} ${fy - 112}h30l1 8h-32z" fill="#1f2c33"/>` +
    Array.from({ length: 9 }, (_, i) => `<rect x="${fx - 88 + i * 16}" y="${fy - 48}" width="9" height="10" fill="#4b6c7c"/>`).join("") +
    `<path d="M${fx + 20} ${fy - 78}v-40M${fx + 12} ${fy - 106}h16" stroke="#4a5a62" stroke-width="2.5"/><path d="M${fx + 110} ${fy - 30}v-22" stroke="#4a5a62" stroke-width="2"/>`;
  const shipDefs = gradient("hl", [[0, "#fffdf6"], [1, "#d5d2cc"]]);
  const ship = await draw(hull, shipDefs);
  const shipMirror = await draw(`<g transform="translate(0 ${2 * fy + 20}) scale(1 -1)" opacity=".5">${hull}</g>`, shipDefs);
  const smoke = await draw(
    Array.from({ length: 16 }, (_, i) => `<circle cx="${fx - 28 - i * 21}" cy="${fy - 118 - i * 5.4 + Math.sin(i * 1.4) * 5}" r="${7 + i * 2}" fill="#6b6a70" opacity="${(0.3 - i * 0.018).toFixed(3)}"/>`).join(""),
  );
  const wake = await draw(
    `<path d="M${fx - 104} ${fy + 6}C${fx - 320} ${fy + 10} ${fx - 560} ${fy + 14} -40 ${fy + 10}V${fy + 52}C${fx - 500} ${fy + 40} ${fx - 300} ${fy + 24} ${fx - 104} ${fy + 12}Z" fill="url(#k)"/>` +
      `<path d="M${fx + 116} ${fy + 4}C${fx - 10} ${fy + 34} ${fx - 360} ${fy + 74} -40 ${fy + 150}V${fy + 168}C${fx - 340} ${fy + 92} ${fx + 10} ${fy + 46} ${fx + 118} ${fy + 8}Z" fill="url(#k)" opacity=".55"/>`,
    gradient("k", [[0, "#fffaf0", 0.05], [1, "#fffaf0", 0.8]], 'x1="0" y1="0" x2="1" y2="0"'),
  );
  p = await lay(
    p,
    { input: await blurred(disc, 2), blend: "screen" },
    await blurred(shipMirror, 5),
    await blurred(wake, 3),
    await blurred(smoke, 8),
    await blurred(ship, 0.7),
    await draw(gull(930, 690, 0.9, -12, "#5a6670", 0.8) + gull(1010, 730, 0.7, 8, "#5a6670", 0.8) + gull(860, 655, 0.5, -3, "#5a6670", 0.7) + gull(1180, 640, 0.45, 10, "#5a6670", 0.6)),
  );
  await save("first-ferry.jpg", finish(await bloom(p, 215, 26, 0.35), { vignette: 0.1 }));
};

pictures["the-lens.jpg"] = async () => {
  const cx = 0.44 * W;
  const cy = 0.5 * H;
  const rings = [0, 118];
  while (rings.at(-1) < 1600) rings.push(rings.at(-1) + Math.max(30, 74 - rings.length * 3.1));
  const warm = ramp([[0, "#0b0705"], [0.18, "#3a1a07"], [0.4, "#8a4309"], [0.62, "#d98a1f"], [0.8, "#f8c65a"], [0.93, "#ffeaae"], [1, "#fffaf0"]]);
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
      light = 0.62 + 0.42 * Math.exp(-((d / 62) ** 2)) + 0.12 * Math.exp(-(((d - 88) / 15) ** 2)) - 0.28 * smooth(98, 118, d);
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
    const split = i === 1 ? 0 : Math.exp(-(((f - 0.55) / 0.09) ** 2)) * (1 - smooth(250, 1200, d)) * (0.4 + 0.6 * Math.cos(a * 2 + i));
    return add(c, [-8, 34, 42], Math.max(0, split) * 0.8);
  });
  // The brass that holds it, and the room behind.
  const post = (x, w) => `<rect x="${x}" y="-10" width="${w}" height="${H + 20}" fill="url(#br)"/>`;
  const frame = await draw(
    `<circle cx="${cx}" cy="${cy}" r="${rings[12]}" fill="none" stroke="url(#ring)" stroke-width="17"/>` + post(1610, 74) +
      Array.from({ length: 8 }, (_, i) => `<circle cx="1647" cy="${70 + i * 170}" r="10" fill="#2a1506"/><circle cx="1645" cy="${67 + i * 170}" r="6.500" fill="#e2ad54"/>`).join(""),
    gradient("br", [[0, "#2a1606"], [0.2, "#a8722a"], [0.34, "#f2cf83"], [0.46, "#a06a24"], [0.85, "#4a2a0c"], [1, "#180c03"]], 'x1="0" y1="0" x2="1" y2="0"') +
      gradient("ring", [[0, "#d59c43"], [0.35, "#6a4013"], [0.6, "#3a2008"], [1, "#a5702a"]], 'x1="0" y1="0" x2="1" y2="1"'),
  );
  const shade = await draw(
    `<circle cx="${cx}" cy="${cy}" r="${rings[12] + 14}" fill="none" stroke="#000" stroke-opacity=".65" stroke-width="26"/><rect x="1585" y="-10" width="120" height="${H + 20}" fill="#000" opacity=".7"/><rect x="1684" y="-10" width="400" height="${H + 20}" fill="url(#n)"/>`,
    gradient("n", [[0, "#070605", 0.85], [1, "#04080c", 0.96]], 'x1="0" y1="0" x2="1" y2="0"'),
  );
  const flare = await draw(
    `<circle cx="${cx}" cy="${cy}" r="560" fill="url(#f)"/><ellipse cx="${cx}" cy="${cy}" rx="1000" ry="9" fill="url(#f)" opacity=".9"/>`,
    glow("f", [[0, "#fff6dc", 0.8], [0.16, "#ffdf96", 0.3], [0.5, "#f5a93a", 0.1], [1, "#f5a93a", 0]]),
  );
  const q = await lay(p, await blurred(shade, 12), await blurred(frame, 0.8), { input: await blurred(flare, 4), blend: "screen" });
  await save("the-lens.jpg", finish(await bloom(q, 170, 20, 0.5), { grain: 6, vignette: 0.35 }));
};

pictures["nina-under-sail.jpg"] = async () => {
  const horizon = 0.56;
  const sky = ramp([[0, "#5f8ea6"], [0.22, "#9cb4b0"], [0.38, "#e3c99a"], [0.5, "#f6cf86"], [0.56, "#fbdc9a"]]);
  const sun = 0.2;
  const skyAt = (u, v) => {
    let c = add(sky(v), [58, 30, -18], Math.exp(-(((u - sun) / 0.3) ** 2) - ((v - 0.5) / 0.24) ** 2) * 0.8);
    const puff = smooth(0.5, 0.74, cloud(u * 3.2 + 2, v * 8 + cloud(u * 5, v * 9, 3, 4) * 1.3, 6, 101)) * smooth(0.02, 0.2, v) * (1 - smooth(0.44, 0.56, v));
    c = blend(c, blend([244, 214, 176], [255, 240, 208], cloud(u * 7, v * 18 + 1, 4, 103)), puff * 0.75);
    return c;
  };
  const coast = Array.from({ length: W }, (_, x) => {
    const u = x / W;
    return horizon - (0.1 * smooth(0.62, 0.9, u) + 0.03 * smooth(0.5, 0.66, u)) * (0.66 + cloud(u * 8, 4, 5, 111) * 0.6) * smooth(0.48, 0.55, u);
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
    const fine = cloud(x / (10 + depth * 70), depth * (150 - depth * 95), 4, 121);
    const c = skyAt(u, clamp(horizon - depth * 0.5 - (n - 0.5) * 0.3, 0.03, horizon - 0.005));
    let w = blend(c, [26, 84, 98], clamp(0.22 + depth * 0.52 + (n - 0.5) * 0.7));
    w = blend(w, [14, 52, 70], smooth(0.5, 0.75, n) * 0.55 * depth + smooth(0.55, 1, depth) * 0.35);
    const across = Math.exp(-(((u - sun) / (0.06 + depth * 0.16)) ** 2));
    w = add(w, [255, 214, 130], across * smooth(0.53, 0.72, fine) * 0.75);
    return add(w, [120, 96, 60], smooth(0.66, 0.8, fine) * 0.5 * (1 - depth * 0.4));
  });
  // The boat: two bows, one long spar, a sail that was rust-red when it was new.
  const bx = 1080;
  const by = 930;
  const sail = `M${bx - 214} ${by - 118}C${bx - 120} ${by - 330} ${bx + 60} ${by - 640} ${bx + 236} ${by - 800}C${bx + 196} ${by - 560} ${bx + 190} ${by - 300} ${bx + 252} ${by - 82}C${bx + 110} ${by - 52} ${bx - 70} ${by - 66} ${bx - 214} ${by - 118}Z`;
  const seams = Array.from({ length: 7 }, (_, i) => {
    const f = (i + 1) / 8;
    return `<path d="M${bx - 214 + 450 * f} ${by - 118 - 682 * f ** 1.12}C${bx - 120 + 320 * f} ${by - 400 - 120 * f} ${bx - 60 + 230 * f} ${by - 200} ${bx - 170 + 410 * f} ${by - 76}" stroke="#5f2413" stroke-width="2.500" fill="none" opacity=".38"/>`;
  }).join("");
  const reef = Array.from({ length: 11 }, (_, i) => `<path d="M${bx - 130 + i * 34} ${by - 158 + Math.sin(i / 3) * 6}l-3 24" stroke="#f0d9b0" stroke-width="3" opacity=".7"/>`).join("");
  const hull = `M${bx - 262} ${by - 52}C${bx - 180} ${by - 12} ${bx + 150} ${by - 8} ${bx + 268} ${by - 62}C${bx + 256} ${by - 8} ${bx + 214} ${by + 38} ${bx + 150} ${by + 46}H${bx - 150}C${bx - 212} ${by + 40} ${bx - 250} ${by} ${bx - 262} ${by - 52}Z`;
  const people =
    `<g fill="#33261f"><path d="M${bx + 164} ${by - 32}q-6-52 14-66 22 4 26 62z"/><circle cx="${bx + 182}" cy="${by - 112}" r="15" fill="#6b4632"/><path d="M${bx + 166} ${by - 116}q16-22 34 0l8 3h-44z" fill="#d9c08a"/><path d="M${bx + 190} ${by - 78}l56 22" stroke="#33261f" stroke-width="9" stroke-linecap="round"/></g>` +
    `<g fill="#274b5c"><path d="M${bx - 96} ${by - 20}q0-44 18-52 20 6 20 52z"/><circle cx="${bx - 77}" cy="${by - 84}" r="13" fill="#6b4632"/><path d="M${bx - 90} ${by - 88}q12-18 27-1z" fill="#2a201b"/></g><path d="M${bx - 22} ${by - 18}q0-34 14-40 16 5 16 40z" fill="#a23c2a"/><circle cx="${bx - 7}" cy="${by - 67}" r="11" fill="#7a5038"/>`;
  const boat =
    `<path d="M${bx + 30} ${by - 20}L${bx + 44} ${by - 470}" stroke="#6b4322" stroke-width="15"/>` + people +
    `<path d="${sail}" fill="url(#sl)"/><path d="${sail}" fill="url(#sh)"/>` + seams + reef +
    `<path d="M${bx - 250} ${by - 82}C${bx - 130} ${by - 322} ${bx + 60} ${by - 640} ${bx + 262} ${by - 836}" stroke="#5b3517" stroke-width="11" fill="none" stroke-linecap="round"/>` +
    `<path d="M${bx + 252} ${by - 82}L${bx + 214} ${by - 52}M${bx + 44} ${by - 470}L${bx + 128} ${by - 40}M${bx + 44} ${by - 470}L${bx - 120} ${by - 36}" stroke="#4a3826" stroke-width="3" opacity=".8"/>` +
    `<path d="${hull}" fill="url(#hu)"/>` +
    [0.24, 0.46, 0.66].map((f) => `<path d="M${bx - 258 + f * 26} ${by - 46 + f * 74}C${bx - 160} ${by + f * 60 - 8} ${bx + 140} ${by + f * 60 - 6} ${bx + 264 - f * 30} ${by - 54 + f * 78}" stroke="#10303c" stroke-width="3" fill="none" opacity=".55"/>`).join("") +
    `<path d="M${bx - 266} ${by - 56}C${bx - 180} ${by - 14} ${bx + 150} ${by - 10} ${bx + 272} ${by - 66}" stroke="#e9d9b4" stroke-width="11" fill="none" stroke-linecap="round"/><path d="M${bx - 262} ${by - 50}l-8-44M${bx + 268} ${by - 60}l12-46" stroke="#d8c294" stroke-width="12" stroke-linecap="round"/>`;
  const defs =
    gradient("sl", [[0, "#e59258"], [0.4, "#bf5a31"], [1, "#8a3a22"]], 'x1="0" y1="0.2" x2="1" y2="0.5"') +
    gradient("sh", [[0, "#3d120a", 0.6], [0.3, "#3d120a", 0], [0.7, "#ffcf8a", 0.16], [1, "#3d120a", 0.42]], 'x1="0.1" y1="0.9" x2="0.9" y2="0.2"') +
    gradient("hu", [[0, "#3c7f8a"], [0.5, "#23596a"], [1, "#12323f"]]);
  const layer = await draw(boat, defs);
  // Its mirror: upside down, pulled apart by the waves.
  const { data: under } = await sharp(await draw(`<g transform="translate(0 ${2 * by + 74}) scale(1 -1)">${boat}</g>`, defs)).raw().toBuffer({ resolveWithObject: true });
  const mirror = field((u, v, x, y) => {
    const depth = (v - horizon) / (1 - horizon);
    if (depth < 0.3) return [0, 0, 0, 0];
    const n = ripple(x, depth, 120, 0.55);
    const sx = Math.round(clamp(x + (n - 0.5) * 190, 0, W - 1));
    const sy = Math.round(clamp(by + 37 + (y - by - 37) * 1.7 + (n - 0.5) * 110, 0, H - 1));
    const o = (sy * W + sx) * 4;
    return [under[o] * 0.62, under[o + 1] * 0.7, under[o + 2] * 0.78, (under[o + 3] / 255) * 0.62 * (1 - smooth(0.78, 1.05, depth))];
  }, 4);
  const wake = await draw(
    `<path d="M${bx - 262} ${by + 34}C${bx - 200} ${by + 24} ${bx + 160} ${by + 30} ${bx + 210} ${by + 36}C${bx + 420} ${by + 30} ${bx + 660} ${by + 12} ${W + 40} ${by + 6}V${by + 34}C${bx + 600} ${by + 40} ${bx + 400} ${by + 66} ${bx + 180} ${by + 62}C${bx - 10} ${by + 72} ${bx - 220} ${by + 62} ${bx - 286} ${by + 44}Z" fill="url(#wk)"/>`,
    gradient("wk", [[0, "#fff6e0", 0.95], [0.45, "#fff6e0", 0.55], [1, "#fff6e0", 0.05]], 'x1="0" y1="0" x2="1" y2="0"'),
  );
  const foam = field((u, v, x, y) => {
    const from = bx - 300;
    if (x < from || Math.abs(y - by - 44) > 42) return [0, 0, 0, 0];
    const near = Math.exp(-(((y - by - 46 + (x - bx) * 0.03) / 15) ** 2)) * (1 - smooth(bx + 160, bx + 620, x));
    return [255, 248, 230, near * smooth(0.46, 0.66, cloud(x / 26, y / 8, 4, 131)) * 0.95];
  }, 4);
  const glare = await draw(`<circle cx="${sun * W}" cy="${0.47 * H}" r="620" fill="url(#gl)"/>`, glow("gl", [[0, "#fff3cf", 0.95], [0.1, "#ffe9b4", 0.6], [0.4, "#ffcf86", 0.22], [1, "#ffcf86", 0]]));
  p = await lay(
    p,
    await toSharp(mirror).png({ compressionLevel: 1 }).toBuffer(),
    await blurred(wake, 8),
    await blurred(layer, 0.7),
    await toSharp(foam).png({ compressionLevel: 1 }).toBuffer(),
    { input: glare, blend: "screen" },
    await draw(gull(560, 330, 1.1, -14, "#6a6258") + gull(650, 372, 0.8, 4, "#6a6258") + gull(1560, 420, 0.7, 10, "#7a6f60")),
  );
  await save("nina-under-sail.jpg", finish(await bloom(p, 215, 26, 0.4), { vignette: 0.18 }));
};

pictures["night-watch.jpg"] = async () => {
  const pole = [0.4, 0.36];
  const air = ramp([[0, "#060d1e"], [0.35, "#0a1a35"], [0.62, "#12315a"], [0.8, "#285a72"], [0.9, "#5a7f74"], [1, "#8a8a62"]]);
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
  for (let i = 0; i < 820; i++) {
    const d = 14 + Math.sqrt(r()) * 1650;
    const from = r() * Math.PI * 2;
    const x0 = pole[0] * W + Math.cos(from) * d;
    const y0 = pole[1] * H + Math.sin(from) * d;
    const x1 = pole[0] * W + Math.cos(from + turn) * d;
    const y1 = pole[1] * H + Math.sin(from + turn) * d;
    const bright = r() ** 3.2;
    const low = 1 - smooth(0.62, 0.88, (y0 + y1) / 2 / H);
    arcs += `<path d="M${x0.toFixed(1)} ${y0.toFixed(1)}A${d.toFixed(1)} ${d.toFixed(1)} 0 0 1 ${x1.toFixed(1)} ${y1.toFixed(1)}" stroke="${tints[Math.floor(r() * tints.length)]}" stroke-width="${(0.8 + bright * 2.6).toFixed(2)}" stroke-opacity="${((0.16 + bright * 0.8) * low).toFixed(2)}" fill="none" stroke-linecap="round"/>`;
  }
  arcs += `<circle cx="${pole[0] * W + 5}" cy="${pole[1] * H - 4}" r="2.600" fill="#fff"/>`;
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
  const light = tower(1492, 1180, 1010, { light: "#2c3a4e", shade: "#0c131d", band: "#070b11", bandShade: "#04070b", lamp: "#ffdf8e", dir: -1 });
  const [lx, ly] = light.lamp;
  const person = (x, y, s, lean = 0) => `<g transform="translate(${x} ${y}) scale(${s}) rotate(${lean})" fill="#04070b"><path d="M-16 0C-18-46-16-74 0-78 16-74 18-46 16 0Z"/><circle cx="3" cy="-92" r="13"/></g>`;
  const folk =
    person(560, 1194, 1.15, -4) + person(606, 1194, 1.0, 3) + person(742, 1198, 1.22, 0) + person(936, 1196, 1.05, -6) +
    `<path d="M800 1196l34-84M868 1196l-34-84M834 1196v-84" stroke="#04070b" stroke-width="5"/><path d="M796 1126l92-74" stroke="#04070b" stroke-width="20" stroke-linecap="round"/>` +
    `<path d="M-10 1190h1400v26H-10z" fill="#05080c"/><path d="M-10 1210H${W + 10}v${H}H-10z" fill="#05080d"/>`;
  const lamps = await draw(
    `<circle cx="${lx}" cy="${ly}" r="330" fill="url(#g)"/><circle cx="${lx}" cy="${ly}" r="46" fill="#fff3cc"/>` +
      `<path d="M${lx} ${ly - 16}L-60 ${ly - 250}V${ly - 96}L${lx} ${ly + 16}Z" fill="url(#bm)"/><path d="M${lx} ${ly - 16}L${W + 60} ${ly - 130}V${ly + 10}L${lx} ${ly + 16}Z" fill="url(#bn)"/>`,
    glow("g", [[0, "#fff1c0", 0.9], [0.12, "#ffdd8c", 0.5], [0.4, "#f3b45a", 0.14], [1, "#f3b45a", 0]]) +
      gradient("bm", [[0, "#ffe9b8", 0], [0.6, "#ffe3a3", 0.12], [1, "#fff0c4", 0.6]], 'x1="0" y1="0" x2="1" y2="0"') + gradient("bn", [[0, "#fff0c4", 0.5], [1, "#ffe9b8", 0.1]], 'x1="0" y1="0" x2="1" y2="0"'),
  );
  const red = await draw(
    `<circle cx="774" cy="1150" r="150" fill="url(#r)"/><circle cx="774" cy="1150" r="5" fill="#ffb09a"/><path d="M700 1192h200" stroke="#b23a20" stroke-width="4" opacity=".4"/>`,
    glow("r", [[0, "#ff5a38", 0.6], [0.3, "#d8321a", 0.2], [1, "#b01a10", 0]]),
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
  const sky = ramp([[0, "#262d33"], [0.5, "#3f4a4e"], [0.8, "#6f7771"], [1, "#a7a48c"]]);
  const skyAt = (u, v) => {
    const t = v / horizon;
    const wx = cloud(u * 3 + 5, v * 5, 4, 161);
    const wy = cloud(u * 3 + 9, v * 5 + 3, 4, 162);
    const mass = cloud(u * 3.2 + wx * 2.2 + v, v * 6.5 + wy * 1.6, 6, 163);
    let c = blend(sky(t), [22, 27, 32], smooth(0.42, 0.68, mass) * (0.9 - 0.5 * smooth(0.6, 1, t)));
    c = add(c, [74, 74, 62], smooth(0.56, 0.36, mass) * 0.55 * (1 - Math.abs(u - 0.3)));
    // A slot in the west, and what comes through it.
    const slot = Math.exp(-(((t - 0.9 - (mass - 0.5) * 0.3) / 0.09) ** 2)) * Math.exp(-(((u - 0.3) / 0.2) ** 2));
    return add(c, [176, 158, 100], slot * 0.95);
  };
  // Seas, from the farthest to the one about to arrive. Each has a crest line, a face and a back.
  const seas = [
    { at: 0.478, high: 0.006, long: 42, dark: "#4f5d5a", light: "#8f9889" }, { at: 0.495, high: 0.012, long: 26, dark: "#44565a", light: "#87958a" },
    { at: 0.525, high: 0.026, long: 15, dark: "#354b50", light: "#7f958c" }, { at: 0.575, high: 0.05, long: 8.5, dark: "#2a4247", light: "#6f8d84" },
    { at: 0.665, high: 0.085, long: 5, dark: "#1e363c", light: "#5f8680" }, { at: 0.82, high: 0.15, long: 2.9, dark: "#142a31", light: "#527f7a" },
  ].map((sea, i) => ({
    ...sea, dark: hex(sea.dark), light: hex(sea.light),
    top: Array.from({ length: W }, (_, x) => {
      const u = x / W;
      const swell = Math.abs(Math.sin((u * sea.long + i * 1.7 + cloud(u * sea.long * 0.7, i, 3, 170 + i) * 2.4) * 1.5));
      return sea.at - sea.high * ((1 - swell) ** 1.25 * 0.95 + (cloud(u * sea.long * 3, 4, 4, 180 + i) - 0.5) * 0.32);
    }),
  }));
  let p = field((u, v, x, y) => {
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
    const lace = smooth(0.52, 0.62, cloud(u * s * 9 + cloud(u * s * 5, v * s * 6, 3, 201) * 2, v * s * 13 + down * 1.1, 5, 200 + i)) * (1 - smooth(0.15, 1.5, down));
    const cap = smooth(0.12, 0.0, down) * smooth(0.38, 0.6, cloud(u * s * 2.2, i * 3, 4, 210 + i)) + smooth(0.4, 0.05, down) * smooth(0.54, 0.66, cloud(u * s * 4, down * 2 + i, 4, 215 + i)) * 0.8;
    const streak = smooth(0.6, 0.72, cloud(u * s * 3 - v * 12, v * s * 26, 4, 220 + i)) * 0.28;
    c = blend(c, [214, 222, 214], clamp(lace * 0.62 + cap * 0.95 + streak));
    c = add(c, [120, 108, 66], Math.exp(-(((u - 0.3) / 0.15) ** 2)) * (1 - smooth(0.48, 0.64, v)) * 0.36 * grain);
    return blend(c, [124, 132, 124], (1 - i / 5) * 0.3);
  });
  const rx = 1500;
  const ry = 628;
  const rock = `M${rx - 250} ${ry + 60}L${rx - 190} ${ry + 8}L${rx - 128} ${ry - 20}L${rx - 96} ${ry - 62}L${rx - 30} ${ry - 84}L${rx + 70} ${ry - 88}L${rx + 130} ${ry - 66}L${rx + 210} ${ry - 74}L${rx + 300} ${ry - 110}L${rx + 400} ${ry - 128}L${rx + 520} ${ry - 150}V${ry + 70}Z`;
  const light = tower(rx + 16, ry - 80, 208, { light: "#aeb6b4", shade: "#5f6b70", band: "#2b3236", bandShade: "#1e2428", lamp: "#fff0c0" });
  const [lx, ly] = light.lamp;
  const shore = await draw(`<path d="${rock}" fill="url(#rk)"/>${light.body}`, light.defs + gradient("rk", [[0, "#3a4346"], [1, "#272f33"]]));
  const haze = await draw(`<rect x="900" y="300" width="1100" height="420" fill="url(#hz)"/>`, gradient("hz", [[0, "#8b938e", 0], [0.55, "#8b938e", 0.28], [1, "#98a29c", 0.5]]));
  const burst = field((u, v, x, y) => {
    const a = Math.exp(-(((x - rx + 196) / 96) ** 2)) * Math.exp(-(((y - ry + 12) / 96) ** 2)) + 0.75 * Math.exp(-(((x - rx + 78) / 120) ** 2)) * Math.exp(-(((y - ry - 6) / 60) ** 2)) + 0.7 * Math.exp(-(((x - rx - 240) / 150) ** 2)) * Math.exp(-(((y - ry - 8) / 62) ** 2));
    if (a < 0.02) return [0, 0, 0, 0];
    const n = cloud(x / 34 + y / 60, y / 26, 6, 231);
    return [226, 231, 224, clamp(a * 1.5 * smooth(0.3, 0.72, n + a * 0.22))];
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
    gradient("b", [[0, "#fff0c8", 0], [0.5, "#fff0c8", 0.1], [1, "#fff4d4", 0.7]], 'x1="0" y1="0" x2="1" y2="0"') + glow("g", [[0, "#fff6dc", 1], [0.14, "#ffe9ae", 0.5], [1, "#ffd98a", 0]]),
  );
  const shafts = await draw(
    [[430, 160, 300, 470], [620, 130, 590, 700], [760, 90, 820, 900]].map(([x, w, a, b]) => `<path d="M${x} 120L${x + w * 0.5} 120L${b} 660L${a} 660Z" fill="url(#sf)"/>`).join(""),
    gradient("sf", [[0, "#efe2b4", 0], [0.5, "#efe2b4", 0.28], [1, "#efe2b4", 0.02]]),
  );
  const png = (f) => toSharp(f).png({ compressionLevel: 1 }).toBuffer();
  p = await lay(p, { input: await blurred(shafts, 26), blend: "screen" }, await blurred(shore, 1), await blurred(haze, 12), await png(burst), { input: await blurred(beam, 5), blend: "screen" }, await png(front), await blurred(await draw(spray), 0.8), await blurred(await draw(rain), 0.8));
  await save("libeccio.jpg", finish(p, { grain: 5, vignette: 0.26 }), { quality: 80 });
};

//MAIN
const wanted = process.argv.slice(2);
await mkdir(MEDIA, { recursive: true });
for (const [name, make] of Object.entries(pictures)) {
  if (wanted.length > 0 && !wanted.some((word) => name.startsWith(word))) continue;
  await make();
  console.log(name);
}
