/** Draws the pictures of the starters: `node scripts/draw-starters.mjs`. */
import { fileURLToPath } from "node:url";
import sharp from "sharp";

const ROOT = fileURLToPath(new URL("../starters/", import.meta.url));
const [W, H] = [1600, 1000];

/** Numbers in [0, 1), always the same for one seed. */
function random(seed) {
  let state = seed;
  return () => (state = (state * 16807) % 2147483647) / 2147483647;
}

const rect = (x, y, w, h, fill, more = "") =>
  `<rect x="${x}" y="${y}" width="${w}" height="${h}" fill="${fill}" ${more}/>`;
const path = (d, fill, more = "") => `<path d="${d}" fill="${fill}" ${more}/>`;
const line = (d, stroke, width, more = "") =>
  `<path d="${d}" fill="none" stroke="${stroke}" stroke-width="${width}" stroke-linecap="round" ${more}/>`;
const gradient = (id, from, to, across = false) =>
  `<linearGradient id="${id}" x1="0" y1="0" x2="${across ? 1 : 0}" y2="${across ? 0 : 1}"><stop stop-color="${from}"/><stop offset="1" stop-color="${to}"/></linearGradient>`;
const range = (count) => Array.from({ length: count }, (_, at) => at);

/** Fine lines of wood across a board. */
function grain(x, y, w, h, colour, seed, lines = 7) {
  const next = random(seed);
  return range(lines)
    .map((at) => {
      const level = y + ((at + 0.5) * h) / lines;
      const bend = (next() - 0.5) * h * 0.5;
      return line(`M${x} ${level} q${w / 2} ${bend} ${w} ${(next() - 0.5) * 6}`, colour, 1.6, 'opacity=".35"');
    })
    .join("");
}

const hills = (y, height, colour, seed) => {
  const next = random(seed);
  let d = `M0 ${y}`;
  for (let x = 0; x < W; x += 200) d += ` q100 ${-height * (0.4 + next())} 200 ${(next() - 0.5) * height * 0.3}`;
  return path(`${d} V${H} H0 Z`, colour);
};

const tree = (x, y, size, colour, trunk) =>
  line(`M${x} ${y} v${-size * 0.8}`, trunk, size * 0.07) +
  `<ellipse cx="${x}" cy="${y - size}" rx="${size * 0.38}" ry="${size * 0.55}" fill="${colour}"/>`;

