/** The report to the console of the hooks that ran here: short enough to travel, long enough to explain a verdict. */

import type { HookReport } from "@quarterdeck/hooks";
import { truncateText } from "@quarterdeck/hooks/contract/truncate-text";
import type { LocalExecutorResult } from "../dispatches/schema.ts";

const HOOKS_MAX = 200;
/** Characters of each text a hook left, the first that fits. */
const STREAM_CHARS = [4_000, 1_000, 200, 0] as const;
/** The limit of the whole result, well below the limit of a request body without its input. */
const BYTES_MAX = 384 * 1024;
const HOOKS_OF_LONG_NAMES_MAX = 20;
const MS_MAX = 86_400_000;

/** Null when no hook ran. */
export function createReport(
  hooks: readonly HookReport[],
  concluded: Omit<LocalExecutorResult, "hooks">,
): LocalExecutorResult | undefined {
  if (hooks.length === 0) return undefined;
  const { reason, durationMs } = concluded;
  const head = { ...concluded, reason: truncateText(reason, 2_000), durationMs: within(durationMs) };
  for (const charsMax of STREAM_CHARS) {
    const local = { ...head, hooks: hooks.slice(0, HOOKS_MAX).map((hook) => toldHook(hook, charsMax)) };
    if (Buffer.byteLength(JSON.stringify(local)) <= BYTES_MAX) return local;
  }
  return { ...head, hooks: hooks.slice(0, HOOKS_OF_LONG_NAMES_MAX).map((hook) => toldHook(hook, 0)) };
}

function toldHook(hook: HookReport, charsMax: number): LocalExecutorResult["hooks"][number] {
  const { origin, path, name, type, outcome, said, error, exitCode, stdout, stderr } = hook;
  return {
    policy: origin.policy ?? "",
    revision: origin.revision ?? 0,
    // A hook without a policy is from the command line.
    path: truncateText(origin.policy === undefined ? path.replace(/^hooks\./, "flags.") : path, 200),
    name: truncateText(name, 200),
    type: truncateText(type, 200),
    outcome: outcome.kind,
    said,
    ...(error !== undefined && { failure: truncateText(error, Math.max(200, Math.min(2_000, charsMax))) }),
    startedMs: within(hook.startedMs),
    durationMs: within(hook.durationMs),
    ...(exitCode !== undefined && { exitCode }),
    stdout: truncateText(stdout, charsMax),
    stderr: truncateText(stderr, charsMax),
  };
}

function within(ms: number): number {
  return Math.min(Math.max(ms, 0), MS_MAX);
}
