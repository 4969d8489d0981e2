import { countOpen } from "../circuit-breakers/service.ts";
import { can, requireApp, router } from "../trpc/init.ts";
import { examinationView } from "./schema.ts";
import * as service from "./service.ts";

export const doctorRouter = router({
  examine: can("console:read")
    .output(examinationView)
    .query(async ({ ctx }) => {
      const { url, confinement, siblings, record, mailer, models, machine } = requireApp(ctx.app);
      const place = { db: ctx.db, workspaceId: ctx.workspaceId, url, confinement, record, ...machine };
      const [openCircuits, telemetry] = await Promise.all([
        countOpen(siblings, ctx.workspaceId),
        service.askTelemetry(siblings),
      ]);
      return service.examine({ ...place, siblings, openCircuits, mailer, models, telemetry });
    }),
});
