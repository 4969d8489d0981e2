import type { Confinement } from "@quarterdeck/hooks";
import { canWithApp, router } from "../trpc/init.ts";
import type { Patient } from "./examine.ts";
import { examineInstallation } from "./installation.ts";
import { examinationView } from "./schema.ts";

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
    .query(({ ctx }) => examineInstallation(ctx.app, ctx.db, ctx.workspaceId)),
});
