/** The report of a dispatch: the Result, and one report for each hook that ran. */
import type { JudgeCall } from "../contract/judge.ts";
import type { HookOutput } from "../contract/output.ts";
import type { Contribution, Said } from "./contribution.ts";
import { failureText, type HookOutcome } from "./outcome.ts";
import type { PlannedHook } from "./plan.ts";
import type { HookPath } from "./ports.ts";
import type { Result } from "./result.ts";
import type { Ran } from "./run.ts";

export interface DispatchReport {
  readonly result: Result;
  /** In configuration order. */
  readonly hooks: readonly HookReport[];
  readonly durationMs: number;
}

export interface HookReport extends HookPath {
  readonly type: string;
  readonly command?: string;
  readonly onError?: string;
  readonly outcome: HookOutcome;
  /** Milliseconds after the dispatch began. */
  readonly startedMs: number;
  readonly durationMs: number;
  readonly exitCode?: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly output: HookOutput | null;
  /** Its contribution in one word; the strongest of several. */
  readonly said: Said;
  /** True if this hook is a reason why the Result is not allowed. */
  readonly blocked: boolean;
  /** The reason why it failed, if it did. */
  readonly error?: string;
  /** A failure that this profile tolerates and a later one does not. */
  readonly tolerated?: string;
  /** Its question to a model, and the answer. */
  readonly judge?: Readonly<JudgeCall>;
  /** The exception that lifted its verdict. */
  readonly exception?: LiftedVerdict;
}

/** The two verdicts that an exception can lift. */
export type LiftableVerdict = "ask" | "deny";

/** An exception that lifts a verdict. */
export interface LiftingException {
  readonly id: string;
  /** The display name: "exception EX-12 of Ada". */
  readonly label: string;
}

/** An exception, and the verdict that it lifted. */
export interface LiftedVerdict extends LiftingException {
  readonly verdict: LiftableVerdict;
}

/** One hook of one dispatch, with its times in milliseconds since the dispatch began. */
export interface Finished {
  readonly hook: PlannedHook;
  readonly ran: Ran;
  readonly outcome: HookOutcome;
  readonly startedMs: number;
  readonly durationMs: number;
  readonly judge?: Readonly<JudgeCall>;
  readonly tolerated?: string;
  /** True if an earlier hook had rewritten its arguments. */
  readonly sawRewritten?: boolean;
  readonly exception?: LiftedVerdict;
}

/** The report of one hook. */
export function hookReport(finished: Finished, contribution: Contribution): HookReport {
  const { hook, ran, outcome, startedMs, durationMs } = finished;
  const { definition } = hook;
  const exited = ran.kind === "replied" && ran.reply.kind === "exited" ? ran.reply : undefined;
  const failedReply = ran.kind === "replied" && ran.reply.kind === "failed" ? ran.reply : undefined;
  return {
    origin: hook.origin,
    path: hook.path,
    name: hook.name,
    type: definition.type ?? "",
    ...(definition.command !== undefined && { command: definition.command }),
    ...(definition.on_error !== undefined && { onError: definition.on_error }),
    outcome,
    startedMs,
    durationMs,
    ...(exited && { exitCode: exited.exitCode }),
    stdout: exited?.stdout ?? failedReply?.stdout ?? "",
    stderr: exited?.stderr ?? failedReply?.stderr ?? (ran.kind === "failed" ? ran.stderr : ""),
    output: outcome.kind === "completed" ? outcome.output : null,
    ...contribution,
    ...(outcome.kind === "failed" && { error: failureText(outcome.failure) }),
    ...(finished.tolerated !== undefined && { tolerated: finished.tolerated }),
    ...(finished.judge && { judge: finished.judge }),
    ...(finished.exception && { exception: finished.exception }),
  };
}
