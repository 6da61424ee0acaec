export default defineNuxtConfig({
  compatibilityDate: "2026-01-01",
  modules: [["git-cms/nuxt", { keepPages: true }]],
  css: ["~/site.css"],
  telemetry: false,
  devtools: { enabled: false },
  router: { options: { strict: true } },
});
