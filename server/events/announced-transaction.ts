/** A change and its notification of viewers and other processes, as one step. */
import type { Database, Tx } from "../platform/db.ts";
import type { Topic } from "./schema.ts";

/** The part of the bus that a change needs. */
interface Announcer {
  readonly channel: string;
  message(workspaceId: string, topics: readonly Topic[]): string;
  announce(workspaceId: string, topics: readonly Topic[]): void;
}

/** Commits the work, and announces the topics: to other processes with its commit, to this one right after. */
export async function announcedTransaction<T>(
  { db, bus }: { readonly db: Database; readonly bus: Announcer },
  workspaceId: string,
  topics: readonly Topic[],
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const done = await db.prisma.$transaction(async (tx) => {
    const result = await work(tx);
    await tx.$executeRaw`SELECT pg_notify(${bus.channel}, ${bus.message(workspaceId, topics)})`;
    return result;
  });
  bus.announce(workspaceId, topics);
  return done;
}

/** Announces the topics to every process, this one too, with the commit of the transaction. */
export async function announceWithCommit(tx: Tx, workspaceId: string, topics: readonly Topic[]): Promise<void> {
  const message = JSON.stringify({ node: "", workspace: workspaceId, topics });
  await tx.$executeRaw`SELECT pg_notify('quarterdeck', ${message})`;
}
