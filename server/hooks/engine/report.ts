/** What a dispatch says about itself: the Result, and one report per hook that ran. */
import type { HookOutput } from "../contract/output.ts";
import type { HookOutcome } from "./outcome.ts";
import type { HookOrigin } from "./plan.ts";
import type { Result } from "./result.ts";

export interface DispatchReport {
  readonly result: Result;
  /** In configuration order. */
  readonly hooks: readonly HookReport[];
  readonly durationMs: number;
}

/** What a hook contributed, in one word; the weightiest when there are several. */
export type Said =
  | "deny"
  | "ask"
  | "allow"
  | "block"
  | "rewrite"
  | "summary"
  | "context"
  | "metadata"
  | "message"
  | "failed"
  | "nothing";

export interface HookReport {
  readonly origin: HookOrigin;
  readonly path: string;
  /** What to call it: its name, else its command, else its type. */
  readonly name: string;
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
  readonly said: Said;
  /** The failure's text when it failed. */
  readonly error?: string;
}
