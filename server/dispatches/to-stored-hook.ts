import { type HookReport, isSkipped } from "@quarterdeck/hooks";
import { truncateText } from "@quarterdeck/hooks/contract/truncate-text";
import { pgText } from "../recording/index.ts";
import type { StoredHook } from "../recording/schema.ts";
import { toStoredJudge } from "./to-stored-judge.ts";

const STREAM_STORED_MAX = 16_384;

/** The stored outcome of one hook run. `mask` hides secrets in its output and in a judge's reply. */
export function toStoredHook(hook: HookReport, mask: (text: string) => string): StoredHook {
  const {
    origin,
    path,
    name,
    type,
    outcome,
    said,
    error,
    startedMs,
    durationMs,
    exitCode,
    tolerated,
    judge,
    exception,
  } = hook;
  const kept = (text: string) => {
    // Masked before it is cut: half a secret is not recognised.
    return pgText(truncateText(mask(text), STREAM_STORED_MAX));
  };
  return {
    policy: origin.policy ?? "",
    revision: origin.revision ?? 0,
    path,
    name,
    type,
    outcome: outcome.kind === "failed" && isSkipped(outcome.failure) ? "skipped" : outcome.kind,
    said,
    ...(error === undefined ? {} : { failure: error }),
    ...(tolerated === undefined ? {} : { tolerated: kept(tolerated) }),
    startedMs,
    durationMs,
    ...(exitCode === undefined ? {} : { exitCode }),
    stdout: kept(hook.stdout),
    stderr: kept(hook.stderr),
    ...(judge === undefined ? {} : { judge: toStoredJudge(judge, mask) }),
    ...(exception === undefined ? {} : { exception: exception.id, lifted: exception.verdict }),
  };
}
