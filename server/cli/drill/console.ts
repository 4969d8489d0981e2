/** The console in a drill: it issues the nonce, and takes the results. */
import {
  type DrillMode,
  type DrillReport,
  type ReportedDrill,
  reportedDrill,
  type StartedDrill,
  startedDrill,
} from "../../drills/schema.ts";
import { type Console, postAsAgent } from "../agent-request.ts";

const subject = "drills";

/** Errors: a `Refusal` with the console's reason, or saying that the address is not a console. */
export const startDrill = (console: Console, mode: DrillMode): Promise<StartedDrill> =>
  postAsAgent(console, "/api/v1/drills", { mode }, { view: startedDrill, subject });

export const reportDrill = (console: Console, report: DrillReport): Promise<ReportedDrill> =>
  postAsAgent(console, "/api/v1/drills/report", report, { view: reportedDrill, subject });
