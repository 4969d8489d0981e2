/** The messages between the supervisor and the processes it keeps running, over node's channel between parent and child. */
import { z } from "zod";

/** Said by a process of a role. */
export const report = z.discriminatedUnion("role", [
  /** It listens, and may be told to begin. What it was sent before may be lost: node:cluster listens there too. */
  z.object({ role: z.literal("loaded") }),
  /** It does its work now; `says` is what whoever started it may need to know. */
  z.object({ role: z.literal("ready"), says: z.unknown() }),
  /** It ends, for this reason. */
  z.object({ role: z.literal("failed"), says: z.string() }),
]);
export type ProcessReport = z.infer<typeof report>;

/**
 * Said to a process of a role. `begin`: the database is there, with what the processes before it have found out. `drain`: a
 * shutdown has begun, so nothing that waits for long is taken or kept. `end`: finish what is under way and go.
 */
export const order = z.discriminatedUnion("order", [
  z.object({ order: z.literal("begin"), known: z.unknown() }),
  z.object({ order: z.literal("drain") }),
  z.object({ order: z.literal("end") }),
]);
export type Order = z.infer<typeof order>;
