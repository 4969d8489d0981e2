import type { Administrator } from "../access/actor.ts";
import type { Bus } from "../live/service.ts";
import type { Database, Tx } from "../platform/db.ts";

/** Runs a change that plans and viewers must hear of: other nodes by its own transaction, this one right after. */
export async function changing<T>(
  db: Database,
  bus: Bus,
  actor: Administrator,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const done = await db.prisma.$transaction(async (tx) => {
    const result = await work(tx);
    await tx.$executeRaw`SELECT pg_notify(${bus.channel}, ${bus.message(actor.workspaceId, ["policies", "agents"])})`;
    return result;
  });
  bus.announce(actor.workspaceId, ["policies", "agents"]);
  return done;
}
