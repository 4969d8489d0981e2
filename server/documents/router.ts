import { can, router } from "../trpc/init.ts";
import { documentBySlug, documentIndexView, documentListView, documentView } from "./schema.ts";
import * as service from "./service.ts";

const reading = can("console:read");

export const documentsRouter = router({
  list: reading.output(documentListView).query(() => service.list()),
  read: reading
    .input(documentBySlug)
    .output(documentView)
    .query(({ input }) => service.read(input.slug)),
  index: reading.output(documentIndexView).query(() => service.index()),
});
