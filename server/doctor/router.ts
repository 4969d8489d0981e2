import { can, requireApp, router } from "../trpc/init.ts";
import { examinationView } from "./schema.ts";
import * as service from "./service.ts";

export const doctorRouter = router({
  examine: can("console:read")
    .output(examinationView)
    .query(({ ctx }) => service.examineInstallation(requireApp(ctx.app), ctx.db, ctx.workspaceId)),
});
