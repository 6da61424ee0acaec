import { definePlugin } from "../../../src/index.ts";

const WORDS_PER_MINUTE = 220;

/** `reading_time` in the payload of every page: minutes, from 1; 0 without text. */
export default definePlugin({
  name: "reading-time",
  computed: {
    reading_time(page, lang) {
      const words = (page.translations[lang]?.content ?? "").match(/\S+/g)?.length ?? 0;
      return Math.ceil(words / WORDS_PER_MINUTE);
    },
  },
});
