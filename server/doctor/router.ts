import { can, requireApp, router } from "../trpc/init.ts";
import { examinationView } from "./schema.ts";
import * as service from "./service.ts";

export const doctorRouter = router({
  examine: can("console:read")
    .output(examinationView)
    .query(({ ctx }) => {
      const { url, sandbox, breakers, record, secrets, machine } = requireApp(ctx.app);
      const place = { db: ctx.db, workspaceId: ctx.workspaceId, url, sandbox, record, ...machine };
      const openCircuits = breakers.open(ctx.workspaceId).length;
      return service.examine({ ...place, openCircuits, credentialKey: secrets.credentialKey });
    }),
});
