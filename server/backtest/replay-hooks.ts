/** The executors of a backtest: hooks whose answer depends only on the call run, all others are left out. */
import {
  builtinKind,
  compilePlan,
  createExecutor,
  type HandlerKind,
  type HookDefinition,
  type HooksConfig,
  type Profile,
  rulesKind,
  runsOn,
  type SessionMarks,
  serverBuiltins,
  systemClock,
} from "@quarterdeck/hooks";
import { listGuards } from "@quarterdeck/hooks/contract/semantic-diff/guard";
import type { UnknownReason } from "./tally-schema.ts";
import type { Contender } from "./try-call.ts";

/** The hooks of one revision, or of the text that is tried. */
export interface ReplayMember {
  readonly policyId: string;
  readonly policy: string;
  readonly number: number;
  readonly profile: Profile;
  readonly hooks: HooksConfig;
}

/** All policies that reach an agent, together. */
export interface ReplaySet {
  readonly profile: Profile;
  readonly members: readonly ReplayMember[];
}

/** Builtins that read nothing but the input. */
const DETERMINISTIC: ReadonlySet<string> = new Set([
  ...["add_context", "ask_a_person", "max_iterations", "redact_secrets", "safer_shell", "transform_json"],
]);
const COUNTERS: ReadonlySet<string> = new Set(["budget_guard", "repeat_guard"]);
const NETWORK: ReadonlySet<string> = new Set(["http_post", "unload"]);

/** The reason why a hook's answer cannot be known from the call alone; null when it can. */
export function whyUnknown(hook: HookDefinition): UnknownReason | null {
  if (hook.type === "model" || hook.type === "evaluator") return "judge";
  if (runsOn(hook) === "agent") return "agent_side";
  if (hook.type === "command") return "command";
  if (hook.type !== "builtin") return null;
  const name = hook.command ?? "";
  if (COUNTERS.has(name)) return "counter";
  if (NETWORK.has(name)) return "network";
  return DETERMINISTIC.has(name) ? null : "machine";
}

const SILENT = { run: () => Promise.resolve({ kind: "answered", output: null } as const) };
const silentKind = (type: string): HandlerKind => ({ type, build: () => SILENT });
const leavingOut = (kind: HandlerKind): HandlerKind => ({
  type: kind.type,
  build: (hook, path, profile) => (whyUnknown(hook) === null ? kind.build(hook, path, profile) : SILENT),
});

/** Compiled once for a set; each of its guards is named with its policy. */
export function replayContender({ profile, members }: ReplaySet, marks: SessionMarks): Contender {
  const kinds = [
    ...[rulesKind(marks), builtinKind(serverBuiltins())].map(leavingOut),
    ...["command", "model", "evaluator"].map(silentKind),
  ];
  const sources = members.map(({ policyId, policy, number, profile: own, hooks }) => ({
    origin: { policyId, policy, revision: number },
    profile: own,
    hooks,
  }));
  const guards = members.flatMap(({ policyId, profile: own, hooks }) =>
    listGuards(hooks).map((guard) => ({ ...guard, identity: `${policyId} ${own} ${guard.identity}` })),
  );
  const { plan } = compilePlan({ sources, profile, kinds });
  return { profile, guards, executor: createExecutor({ plan, kinds, clock: systemClock, workingDir: "/" }) };
}
