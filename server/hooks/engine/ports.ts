/**
 * The ports of the engine: time, and handlers that run one kind of hook. A handler implements these and never calls the
 * executor.
 */
import type { EventName, Lane, Profile } from "../contract/events.ts";
import type { HookDefinition } from "../contract/hook.ts";
import type { HookInput } from "../contract/input.ts";
import type { JudgeCall } from "../contract/judge.ts";
import type { HookOutput } from "../contract/output.ts";

/** Variables by name, already limited to those that a hook may see. */
export type Environment = Readonly<Record<string, string>>;

export interface Clock {
  /** Milliseconds on a monotonic clock. */
  now(): number;
  /** Runs `callback` once after `afterMs`. The returned function cancels it. */
  after(afterMs: number, callback: () => void): () => void;
}

/** One way to run a hook, found by the `type` of a hook definition. */
export interface HandlerKind {
  readonly type: string;
  /**
   * The handler of one configured hook, created once per plan. A faulty hook fails when it runs, not here.
   * `profile` is the profile of the hook's own policy, which may be older than the plan's.
   */
  build(hook: HookDefinition, place: HookPath, profile?: Profile): Handler;
}

/** Where a hook comes from, for reports. */
export interface HookOrigin {
  /** Stays the same if the policy is renamed. */
  readonly policyId?: string;
  readonly policy?: string;
  readonly revision?: number;
}

/** The identity of a hook in reports and accounting. */
export interface HookPath {
  readonly origin: HookOrigin;
  /** Its path in its own source: `hooks.pre_tool_use[0].hooks[1]`. */
  readonly path: string;
  /** Its display name: its name, else its command, else its type. */
  readonly name: string;
}

/** Runs one configured hook. Sets no timer of its own: the signal is the deadline. */
export interface Handler {
  /** On events that rewrite: runs after the others, sees their result, and its rewrite overrides theirs. */
  readonly runsLast?: true;
  /** Its rewrite contains only the changed arguments; the others stay. */
  readonly patchesArguments?: true;
  /** True for a guard: its failure blocks whatever can be blocked, whatever its `on_error`. */
  readonly failsClosed?: true;
  run(call: HandlerCall, signal: AbortSignal): Promise<HandlerReply>;
}

/** The agent that dispatches, as its credential proves it. */
export interface Asker {
  /** Its id. */
  readonly agent: string;
  readonly name?: string;
  readonly tags?: readonly string[];
  /** The id of the person or service that a model call is made for; null if it is not known. Absent for other events. */
  readonly principal?: string | null;
  /** Identifies this dispatch, also when it is sent again. Null for a test run, which must not be stored. */
  readonly request: string | null;
}

/** A hook's turn for a shared resource. */
export interface Turn {
  /** Hooks with the same keys share a quota: first by group, then by member of the group. */
  readonly shares: readonly [group: string, member: string];
  /** Reports that the hook waits. The executor limits the wait and then aborts the signal. */
  waits(): void;
  /** Reports the start of the hook: its time limit begins. */
  begins(): void;
}

/** The data of one dispatch that a handler gets. */
export interface HandlerCall {
  readonly event: EventName;
  readonly lane: Lane;
  readonly profile: Profile;
  readonly input: HookInput;
  /** The input as written to stdin. */
  readonly inputJson: string;
  readonly env: Environment;
  readonly workingDir: string;
  /** Absent in the playground, where no agent dispatches. */
  readonly asker?: Asker | undefined;
  /** The time limit after the start of the hook. A process gets it as a backstop. */
  readonly timeoutMs: number;
  /** For a handler with a queue: reports the wait, so it does not count as the hook's time. */
  readonly turn?: Turn | undefined;
  /** Records a question to a model. It is kept with all known values, however the hook ends. */
  note(judge: JudgeCall): void;
}

export type HandlerReply =
  /** A process ended. Its stdout is parsed by the output protocol. Death by a signal is exit code -1. */
  | { readonly kind: "exited"; readonly exitCode: number; readonly stdout: string; readonly stderr: string }
  /** An answer without a process; null without output. */
  | { readonly kind: "answered"; readonly output: HookOutput | null }
  /** It could not run, or its answer could not be read. */
  | { readonly kind: "failed"; readonly message: string; readonly stdout?: string; readonly stderr?: string }
  /** It was not started, for a reason unrelated to the hook; its next run is not affected. */
  | { readonly kind: "not_started"; readonly cause: "no_sandbox" | "busy" | "stopping"; readonly message: string };
