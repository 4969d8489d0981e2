/** The traffic out of this server: deliveries that failed for good, judges that failed, lost spans. */
import type { Database } from "../platform/db.ts";
import type { TelemetryState } from "../telemetry/index.ts";
import { list } from "../webhooks/index.ts";
import { counted, failure, listed, ok, warning } from "./finding.ts";
import { listFailingReceivers, listModelQuestionCounts } from "./repository.ts";
import type { Finding } from "./schema.ts";

export async function webhooks({ db, workspaceId }: { db: Database; workspaceId: string }): Promise<Finding> {
  const all = await list(db, workspaceId);
  const dead = all.reduce((sum, one) => sum + one.dead, 0);
  if (dead > 0)
    return failure(
      "webhooks",
      `${dead === 1 ? "One delivery was" : `${dead} deliveries were`} given up after a day of attempts.`,
      "Look at them under Settings, Webhooks: try again or discard.",
    );
  const failing = await listFailingReceivers(db.pool, workspaceId);
  if (failing.length > 0) {
    const names = failing.map(({ url, waiting, error }) => {
      const { host } = new URL(url);
      return `${host} (${counted(waiting, "delivery waits", "deliveries wait")}; ${midSentence(error)})`;
    });
    return warning(
      "webhooks",
      `What was sent last was not taken by ${listed(names)}.`,
      "See that it answers; each delivery is sent again for a day, and then waits under Settings, Webhooks.",
    );
  }
  return ok("webhooks", all.length === 0 ? "No webhook is set." : "Every webhook took what it was sent last.");
}

/** "It answered 500." within another sentence: "it answered 500". */
const midSentence = (sentence: string): string =>
  sentence.charAt(0).toLowerCase() + sentence.slice(1).replace(/\.$/, "");

const DAY_MS = 86_400_000;

/** Judges whose questions came to no verdict lately; what their hooks do then is each hook's own setting. */
export async function judges({ db, workspaceId }: { db: Database; workspaceId: string }, now: Date): Promise<Finding> {
  const asked = await listModelQuestionCounts(db.pool, workspaceId, new Date(now.getTime() - DAY_MS));
  const sum = (of: "calls" | "failed") => asked.reduce((all, one) => all + one[of], 0);
  const [calls, failed] = [sum("calls"), sum("failed")];
  if (calls === 0) return ok("judges", "No judge was asked in the last 24 hours.");
  if (failed === 0)
    return ok("judges", `Judges answered ${counted(calls, "question")} in the last 24 hours; none failed.`);
  const models = asked.filter((one) => one.failed > 0).map(({ model }) => model);
  return warning(
    "judges",
    `${failed.toLocaleString("en")} of ${counted(calls, "question")} to judges came to no verdict in the last 24 hours: ${listed(models)}.`,
    "Open Judges to see why each failed.",
  );
}

export function exported(state: TelemetryState | null | undefined): Finding {
  if (!state) return ok("telemetry", "Nothing is exported: QUARTERDECK_OTLP_ENDPOINT is not set.");
  const { sent, dropped, failure: reason } = state;
  if (reason !== null)
    return failure(
      "telemetry",
      `The collector did not take the newest spans: ${reason}`,
      "See that QUARTERDECK_OTLP_ENDPOINT answers.",
    );
  if (dropped > 0)
    return warning(
      "telemetry",
      `${counted(dropped, "span was", "spans were")} dropped, ${sent} sent.`,
      "Give the collector more room.",
    );
  return ok("telemetry", `${counted(sent, "span was", "spans were")} sent, none dropped.`);
}