const PICTURES = {
  /** A stair in the evening light. */
  "business/media/stair.jpg": () => {
    const steps = range(9).map((at) => {
      const [x, y] = [330 + at * 112, 880 - at * 84];
      return (
        rect(x, y, 1270 - at * 112, 84, at % 2 ? "#d9cbb4" : "#d3c4ab") +
        rect(x - 14, y - 16, 1290 - at * 112, 20, "#b57f4d") +
        grain(x, y - 15, 700 - at * 40, 18, "#8a5a30", at + 3, 2) +
        rect(x + 34, y - 260, 13, 246, "#8a5a30")
      );
    });
    return `<defs>${gradient("wall", "#f0e6d6", "#e2d2ba")}${gradient("light", "#fff4d9", "#f7d9a4", true)}</defs>
      ${rect(0, 0, W, H, "url(#wall)")}
      <g opacity=".75">${path("M0 120 L520 40 L820 1000 L160 1000 Z", "url(#light)", 'opacity=".7"')}</g>
      ${rect(96, 120, 250, 380, "#8fb0b3")}${hillsIn(96, 120, 250, 380)}
      ${rect(80, 104, 282, 16, "#8a5a30")}${rect(80, 500, 282, 22, "#8a5a30")}${rect(80, 104, 16, 400, "#8a5a30")}${rect(346, 104, 16, 400, "#8a5a30")}${rect(216, 120, 10, 380, "#8a5a30")}
      ${rect(0, 964, W, 36, "#b08457")}${steps.join("")}
      ${line("M336 618 L1340 -135", "#6f4523", 26)}`;
  },
  /** A kitchen with a window. */
  "business/media/kitchen.jpg":
    () => `<defs>${gradient("sky", "#bcd6dc", "#f2e3c4")}${gradient("tiles", "#f3ede2", "#e8ddca")}</defs>
    ${rect(0, 0, W, H, "url(#tiles)")}
    ${range(9)
      .map((row) =>
        range(17)
          .map((at) => rect(at * 100 - (row % 2) * 50, row * 62, 96, 58, row % 3 === at % 4 ? "#efe6d5" : "#f5efe4"))
          .join(""),
      )
      .join("")}
    ${rect(560, 70, 520, 390, "url(#sky)")}<g clip-path="inset(0)">${path("M560 400 q120 -90 250 -20 q140 70 270 -30 V460 H560 Z", "#7c9a78")}${path("M560 430 q180 -60 520 0 V460 H560 Z", "#5c7f63")}</g>
    ${line("M560 70 h520 v390 h-520 z M820 70 v390", "#8a5a30", 18)}${rect(530, 456, 580, 24, "#a8713f")}
    ${rect(0, 560, W, 44, "#b57f4d")}${grain(0, 560, W, 44, "#8a5a30", 11, 5)}
    ${rect(0, 604, W, 336, "#3f5f52")}
    ${range(6)
      .map(
        (at) =>
          rect(at * 268 + 18, 628, 244, 290, "#476a5c") +
          rect(at * 268 + 46, 656, 188, 234, "#3f5f52") +
          `<circle cx="${at * 268 + 232}" cy="700" r="9" fill="#d7a75f"/>`,
      )
      .join("")}
    ${rect(0, 940, W, 60, "#c9b593")}
    ${rect(80, 170, 400, 16, "#a8713f")}${rect(1150, 170, 400, 16, "#a8713f")}
    ${[
      [110, "#c4583b"],
      [190, "#e0b15c"],
      [255, "#3f5f52"],
      [330, "#f3ede2"],
    ]
      .map(([x, fill]) => rect(x, 100, 54, 70, fill, 'rx="8"'))
      .join("")}
    ${[
      [1190, 46],
      [1250, 60],
      [1330, 52],
    ]
      .map(
        ([x, r]) =>
          `<circle cx="${x + 20}" cy="${168 - r}" r="${r}" fill="#e9d9bd" stroke="#c4a677" stroke-width="5"/>`,
      )
      .join("")}
    ${rect(1180, 470, 120, 90, "#c4583b", 'rx="12"')}${line("M1300 490 q50 20 0 46", "#c4583b", 12)}
    ${line("M300 560 q-10 -110 -60 -170 M300 560 q0 -120 30 -190 M300 560 q20 -90 90 -140", "#5c7f63", 9)}${rect(262, 500, 80, 62, "#e0b15c", 'rx="10"')}`,
  /** A window seat before hills. */
  "business/media/window.jpg":
    () => `<defs>${gradient("sky", "#a9c8d4", "#f7e7c8")}${gradient("room", "#54463a", "#3e332a")}</defs>
    ${rect(0, 0, W, H, "url(#sky)")}<circle cx="1080" cy="300" r="74" fill="#fff3d3"/>
    ${hills(620, 190, "#9db7a8", 5)}${hills(700, 150, "#7c9a78", 9)}${hills(790, 110, "#56785e", 21)}
    ${tree(380, 850, 230, "#48684f", "#5a3f28")}${tree(470, 870, 170, "#56785e", "#5a3f28")}${tree(1180, 860, 200, "#48684f", "#5a3f28")}
    ${path(`M0 0 H${W} V${H} H0 Z M190 110 V760 H1410 V110 Z`, "url(#room)", 'fill-rule="evenodd"')}
    ${line("M190 110 H1410 V760 H190 Z M597 110 V760 M1003 110 V760 M190 330 H1410", "#b57f4d", 26)}
    ${rect(130, 760, 1340, 46, "#c08a55")}${grain(130, 760, 1340, 46, "#8a5a30", 4, 5)}
    ${rect(130, 806, 1340, 194, "#a8713f")}${grain(130, 806, 1340, 194, "#7c4c26", 17, 9)}
    ${rect(250, 690, 330, 72, "#c4583b", 'rx="30"')}${rect(1040, 690, 260, 72, "#3f5f52", 'rx="30"')}
    ${rect(700, 724, 170, 38, "#f3ede2", 'rx="5"')}${rect(712, 700, 150, 26, "#e0b15c", 'rx="5"')}`,
  /** A workbench with tools on the wall. */
  "business/media/workshop.jpg": () => `<defs>${gradient("wall", "#4d6a5d", "#3a5448")}</defs>
    ${rect(0, 0, W, H, "url(#wall)")}
    ${range(13)
      .map((at) => rect(at * 125, 0, 3, 640, "#35493f"))
      .join("")}
    ${rect(130, 120, 900, 18, "#b57f4d")}
    ${[190, 260, 330, 400, 470].map((x, at) => rect(x, 138, 20, 90 + at * 16, "#d7d2c4") + rect(x - 6, 226 + at * 16, 32, 92, "#c08a55", 'rx="12"')).join("")}
    ${path("M600 150 h330 l-26 120 h-150 z", "#d7d2c4")}${range(16)
      .map((at) => path(`M${612 + at * 10} 268 l5 12 l5 -12 z`, "#d7d2c4"))
      .join("")}${path("M900 140 q90 10 86 80 q-40 34 -84 4 z", "#a8713f")}
    ${rect(1130, 90, 350, 300, "#f2dfb4")}${line("M1130 90 h350 v300 h-350 z M1305 90 v300 M1130 240 h350", "#8a5a30", 16)}
    <g opacity=".35">${path("M1130 390 L1480 390 L1240 1000 L640 1000 Z", "#f7e3b0")}</g>
    ${rect(60, 600, 1480, 56, "#c99661")}${grain(60, 600, 1480, 56, "#8a5a30", 8, 6)}
    ${rect(140, 656, 90, 344, "#a8713f")}${rect(1370, 656, 90, 344, "#a8713f")}${rect(140, 860, 1320, 40, "#a8713f")}
    ${rect(420, 556, 300, 44, "#e2b77e")}${grain(420, 556, 300, 44, "#a8713f", 31, 5)}
    ${path("M520 556 q10 -60 60 -58 h120 q40 4 40 58 z", "#8a5a30")}${rect(610, 470, 26, 60, "#6f4523", 'rx="10"')}
    ${range(12)
      .map((at) => line(`M${780 + at * 26} ${592 - (at % 3) * 8} q12 -26 26 -6 q4 14 -12 10`, "#ecd2a2", 5))
      .join("")}
    ${rect(1160, 520, 180, 80, "#3a2f26", 'rx="10"')}${rect(1180, 500, 26, 30, "#d7a75f")}${rect(1240, 490, 12, 44, "#c4583b")}${rect(1270, 482, 12, 52, "#e0b15c")}`,
  /** A pear tree on a wall. */
  "blog/media/pear-tree.jpg": () => {
    const arms = [820, 640, 460, 280].map((y, at) => {
      const reach = 560 - at * 70;
      const twigs = range(5).map((one) => {
        const x = 150 + (one * (reach - 170)) / 4;
        return [-1, 1]
          .map((side) => {
            const cx = 800 + side * x;
            return (
              line(`M${cx} ${y - 20} q${side * 12} -40 ${side * 4} -70`, "#5b4632", 8) +
              `<ellipse cx="${cx - 18}" cy="${y - 74}" rx="34" ry="16" fill="#6d8a4e" transform="rotate(${-30 + one * 14} ${cx - 18} ${y - 74})"/>` +
              `<ellipse cx="${cx + 26}" cy="${y - 92}" rx="34" ry="16" fill="#85a25f" transform="rotate(${24 + one * 9} ${cx + 26} ${y - 92})"/>` +
              ((one + at) % 2
                ? path(`M${cx} ${y} q-34 46 -24 74 q24 34 48 0 q10 -28 -24 -74 z`, one % 3 ? "#d9b04a" : "#c9983a")
                : "")
            );
          })
          .join("");
      });
      return (
        line(
          `M800 ${y + 40} q${-reach / 2} -70 ${-reach} -60 M800 ${y + 40} q${reach / 2} -70 ${reach} -60`,
          "#5b4632",
          22 - at * 3,
        ) + twigs.join("")
      );
    });
    return `${rect(0, 0, W, H, "#c9745a")}${range(17)
      .map((row) =>
        range(14)
          .map((at) =>
            rect(
              at * 128 - (row % 2) * 64,
              row * 60,
              122,
              54,
              ["#c2694f", "#cb7a61", "#bd6249", "#d18770"][(row * 3 + at * 5) % 4],
              'rx="4"',
            ),
          )
          .join(""),
      )
      .join("")}
      ${rect(0, 930, W, 70, "#5c4a36")}${line("M800 950 V220", "#5b4632", 34)}${arms.join("")}`;
  },
  /** A mended cup. */
  "blog/media/mended-cup.jpg":
    () => `<defs>${gradient("back", "#e8dfd0", "#d9c9b2")}${gradient("cup", "#5f8a97", "#3f6674", true)}</defs>
    ${rect(0, 0, W, H, "url(#back)")}${rect(0, 730, W, 270, "#a97c50")}${grain(0, 730, W, 270, "#7d5733", 12, 11)}
    <ellipse cx="800" cy="800" rx="430" ry="66" fill="#6e4c2c" opacity=".4"/>
    <ellipse cx="800" cy="770" rx="380" ry="62" fill="#f0e8da"/><ellipse cx="800" cy="760" rx="300" ry="42" fill="#ddd0bb"/>
    ${line("M1060 420 q190 -30 180 120 q-20 120 -210 110", "#4c7583", 44)}
    ${path("M500 330 H1080 Q1080 700 920 760 H660 Q500 700 500 330 Z", "url(#cup)")}
    <ellipse cx="790" cy="330" rx="290" ry="58" fill="#34545f"/><ellipse cx="790" cy="338" rx="256" ry="44" fill="#7a4a26"/>
    ${line("M610 380 L660 470 L630 560 L710 640 L690 750 M660 470 L780 500 L860 440 L900 380 M780 500 L800 610 L880 700", "#e3bb58", 11, 'stroke-linejoin="round"')}
    ${[700, 790, 880].map((x, at) => line(`M${x} ${270 - at * 6} q-40 -60 0 -110 q40 -50 0 -100`, "#fffaf0", 12, 'opacity=".7"')).join("")}`,
  /** A railway path through hills. */
  "blog/media/old-railway.jpg":
    () => `<defs>${gradient("sky", "#f6d9b8", "#f3eee0")}</defs>${rect(0, 0, W, H, "url(#sky)")}
    <circle cx="1220" cy="250" r="90" fill="#f08f5f"/>${hills(520, 210, "#b8c3b4", 3)}${hills(600, 180, "#93a892", 8)}${hills(680, 120, "#6f8d73", 15)}
    ${range(7)
      .map(
        (at) =>
          rect(150 + at * 150, 470, 34, 170, "#8c5a48") +
          path(`M${184 + at * 150} 640 V560 a58 58 0 0 1 116 0 V640 h-116 z`, "#6f8d73", 'opacity="0"'),
      )
      .join("")}
    ${path(
      `M120 440 H1240 V480 H120 Z ${range(7)
        .map((at) => `M${150 + at * 150} 480 h150 v160 h-20 v-70 a55 55 0 0 0 -110 0 v70 h-20 z`)
        .join(" ")}`,
      "#9c6450",
    )}
    ${path("M0 760 Q500 640 1000 720 T1600 690 V1000 H0 Z", "#4f7058")}${path("M560 1000 Q700 800 1010 722 Q1040 714 1060 724 Q960 830 1010 1000 Z", "#e6d3ae")}
    ${tree(240, 830, 220, "#3c5a47", "#4f3b2b")}${tree(360, 860, 160, "#456a52", "#4f3b2b")}${tree(1330, 820, 240, "#3c5a47", "#4f3b2b")}${tree(1450, 850, 170, "#c96f45", "#4f3b2b")}
    ${line("M820 880 v-58 M820 846 l-24 30 M820 846 l26 26 M820 880 l-18 46 M820 880 l20 46", "#3b2b22", 11)}<circle cx="820" cy="806" r="17" fill="#3b2b22"/>`,
  /** Bread in a window at night. */
  "blog/media/night-bread.jpg":
    () => `<defs>${gradient("night", "#1f2b46", "#3d4b6b")}${gradient("loaf", "#d9954f", "#9c5a28")}</defs>
    ${rect(0, 0, W, H, "#5a4336")}${rect(260, 70, 1080, 620, "url(#night)")}
    ${stars()}
    ${path("M1130 190 a90 90 0 1 0 60 150 a74 74 0 1 1 -60 -150 z", "#f4ecd4")}
    ${path("M260 690 V560 h90 v-70 h110 v50 h130 v-110 l70 -50 l70 50 v90 h150 v-60 h120 v90 h120 v-40 h150 v180 z", "#16203a")}${[
      [300, 600],
      [420, 590],
      [640, 520],
      [980, 560],
      [1180, 620],
    ]
      .map(([x, y]) => rect(x, y, 26, 34, "#f0b75a"))
      .join("")}
    ${line("M260 70 h1080 v620 h-1080 z M800 70 v620 M260 380 h1080", "#8a6248", 26)}
    ${rect(150, 690, 1300, 50, "#a97c50")}${grain(150, 690, 1300, 50, "#7d5733", 6, 5)}${rect(0, 740, W, 260, "#4a362b")}
    <ellipse cx="700" cy="700" rx="330" ry="30" fill="#6e4c2c"/>${path("M400 690 Q400 500 700 496 Q1000 500 1000 690 Z", "url(#loaf)")}
    ${[500, 610, 720, 830].map((x) => line(`M${x} 570 q40 20 60 90`, "#f0d2a0", 14)).join("")}
    ${rect(1120, 560, 130, 132, "#c4583b", 'rx="14"')}${rect(1112, 544, 146, 26, "#a9472d", 'rx="10"')}`,
  /** A rain gauge in a wet garden. */
  "blog/media/rain-gauge.jpg": () => {
    const next = random(77);
    return `<defs>${gradient("sky", "#8fa3ad", "#c7d0cc")}</defs>${rect(0, 0, W, H, "url(#sky)")}
      ${hills(640, 130, "#8ba093", 4)}${hills(740, 100, "#62806c", 13)}${rect(0, 850, W, 150, "#44614f")}
      ${range(46)
        .map(() => line(`M${next() * W} ${next() * 700} l-26 92`, "#eef3f1", 4, 'opacity=".55"'))
        .join("")}
      ${rect(770, 560, 44, 440, "#6b4f38")}${path("M690 220 H890 L860 300 V640 H720 V300 Z", "#dfe9e8", 'opacity=".9"')}${path("M720 470 H860 V640 H720 Z", "#4f8aa3")}
      ${range(12)
        .map((at) => line(`M724 ${330 + at * 25} h${at % 4 ? 34 : 62}`, "#34545f", 5))
        .join("")}${line("M690 220 H890", "#34545f", 12)}
      ${range(22)
        .map((at) =>
          line(
            `M${at * 76} 1000 q${10 - (at % 3) * 12} -90 ${(at % 5) * 12 - 20} -${110 + (at % 4) * 30}`,
            at % 2 ? "#35503f" : "#5d7f63",
            12,
          ),
        )
        .join("")}
      ${[180, 330, 1180, 1360].map((x, at) => line(`M${x} 960 q10 -120 0 -190`, "#35503f", 10) + `<circle cx="${x}" cy="${750 - at * 8}" r="44" fill="${at % 2 ? "#d9744f" : "#e5b45b"}"/><circle cx="${x}" cy="${750 - at * 8}" r="16" fill="#6b4f38"/>`).join("")}`;
  },
};

function stars() {
  const next = random(4321);
  return range(70)
    .map(
      () =>
        `<circle cx="${270 + next() * 1060}" cy="${80 + next() * 400}" r="${1 + next() * 2.4}" fill="#f4ecd4" opacity=".8"/>`,
    )
    .join("");
}

function hillsIn(x, y, w, h) {
  return (
    path(
      `M${x} ${y + h * 0.7} q${w / 3} ${-h * 0.18} ${w / 2} ${-h * 0.02} t${w / 2} ${-h * 0.04} V${y + h} H${x} Z`,
      "#7c9a78",
    ) + path(`M${x} ${y + h * 0.85} q${w / 2} ${-h * 0.1} ${w} 0 V${y + h} H${x} Z`, "#56785e")
  );
}

for (const [name, draw] of Object.entries(PICTURES)) {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="2000" height="1250" viewBox="0 0 ${W} ${H}">${draw()}</svg>`;
  const { size } = await sharp(Buffer.from(svg))
    .jpeg({ quality: 74, mozjpeg: true })
    .toFile(ROOT + name);
  console.log(name, size);
}
