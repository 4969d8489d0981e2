/** The outcome types of one hook, and the messages for its failures. */
import type { HookOutput } from "../contract/output.ts";
import { goDuration } from "./duration.ts";

export type HookOutcome =
  /** Exit 0 with a JSON object, or without output. */
  | { readonly kind: "completed"; readonly output: HookOutput | null }
  /** Exit 0 with plain text, trimmed; empty if only white space was printed. */
  | { readonly kind: "spoke"; readonly text: string }
  /** Exit 2: the hook refuses. The reason is its stderr, untrimmed. */
  | { readonly kind: "refused"; readonly reason: string }
  /** Profile 2026-07: an exit code other than 0 and 2 has no effect. */
  | { readonly kind: "ignored"; readonly exitCode: number }
  | { readonly kind: "failed"; readonly failure: HookFailure; readonly stderr: string };

export type HookFailure =
  | { readonly code: "timed_out"; readonly command: string; readonly afterMs: number }
  | { readonly code: "cancelled"; readonly command: string }
  | { readonly code: "exit_status"; readonly status: number }
  | { readonly code: "bad_output"; readonly message: string }
  | { readonly code: "unsupported_type"; readonly type: string }
  /** This hook replaces an unreadable part of the stored policy. */
  | { readonly code: "unreadable"; readonly policy: string; readonly message: string }
  | { readonly code: "handler"; readonly message: string }
  | { readonly code: "panicked"; readonly value: string }
  | { readonly code: "unserializable"; readonly message: string }
  /** Not started: too many hooks are running. */
  | { readonly code: "overloaded"; readonly message: string }
  /** Not started: no slot became free in time. */
  | { readonly code: "waited_too_long"; readonly message: string }
  /** Not started: no sandbox is available for an untrusted command. */
  | { readonly code: "no_sandbox"; readonly message: string }
  /** Not started, or ended, because the server is stopping. */
  | { readonly code: "stopping"; readonly message: string }
  /** A content guard failed. The failure's text stays in the executor. */
  | { readonly code: "content_check"; readonly cause: HookFailure["code"] }
  /** Not started: it failed too often. */
  | { readonly code: "circuit_open"; readonly failures: number; readonly lastError: string; readonly retryMs: number };

const SKIPPED: ReadonlySet<HookFailure["code"]> = new Set(["overloaded", "waited_too_long", "circuit_open"]);

/** True if a hook failed without a start, so another dispatch may succeed. */
export function isSkipped(failure: HookFailure): boolean {
  return SKIPPED.has(causeOf(failure));
}

/** The kind of a failure, even if its text is withheld. */
export function causeOf(failure: HookFailure): HookFailure["code"] {
  return failure.code === "content_check" ? failure.cause : failure.code;
}

/** The error text of a failure, without the event and hook names. */
export function failureText(failure: HookFailure): string {
  switch (failure.code) {
    case "timed_out":
      return `hook "${failure.command}" timed out after ${goDuration(failure.afterMs)}: context deadline exceeded`;
    case "cancelled":
      return `hook "${failure.command}" cancelled: context canceled`;
    case "exit_status":
      return `exited with status ${failure.status}`;
    case "unsupported_type":
      return `unsupported hook type: ${failure.type}`;
    case "unreadable":
      return unreadableText(failure);
    case "panicked":
      return `hook callback panicked: ${failure.value}`;
    case "bad_output":
    case "handler":
    case "unserializable":
    case "overloaded":
    case "waited_too_long":
    case "no_sandbox":
    case "stopping":
      return failure.message;
    case "content_check":
      return "content check failed";
    case "circuit_open": {
      const again = failure.retryMs <= 0 ? "soon" : `in ${goDuration(Math.ceil(failure.retryMs / 1_000) * 1_000)}`;
      return `circuit open after ${failure.failures} failures in a row, the last: ${failure.lastError}; tried again ${again}`;
    }
  }
}

/** A text with the policy, the problem, and the fix. */
function unreadableText({ policy, message }: { readonly policy: string; readonly message: string }): string {
  const whose = policy === "" ? "the policy" : `policy "${policy}"`;
  return `${whose} cannot be read at ${message}. This gate denies until a corrected text is published or an earlier revision is in force`;
}
