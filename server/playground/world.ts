import type {
  Clock,
  ConcurrencyLimit,
  Environment,
  EvaluatorClient,
  HandlerKind,
  ModelClient,
} from "@quarterdeck/hooks";

/** The clients that model hooks and evaluator hooks ask. */
export interface JudgeClients {
  readonly models: ModelClient;
  readonly evaluators: EvaluatorClient;
  /** The workspace whose masking applies to questions; absent where nothing leaves the process. */
  readonly workspaceId?: string;
}

/** The environment of hook runs in the playground: the same handlers as for agents, with a say in who answers for judges. */
export interface PlaygroundWorld {
  readonly kindsAsking: (clients: JudgeClients) => readonly HandlerKind[];
  readonly clock: Clock;
  /** The part of this server's environment that hooks may see. */
  readonly env: Environment;
  readonly workingDir: string;
  /** The capacity shared with the policies in force; unlimited if absent. */
  readonly room?: ConcurrencyLimit;
}
