/** The outcome of one hook, as a value with a name; and the words for the ways it can fail. */
import type { HookOutput } from "../contract/output.ts";
import { goDuration } from "./duration.ts";

export type HookOutcome =
  /** Exit 0 with a JSON object, or with nothing. */
  | { readonly kind: "completed"; readonly output: HookOutput | null }
  /** Exit 0 with plain text, trimmed; it may be empty when only white space was printed. */
  | { readonly kind: "spoke"; readonly text: string }
  /** Exit 2: the hook refuses. The reason is its stderr, untrimmed. */
  | { readonly kind: "refused"; readonly reason: string }
  /** Profile 2026-07: an exit code other than 0 and 2 says nothing at all. */
  | { readonly kind: "ignored"; readonly exitCode: number }
  | { readonly kind: "failed"; readonly failure: HookFailure; readonly stderr: string };

export type HookFailure =
  | { readonly code: "timed_out"; readonly command: string; readonly afterMs: number }
  | { readonly code: "cancelled"; readonly command: string }
  | { readonly code: "exit_status"; readonly status: number }
  | { readonly code: "bad_output"; readonly message: string }
  | { readonly code: "unsupported_type"; readonly type: string }
  /** The stored policy has a part that cannot be read, and this hook is in its place. */
  | { readonly code: "unreadable"; readonly policy: string; readonly message: string }
  | { readonly code: "handler"; readonly message: string }
  | { readonly code: "panicked"; readonly value: string }
  | { readonly code: "unserializable"; readonly message: string }
  /** It was not started: too much is under way. */
  | { readonly code: "overloaded"; readonly message: string }
  /** It was not started: others kept the places it waited for. */
  | { readonly code: "waited_too_long"; readonly message: string }
  /** It was not started: nothing here keeps a stranger's command from what it must not see. */
  | { readonly code: "no_sandbox"; readonly message: string }
  /** It was not started, or was ended, because the server stops. */
  | { readonly code: "stopping"; readonly message: string }
  /** A content guard failed; the words of the failure stay in the executor. */
  | { readonly code: "content_check"; readonly cause: HookFailure["code"] }
  /** It was not started: it failed too often. */
  | { readonly code: "circuit_open"; readonly failures: number; readonly lastError: string; readonly retryMs: number };

const SKIPPED: ReadonlySet<HookFailure["code"]> = new Set(["overloaded", "waited_too_long", "circuit_open"]);

/** True if a hook failed without having been started, and another dispatch may fare better. */
export function isSkipped(failure: HookFailure): boolean {
  return SKIPPED.has(causeOf(failure));
}

/** The kind of a failure, also of one whose words are withheld. */
export function causeOf(failure: HookFailure): HookFailure["code"] {
  return failure.code === "content_check" ? failure.cause : failure.code;
}

/** The error text of a failure, without the words that name event and hook. */
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

/** Names the policy, the problem, and the way out. */
function unreadableText({ policy, message }: { readonly policy: string; readonly message: string }): string {
  const whose = policy === "" ? "the policy" : `policy "${policy}"`;
  return `${whose} cannot be read at ${message}. This gate denies until a corrected text is published or an earlier revision is in force`;
}
