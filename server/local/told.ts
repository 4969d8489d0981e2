/** What the console is told of the hooks that ran here: short enough to travel, long enough to explain a verdict. */
import type { LocalDecided } from "../dispatches/schema.ts";
import type { HookReport } from "../hooks/index.ts";

const HOOKS_MAX = 200;
const STREAM_CHARS_MAX = 4_000;
const MS_MAX = 86_400_000;

/** Null when no hook ran. */
export function toldOf(hooks: readonly HookReport[], concluded: Omit<LocalDecided, "hooks">): LocalDecided | undefined {
  if (hooks.length === 0) return undefined;
  return {
    ...concluded,
    reason: cut(concluded.reason, 2_000),
    durationMs: within(concluded.durationMs),
    hooks: hooks.slice(0, HOOKS_MAX).map(toldHook),
  };
}

function toldHook(hook: HookReport): LocalDecided["hooks"][number] {
  const { origin, path, name, type, outcome, said, error, exitCode, stdout, stderr } = hook;
  return {
    policy: origin.policy ?? "",
    revision: origin.revision ?? 0,
    // Without a policy it was given on the command line.
    path: cut(origin.policy === undefined ? path.replace(/^hooks\./, "flags.") : path, 200),
    name: cut(name, 200),
    type: cut(type, 200),
    outcome: outcome.kind,
    said,
    ...(error !== undefined && { failure: cut(error, 2_000) }),
    startedMs: within(hook.startedMs),
    durationMs: within(hook.durationMs),
    ...(exitCode !== undefined && { exitCode }),
    stdout: cut(stdout, STREAM_CHARS_MAX),
    stderr: cut(stderr, STREAM_CHARS_MAX),
  };
}

function cut(text: string, charsMax: number): string {
  return text.length > charsMax ? `${text.slice(0, charsMax - 1)}…` : text;
}

function within(ms: number): number {
  return Math.min(Math.max(ms, 0), MS_MAX);
}
