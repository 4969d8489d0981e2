/** The traffic out of this server: deliveries that failed for good, judges that failed, lost spans. */
import type { Database } from "../platform/db.ts";
import type { TelemetryState } from "../telemetry/index.ts";
import { list } from "../webhooks/index.ts";
import { counted, failure, listed, midSentence, ok, warning } from "./finding.ts";
import { listFailingReceivers, listModelQuestionCounts } from "./repository.ts";
import type { Finding } from "./schema.ts";

export async function webhooks({ db, workspaceId }: { db: Database; workspaceId: string }): Promise<Finding> {
  const all = await list(db, workspaceId);
  const dead = all.reduce((sum, one) => sum + one.dead, 0);
  if (dead > 0)
    return failure(
      "webhooks",
      `${dead === 1 ? "One delivery was" : `${dead} deliveries were`} undelivered after one day of attempts.`,
      "Retry or discard them in Settings, Webhooks.",
    );
  const failing = await listFailingReceivers(db.pool, workspaceId);
  if (failing.length > 0) {
    const names = failing.map(({ url, waiting, error }) => {
      const { host } = new URL(url);
      return `${host} (${counted(waiting, "delivery waits", "deliveries wait")}; ${midSentence(error)})`;
    });
    return warning(
      "webhooks",
      `The last message was not accepted by ${listed(names)}.`,
      "Check that it answers. Deliveries are retried for a day, then wait in Settings, Webhooks.",
    );
  }
  return ok("webhooks", all.length === 0 ? "No webhook is set." : "Every webhook accepted its last message.");
}

const DAY_MS = 86_400_000;

/** Judges whose questions came to no verdict lately; what their hooks do then is each hook's own setting. */
export async function judges({ db, workspaceId }: { db: Database; workspaceId: string }, now: Date): Promise<Finding> {
  const asked = await listModelQuestionCounts(db.pool, workspaceId, new Date(now.getTime() - DAY_MS));
  const sum = (of: "calls" | "failed") => asked.reduce((all, one) => all + one[of], 0);
  const [calls, failed] = [sum("calls"), sum("failed")];
  if (calls === 0) return ok("judges", "No judge calls in the last 24 hours.");
  if (failed === 0) return ok("judges", `Judges answered ${counted(calls, "call")} in the last 24 hours; 0 failed.`);
  const models = asked.filter((one) => one.failed > 0).map(({ model }) => model);
  return warning(
    "judges",
    `${failed.toLocaleString("en")} of ${counted(calls, "judge call")} failed in the last 24 hours: ${listed(models)}.`,
    "See the Judges page for the reasons.",
  );
}

export function exported(state: TelemetryState | null | undefined): Finding {
  if (!state) return ok("telemetry", "Telemetry export is off: QUARTERDECK_OTLP_ENDPOINT is not set.");
  const { sent, dropped, failure: reason } = state;
  if (reason !== null)
    return failure(
      "telemetry",
      `The collector did not accept the newest spans: ${reason}`,
      "Check that QUARTERDECK_OTLP_ENDPOINT answers.",
    );
  if (dropped > 0)
    return warning(
      "telemetry",
      `${counted(dropped, "span was", "spans were")} dropped, ${sent} sent.`,
      "Increase the collector's capacity.",
    );
  return ok("telemetry", `${counted(sent, "span was", "spans were")} sent, none dropped.`);
}
