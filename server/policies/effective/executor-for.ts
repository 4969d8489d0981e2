/** Creates an executor of hooks blocks with this server's settings. The only place with these settings. */
import {
  type Breakers,
  type Clock,
  type ConcurrencyLimit,
  compilePlan,
  createExecutor,
  type Executor,
  type HandlerKind,
  type HookDefinition,
  type PlanProblem,
  type PlanSource,
  type Profile,
  runsOn,
} from "@quarterdeck/hooks";

export interface ExecutorEnvironment {
  /** The handlers that run the hooks of a workspace: judges ask through its own connections. */
  readonly kindsOf: (workspaceId: string) => readonly HandlerKind[];
  readonly clock: Clock;
  /** The part of this server's environment that hooks on it may see. */
  readonly env: Readonly<Record<string, string>>;
  readonly workingDir: string;
  /** Shared by the hooks of all workspaces; each has its share. */
  readonly room: ConcurrencyLimit;
  /** The breakers of hooks that failed too often to be started; all hooks are started when absent. */
  readonly breakers?: Breakers;
}

export interface ExecutorRequest {
  readonly sources: readonly PlanSource[];
  readonly profile: Profile;
  readonly workspaceId: string;
  /** True for the included hooks; by default those that run on the server. */
  readonly include?: (hook: HookDefinition) => boolean;
}

export interface MadeExecutor {
  readonly executor: Executor;
  /** Entries that are not part of its plan. Publishing refuses texts that have any. */
  readonly problems: readonly PlanProblem[];
}

export function executorFor(environment: ExecutorEnvironment, asked: ExecutorRequest): MadeExecutor {
  const { kindsOf, ...world } = environment;
  const { sources, profile, workspaceId, include = onServer } = asked;
  const kinds = kindsOf(workspaceId);
  const { plan, problems } = compilePlan({ sources, profile, kinds, include });
  return { executor: createExecutor({ ...world, plan, kinds, tenant: workspaceId }), problems };
}

const onServer = (hook: HookDefinition): boolean => runsOn(hook) === "server";
