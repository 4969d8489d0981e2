/** The state of the processes of this node. */
import { askNodeState, PROCESS_KINDS } from "../platform/node-state.ts";
import type { WorkerRpc } from "../platform/worker-rpc.ts";
import { counted, listed, ok, warning } from "./finding.ts";
import type { Finding } from "./schema.ts";

const RECENT_MS = 3_600_000;
const ADVICE = "Read the server's log.";

export async function processes(workerRpc: WorkerRpc | undefined, now: Date): Promise<Finding> {
  const state = workerRpc ? await askNodeState(workerRpc) : null;
  if (state === null) return ok("processes", "All roles run in one process.");
  const roles = PROCESS_KINDS.flatMap((role) => (state.roles[role] ? [[role, state.roles[role]] as const] : []));
  const missing = roles.filter(([, { wanted, running }]) => running < wanted);
  if (missing.length > 0) {
    const says = missing.map(
      ([role, { wanted, running }]) => `${running} of ${counted(wanted, `${role} process`, `${role} processes`)}`,
    );
    return warning("processes", `${listed(says)} run; the others are starting.`, ADVICE);
  }
  const died = roles.filter(([, { lastDeath }]) => lastDeath && now.getTime() - lastDeath.atMs < RECENT_MS);
  if (died.length > 0) {
    const says = died.map(
      ([role, { deaths, lastDeath }]) =>
        `${counted(deaths, `${role} process`, `${role} processes`)} died since the start and ${deaths === 1 ? "was" : "were"} replaced. The last: ${lastDeath?.says}`,
    );
    return warning("processes", says.join(" "), ADVICE);
  }
  const running = roles.map(([role, one]) => counted(one.running, `${role} process`, `${role} processes`));
  return ok("processes", `${listed(running)} run.`);
}
