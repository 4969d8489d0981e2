/** Whether the processes of this node are all there. */
import { askNodeState } from "../platform/node-state.ts";
import type { Siblings } from "../platform/siblings.ts";
import { counted, ok, warning } from "./finding.ts";
import type { Finding } from "./schema.ts";

const RECENT_MS = 3_600_000;

export async function workers(siblings: Siblings | undefined, now: Date): Promise<Finding> {
  const state = siblings ? await askNodeState(siblings) : null;
  if (state === null) return ok("workers", "One process answers requests.");
  const { wanted, running, deaths, lastDeath } = state.workers;
  const todo = "Read the server's log for why.";
  if (running < wanted)
    return warning("workers", `${running} of ${wanted} gateway processes answer; the others are being started.`, todo);
  if (lastDeath && now.getTime() - lastDeath.atMs < RECENT_MS)
    return warning(
      "workers",
      `${counted(deaths, "gateway process", "gateway processes")} died since the start and ${deaths === 1 ? "was" : "were"} replaced. The last: ${lastDeath.says}`,
      todo,
    );
  return ok("workers", `${running} gateway processes answer requests.`);
}
