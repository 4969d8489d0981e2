/**
 * The ports of the engine: time, and handlers that run one kind of hook. A handler implements these and never calls the
 * executor.
 */
import type { EventName, Lane, Profile } from "../contract/events.ts";
import type { HookDefinition } from "../contract/hook.ts";
import type { HookInput } from "../contract/input.ts";
import type { JudgeCall } from "../contract/judge.ts";
import type { HookOutput } from "../contract/output.ts";

/** Variables by name, already reduced to what a hook may see. */
export type Environment = Readonly<Record<string, string>>;

export interface Clock {
  /** Milliseconds on a clock that only goes forward. */
  now(): number;
  /** Runs `callback` once after `afterMs`; the returned function calls it off. */
  after(afterMs: number, callback: () => void): () => void;
}

/** One way to run a hook, found by the `type` of a hook definition. */
export interface HandlerKind {
  readonly type: string;
  /** The handler of one configured hook, made once per plan. What is wrong with the hook is found when it runs. */
  build(hook: HookDefinition, place: HookPath): Handler;
}

/** Where a hook comes from, for reports. */
export interface HookOrigin {
  /** Stays the same when the policy gets another name. */
  readonly policyId?: string;
  readonly policy?: string;
  readonly revision?: number;
}

/** The hook's identity, for people and for accounts. */
export interface HookPath {
  readonly origin: HookOrigin;
  /** Its place in its own source: `hooks.pre_tool_use[0].hooks[1]`. */
  readonly path: string;
  /** Its display name: its name, else its command, else its type. */
  readonly name: string;
}

/** Runs one configured hook. Sets no timer of its own: the signal is the deadline. */
export interface Handler {
  /** On events that rewrite: runs after the others, sees what they left, and its rewrite stands over theirs. */
  readonly runsLast?: true;
  /** Its rewritten arguments are only those it changed; the others stay as they were. */
  readonly patchesArguments?: true;
  /** It guards something: where it fails, what can be blocked is, whatever its `on_error` says. */
  readonly failsClosed?: true;
  run(call: HandlerCall, signal: AbortSignal): Promise<HandlerReply>;
}

/** The agent that dispatches, as its credential proves it. */
export interface Asker {
  /** Its id. */
  readonly agent: string;
  readonly name?: string;
  readonly tags?: readonly string[];
  /** Names this dispatch, the same when it is sent once more; null when it is only tried, and nothing may be kept of it. */
  readonly request: string | null;
}

/** The turn of one hook where handlers share something scarce. */
export interface Turn {
  /** Those with the same keys wait for each other first: the wider group, then the narrower one in it. */
  readonly shares: readonly [group: string, member: string];
  /** The hook has to wait. How long it may is the executor's to say: then the signal ends it. */
  waits(): void;
  /** The hook is started: its time begins now. */
  begins(): void;
}

/** The data of one dispatch that a handler gets. */
export interface HandlerCall {
  readonly event: EventName;
  readonly lane: Lane;
  readonly profile: Profile;
  readonly input: HookInput;
  /** The input as it goes on stdin. */
  readonly inputJson: string;
  readonly env: Environment;
  readonly workingDir: string;
  /** Absent where nobody dispatches: a text on trial. */
  readonly asker?: Asker | undefined;
  /** The time the executor will wait once the hook has begun; passed on so that a process can be given a backstop. */
  readonly timeoutMs: number;
  /** For a handler that others make wait: says so, so that the wait is not counted as the hook's time. */
  readonly turn?: Turn | undefined;
  /** Puts a question to a model on record. It stays there however the hook ends, with what was known by then. */
  note(judge: JudgeCall): void;
}

export type HandlerReply =
  /** A process ended; its stdout is read by the output protocol. A death by signal is exit code -1. */
  | { readonly kind: "exited"; readonly exitCode: number; readonly stdout: string; readonly stderr: string }
  /** An answer without a process. Null says nothing. */
  | { readonly kind: "answered"; readonly output: HookOutput | null }
  /** It could not be run, or its answer could not be had. */
  | { readonly kind: "failed"; readonly message: string; readonly stdout?: string; readonly stderr?: string }
  /** It was not started, for a reason that is not the hook's: nothing follows for its next run. */
  | { readonly kind: "not_started"; readonly cause: "no_sandbox" | "busy" | "stopping"; readonly message: string };
