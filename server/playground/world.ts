import type { Clock, ConcurrencyLimit, Environment, HandlerKind, ModelClient } from "../hooks/index.ts";

/** What runs hooks on the bench: the same handlers as for agents, with a say in who answers for models. */
export interface PlaygroundWorld {
  readonly kindsAsking: (client: ModelClient) => readonly HandlerKind[];
  readonly clock: Clock;
  /** What hooks may see of this server's environment. */
  readonly env: Environment;
  readonly workingDir: string;
  /** Shared with what is in force; no bound when absent. */
  readonly room?: ConcurrencyLimit;
}
