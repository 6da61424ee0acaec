import { definePlugin, type Json } from "../../../src/index.ts";

const DAYS = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"];
const LINE = /^(Mo|Tu|We|Th|Fr|Sa|Su)(?:-(Mo|Tu|We|Th|Fr|Sa|Su))? (\d\d:\d\d)-(\d\d:\d\d)$/;

/** One entry per day of "Mo-Fr 09:00-17:30; Sa 10:00-12:00"; other text unchanged, for the schema to reject. */
function readHours(value: Json): Json {
  if (typeof value !== "string") return value;
  const lines = value.split(";").map((line) => LINE.exec(line.trim()));
  if (lines.some((line) => line === null)) return value;
  return lines.flatMap((line) => {
    const [, from = "", to = from, opens = "", closes = ""] = line ?? [];
    return DAYS.slice(DAYS.indexOf(from), DAYS.indexOf(to) + 1).map((day) => ({ day, opens, closes }));
  });
}

const TIME = { type: "string", pattern: "^([01]\\d|2[0-3]):[0-5]\\d$" };

export default definePlugin({
  name: "opening-hours",
  fieldKinds: {
    opening_hours: {
      schema: {
        type: "array",
        items: {
          type: "object",
          required: ["day", "opens", "closes"],
          properties: { day: { type: "string", enum: DAYS }, opens: TIME, closes: TIME },
        },
      },
      message: 'Enter opening hours such as "Mo-Fr 09:00-17:30; Sa 10:00-12:00".',
      normalize: readHours,
    },
  },
});
