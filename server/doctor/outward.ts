/** The traffic out of this server: deliveries that failed for good, lost spans, addresses that nobody listed. */
import type { Models } from "../judges/service.ts";
import type { Mailer } from "../people/service.ts";
import type { Database } from "../platform/db.ts";
import { VARIABLES } from "../platform/outgoing/address-rule.ts";
import { endpointText, listExceptions } from "../platform/outgoing/exceptions.ts";
import { isRefusedHost } from "../platform/outgoing/guarded-lookup.ts";
import type { TelemetryState } from "../telemetry/service.ts";
import { list } from "../webhooks/service.ts";
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

interface Outward {
  readonly db: Database;
  readonly workspaceId: string;
  readonly models: Pick<Models, "hasExceptions">;
  readonly mailer: Pick<Mailer, "addresses" | "hasExceptions">;
}

/** Private addresses that are asked though no variable lists them, because they were in use before they had to be listed. */
export async function exceptions({ db, workspaceId, models, mailer }: Outward): Promise<Finding> {
  const listOf = async (purpose: "models" | "mail") => listExceptions(db.prisma, workspaceId, purpose);
  const asked = models.hasExceptions ? await listOf("models") : [];
  const ofMail = mailer.hasExceptions ? await listOf("mail") : [];
  // A mail server in the open needs no exception.
  const isNeeded = await Promise.all(ofMail.map(({ host }) => isRefusedHost(mailer.addresses, host)));
  const mail = ofMail.filter((_, index) => isNeeded[index]);
  const all = [
    ...asked.map((one) => `http://${endpointText(one)} (models)`),
    ...mail.map((one) => `${endpointText(one)} (mail)`),
  ];
  if (all.length === 0) return ok("private_addresses", "No private address is asked that is not listed.");
  const variables = [...(asked.length > 0 ? [VARIABLES.models] : []), ...(mail.length > 0 ? [VARIABLES.mail] : [])];
  return warning(
    "private_addresses",
    `Private addresses are asked because they were in use before they had to be listed: ${listed(all, 10)}.`,
    `List them in ${variables.join(" and ")} (what is set there ends every exception; none closes them all), or remove the connection.`,
  );
}
