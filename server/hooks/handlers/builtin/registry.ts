/** The implemented builtins. contract/builtins.ts lists the locations where each may run. */
import { type BuiltinName, builtinFacts, isServerOnly } from "../../contract/builtins.ts";
import { addContext } from "./add-context.ts";
import { addDate } from "./add-date.ts";
import { addDirectoryListing } from "./add-directory-listing.ts";
import { addEnvironmentInfo } from "./add-environment-info.ts";
import { addGitDiff } from "./add-git-diff.ts";
import { addGitStatus } from "./add-git-status.ts";
import { addPromptFiles } from "./add-prompt-files.ts";
import { addRecentCommits } from "./add-recent-commits.ts";
import { addUserInfo } from "./add-user-info.ts";
import { askAPerson } from "./ask-a-person.ts";
import { type BudgetGuard, budgetGuard } from "./budget-guard.ts";
import { elideRepeatedToolResults } from "./elide-repeated-tool-results.ts";
import { httpPost } from "./http-post.ts";
import type { Builtin } from "./kind.ts";
import { limitLargeToolResults } from "./limit-large-tool-results.ts";
import type { Machine } from "./machine.ts";
import { maxIterations } from "./max-iterations.ts";
import { redactSecrets } from "./redact-secrets.ts";
import { type RepeatGuard, repeatGuard } from "./repeat-guard.ts";
import { saferShell } from "./safer-shell.ts";
import { createSnapshots, type Snapshots } from "./snapshot/snapshots.ts";
import { transformJson } from "./transform-json.ts";
import { unload } from "./unload.ts";

/** The builtins that need only the input, or that inspect the machine themselves. */
const PLAIN: readonly Builtin[] = [
  addContext,
  transformJson,
  addDate,
  addEnvironmentInfo,
  addGitStatus,
  addGitDiff,
  addDirectoryListing,
  addUserInfo,
  addRecentCommits,
  maxIterations,
  redactSecrets,
  saferShell,
  unload,
  httpPost,
  askAPerson,
];

export interface AgentBuiltins {
  readonly builtins: readonly Builtin[];
  /** The operations on the snapshots of the `snapshot` builtin. */
  readonly snapshots: Omit<Snapshots, "builtin">;
}

/** Every builtin that may run on the agent's machine. */
export function agentBuiltins(machine: Machine): AgentBuiltins {
  const { builtin: snapshot, ...snapshots } = createSnapshots(machine);
  const builtins = [
    ...PLAIN,
    addPromptFiles(machine),
    limitLargeToolResults(machine),
    elideRepeatedToolResults(machine),
    snapshot,
  ];
  return { builtins: builtins.filter(({ name }) => builtinFacts(name)?.places.includes("agent")), snapshots };
}

/** The ports that keep counts for the builtins of one workspace. */
export interface Guards {
  readonly budgets: BudgetGuard;
  readonly repeats: RepeatGuard;
}

/** Every builtin that may run on the server. Without guards, as in the playground, budgets and repeats are not checked. */
export function serverBuiltins(guards?: Guards): readonly Builtin[] {
  const here = PLAIN.filter(({ name }) => builtinFacts(name)?.places.includes("server"));
  return [...here, budgetGuard(guards?.budgets), repeatGuard(guards?.repeats)];
}

/** The names a policy may use. */
export const AVAILABLE_BUILTINS: readonly string[] = [
  ...agentBuiltins({ env: {}, tempDir: "", homeDir: "", dataDir: "" }).builtins,
  ...serverBuiltins().filter(({ name }) => isServerOnly(name)),
]
  .map(({ name }) => name)
  .filter((name): name is BuiltinName => builtinFacts(name) !== undefined);
