import { can, router } from "../trpc/init.ts";
import { documentIndexView } from "./schema.ts";
import * as service from "./service.ts";

export const documentsRouter = router({
  index: can("console:read")
    .output(documentIndexView)
    .query(() => service.index()),
});
