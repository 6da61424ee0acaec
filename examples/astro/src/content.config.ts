import { defineCollection } from "astro:content";
import { z } from "astro/zod";
import { cmsPages } from "git-cms/astro";
import type { AnyPublicPage } from "./cms-types";

export const collections = {
  pages: defineCollection({ loader: cmsPages(), schema: z.custom<AnyPublicPage>() }),
};
