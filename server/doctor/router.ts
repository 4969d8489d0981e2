import type { Confinement } from "@quarterdeck/hooks";
import { canWithApp, router } from "../trpc/init.ts";
import { examinationView } from "./schema.ts";
import type { Patient } from "./service.ts";
import * as service from "./service.ts";

declare module "../trpc/context.ts" {
  interface App {
    /** The confinement of hook commands. */
    readonly confinement: Confinement;
    /** Where it runs, for the doctor. */
    readonly machine: Pick<Patient, "dataDir" | "host" | "given">;
  }
}

export const doctorRouter = router({
  examine: canWithApp("console:read")
    .output(examinationView)
    .query(({ ctx }) => service.examineInstallation(ctx.app, ctx.db, ctx.workspaceId)),
});
