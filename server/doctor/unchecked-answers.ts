/** Checks that agents with an enrolled client verify that answers come from this console. */
import { UNCHECKED_WITHIN_HOURS } from "../agents/schema.ts";
import { isEnrolledByFiles } from "../dialects/schema.ts";
import type { Database } from "../platform/db.ts";
import { counted, listed, ok, warning } from "./finding.ts";
import { listAgentsWithUncheckedAnswers } from "./repository.ts";
import type { Finding } from "./schema.ts";

interface Looked {
  readonly db: Database;
  readonly workspaceId: string;
}

export async function uncheckedAnswers({ db, workspaceId }: Looked, now: Date): Promise<Finding> {
  const after = new Date(now.getTime() - UNCHECKED_WITHIN_HOURS * 3_600_000);
  const found = await listAgentsWithUncheckedAnswers(db.prisma, workspaceId, after);
  const enrolled = found.filter(({ client }) => isEnrolledByFiles(client));
  const [one, many] = ["agent asks", "agents ask"];
  if (enrolled.length > 0)
    return warning(
      "unchecked_answers",
      `${counted(enrolled.length, one, many)} without a nonce: the relay of ${listed(enrolled.map(({ name }) => name))} cannot verify that answers come from this console.`,
      "Enrol the client again on its machine (quarterdeck enrol). Replace keys of the older form first (docs/fleet.md).",
    );
  if (found.length === 0) return ok("unchecked_answers", "All requests of agents in the last 24 hours had a nonce.");
  return ok(
    "unchecked_answers",
    `${counted(found.length, one, many)} over plain HTTP without a nonce and cannot verify answers: ${listed(found.map(({ name }) => name))}.`,
  );
}
