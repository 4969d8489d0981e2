import { canWithApp, router } from "../trpc/init.ts";
import { examinationView } from "./schema.ts";
import * as service from "./service.ts";

export const doctorRouter = router({
  examine: canWithApp("console:read")
    .output(examinationView)
    .query(({ ctx }) => service.examineInstallation(ctx.app, ctx.db, ctx.workspaceId)),
});
