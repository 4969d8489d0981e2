import { z } from "zod";

/** A hook that failed too often and is not started for a while, on the server that answers. */
export const circuitView = z.strictObject({
  /** The same for the same hook of the same revision. */
  id: z.string(),
  /** Null when no policy has this name now. */
  policyId: z.uuid().nullable(),
  policy: z.string(),
  revision: z.number(),
  path: z.string(),
  hook: z.string(),
  failures: z.number(),
  lastError: z.string(),
  openedAt: z.date(),
  /** Not later than now: the next dispatch tries it, or one is trying. */
  retryAt: z.date(),
});
export type CircuitView = z.infer<typeof circuitView>;

export const circuitById = z.strictObject({ id: z.string().max(40) });
export type CircuitById = z.infer<typeof circuitById>;

export const triedView = z.strictObject({ isTried: z.boolean() });

/** The confinement of command hooks on the server that answers. */
export const confinementView = z.strictObject({
  /** "none": they run without, as the operator says; "missing": they are refused. */
  sandbox: z.enum(["bubblewrap", "root_namespaces", "user_namespaces", "none", "missing"]),
  features: z.array(z.string()),
  /**
   * The network of hooks with `network: true`. "host": this machine's, with its loopback; "refused": such hooks do not
   * run.
   */
  network: z.enum(["own", "host", "refused"]),
  limits: z.enum(["prlimit", "ulimit", "none"]),
});
export type ConfinementView = z.infer<typeof confinementView>;
