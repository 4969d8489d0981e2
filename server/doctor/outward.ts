/** What leaves this server: deliveries that failed for good, spans that were lost. */
import type { Database } from "../platform/db.ts";
import type { TelemetryState } from "../telemetry/service.ts";
import { list } from "../webhooks/service.ts";
import { failure, ok, warning } from "./finding.ts";
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
  return ok("webhooks", all.length === 0 ? "No webhook is set." : "No delivery was given up.");
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
    return warning("telemetry", `${dropped} spans were dropped, ${sent} sent.`, "Give the collector more room.");
  return ok("telemetry", `${sent} spans were sent, none dropped.`);
}
