import type { Clock, ConcurrencyLimit, Environment, HandlerKind, ModelClient } from "@quarterdeck/hooks";

/** The environment of hook runs on the bench: the same handlers as for agents, with a say in who answers for models. */
export interface PlaygroundWorld {
  readonly kindsAsking: (client: ModelClient) => readonly HandlerKind[];
  readonly clock: Clock;
  /** The part of this server's environment that hooks may see. */
  readonly env: Environment;
  readonly workingDir: string;
  /** Shared with what is in force; no bound when absent. */
  readonly room?: ConcurrencyLimit;
}
