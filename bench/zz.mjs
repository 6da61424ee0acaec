import { readFileSync, writeFileSync } from "node:fs";
let s = readFileSync(new URL("sync.mjs", import.meta.url), "utf8");
s = s.replace(
  "const row =",
  `const wrap = (o, names, log) => { const r = { ...o }; for (const n of names) r[n] = async (...a) => { const t = performance.now(); try { return await o[n](...a); } finally { log.push(n + " " + (performance.now() - t).toFixed(0)); } }; return r; };
const NAMES = ["fetch","mergeBases","distance","push","pushedCommit","pointersAlone","fetchLfs","differences","merge","state","tree"];
const row =`,
);
s = s.replace(
  "const repo = await openGitRepo(own[0], { env: quiet });",
  'const log = []; let t0 = performance.now(); const repo = wrap(await openGitRepo(own[0], { env: quiet }), ["merge","differences","close","pointersAlone","state"], log); log.push("open " + (performance.now()-t0).toFixed(0));',
);
s = s.replace(
  'const remote = await openRemote(own[0], "main");',
  'const remote = wrap(await openRemote(own[0], "main"), NAMES.slice(0,5), log);',
);
s = s.replace(
  "await repo.close();",
  'await repo.close(); console.log(log.join(", "), "all", (performance.now()-t0).toFixed(0));',
);
s = s.replace(
  'const remote = await openRemote(served[0], "main");\n  const server = await rounds(served, () =>\n    synchronise({ repo: cms.store.repo,',
  'const log = []; const remote = wrap(await openRemote(served[0], "main"), NAMES.slice(0,5), log); const server = await rounds(served, () =>\n    synchronise({ repo: wrap(cms.store.repo, ["differences","state"], log),',
);
s = s.replace(
  "merge: cms.store.merge,",
  'merge: async (m) => { const t = performance.now(); try { return await cms.store.merge(m); } finally { log.push("merge " + (performance.now()-t).toFixed(0)); console.log("served", log.splice(0).join(", ")); } },',
);
writeFileSync(new URL("zz2.mjs", import.meta.url), s);
