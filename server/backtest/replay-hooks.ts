/** The executors of a backtest: hooks whose answer depends only on the call run, all others are left out. */
import {
  asksForExtensions,
  builtinKind,
  compilePlan,
  createExecutor,
  type ExecutorWorld,
  type Handler,
  type HandlerKind,
  type HandlerReply,
  type HookDefinition,
  type HooksConfig,
  type Profile,
  rulesKind,
  runsOn,
  type SessionMarks,
  serverBuiltins,
  systemClock,
} from "@quarterdeck/hooks";
import { type Guard, listGuards } from "@quarterdeck/hooks/contract/semantic-diff/guard";
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
  // Accepted versions are those of today, on each agent's machine.
  if (hook.type === "rules" && (hook.rules ?? []).some(asksForExtensions)) return "machine";
  if (hook.type !== "builtin") return null;
  const name = hook.command ?? "";
  if (COUNTERS.has(name)) return "counter";
  if (NETWORK.has(name)) return "network";
  return DETERMINISTIC.has(name) ? null : "machine";
}

const answering = (reply: HandlerReply): Handler => ({ run: () => Promise.resolve(reply) });

/** The answer of a hook that is left out: nothing, or a failure where the end of the call depends on it. */
const LEFT_OUT = {
  nothing: answering({ kind: "answered", output: null }),
  failure: answering({ kind: "failed", message: "It does not run in a backtest." }),
} as const;

export type ReplayKinds = Readonly<Record<keyof typeof LEFT_OUT, readonly HandlerKind[]>>;

interface ReplayedHooks {
  /** The reason why a hook is left out; null when it runs. */
  readonly whyUnknown: typeof whyUnknown;
  /** The handlers of commands and judges, as far as some run. */
  readonly kinds: readonly HandlerKind[];
}

/** The handlers of all contenders of a run, so that each call is read once. */
export function replayKinds(marks: SessionMarks, { whyUnknown: why, kinds }: ReplayedHooks): ReplayKinds {
  const run = [rulesKind(marks), builtinKind(serverBuiltins()), ...kinds];
  const left = ["command", "model", "evaluator"].filter((type) => !kinds.some((kind) => kind.type === type));
  const kindsWith = (leftOut: Handler): HandlerKind[] => [
    ...run.map(
      ({ type, build }): HandlerKind => ({
        type,
        build: (hook, path, profile) => (why(hook) === null ? build(hook, path, profile) : leftOut),
      }),
    ),
    ...left.map((type): HandlerKind => ({ type, build: () => leftOut })),
  ];
  return { nothing: kindsWith(LEFT_OUT.nothing), failure: kindsWith(LEFT_OUT.failure) };
}

export interface ReplayGuard extends Guard {
  readonly member: ReplayMember;
}

/** The guards of a set in order; the identity of each has its policy. */
export const guardsIn = ({ members }: ReplaySet): ReplayGuard[] =>
  members.flatMap((member) =>
    listGuards(member.hooks).map((guard) => ({
      ...guard,
      member,
      identity: `${member.policyId} ${member.profile} ${guard.identity}`,
    })),
  );

/** Where hooks run that do more than read the call, and within which limits. */
export type ExecutorPlace = Partial<Pick<ExecutorWorld, "env" | "room" | "tenant">>;

/** Compiled once for a set. */
export function replayContender(set: ReplaySet, kinds: readonly HandlerKind[], place: ExecutorPlace = {}): Contender {
  const { profile, members } = set;
  const sources = members.map(({ policyId, policy, number, profile: own, hooks }) => ({
    origin: { policyId, policy, revision: number },
    profile: own,
    hooks,
  }));
  const { plan } = compilePlan({ sources, profile, kinds });
  return {
    profile,
    guards: guardsIn(set),
    executor: createExecutor({ ...place, plan, kinds, clock: systemClock, workingDir: "/" }),
  };
}
