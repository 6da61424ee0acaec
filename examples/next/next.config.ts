import type { NextConfig } from "next";
import { PHASE_DEVELOPMENT_SERVER } from "next/constants.js";
import { chosen } from "./cms/incremental.js";

const common: NextConfig = {
  trailingSlash: true,
  // `npm run check` finds them.
  typescript: { ignoreBuildErrors: true },
};

export default function config(phase: string): NextConfig {
  const { CMS_URL = "http://127.0.0.1:8000" } = process.env;
  if (phase === PHASE_DEVELOPMENT_SERVER)
    return {
      ...common,
      // Files called `*.dev.tsx` are routes in development only: a build has no previews, and needs no token.
      pageExtensions: ["dev.tsx", "tsx", "ts"],
      rewrites: async () => [{ source: "/media/:path*", destination: `${CMS_URL}/media/:path*` }],
    };
  return {
    ...common,
    output: "export",
    pageExtensions: ["tsx", "ts"],
    // Pages of earlier builds ask for the files of this id.
    generateBuildId: () => chosen().program,
  };
}
