/** The messages between the supervisor and its child processes, over node's IPC channel. */
import { z } from "zod";

/** Said by a process of a role. */
export const report = z.discriminatedUnion("role", [
  /** The process listens, and may be sent `begin`. Earlier messages may be lost: node:cluster listens there too. */
  z.object({ role: z.literal("loaded") }),
  /** The process is ready; `says` is its report to the starter. */
  z.object({ role: z.literal("ready"), says: z.unknown() }),
  /** It ends, for this reason. */
  z.object({ role: z.literal("failed"), says: z.string() }),
]);
export type ProcessReport = z.infer<typeof report>;

/**
 * Orders to a process of a role. `begin`: the database is available; `known` holds the results of earlier processes.
 * `drain`: a shutdown has begun, so long waits are neither accepted nor kept. `end`: finish the work under way and
 * exit.
 */
export const order = z.discriminatedUnion("order", [
  z.object({ order: z.literal("begin"), known: z.unknown() }),
  z.object({ order: z.literal("drain") }),
  z.object({ order: z.literal("end") }),
]);
export type Order = z.infer<typeof order>;
