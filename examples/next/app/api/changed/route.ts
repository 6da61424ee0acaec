/** The hook of the service (`HOOKS`, event `change`): renders again what has changed. */
import { onChange } from "git-cms/next";
import { revalidateTag } from "next/cache";

export const POST = onChange({ revalidateTag });
