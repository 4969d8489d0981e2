/** The hooks of the demo's policies that run before a tool, and their outcome on a scripted call of the past. */
import type { LocalExecutorResult } from "../dispatches/schema.ts";
import type { Fired } from "./fired-event.ts";

interface Gate {
  readonly policy: string;
  readonly path: string;
  readonly name: string;
  readonly type: "rules" | "command";
  /** True for the input texts that this hook has a verdict on. */
  readonly decides: (toolName: string, input: string) => boolean;
}

const path = (index: number) => `hooks.pre_tool_use[0].hooks[${index}]`;
const safeShell = { policy: "Demo - safe shell", type: "rules" } as const;
const WRITERS = new Set(["write_file", "edit_file", "Write", "Edit"]);
const CREDENTIAL = /AKIA[0-9A-Z]{16}|postgres(ql)?:\/\//;

/** In the order in which they run; the first that decides is the one that gave the verdict. */
const GATES: readonly Gate[] = [
  {
    ...{ policy: "Demo - no secrets in arguments", path: path(0), name: "no secrets in arguments", type: "command" },
    decides: (_tool, input) => CREDENTIAL.test(input),
  },
  {
    ...{ policy: "Demo - frozen paths", path: path(0), name: "frozen paths", type: "rules" },
    decides: (tool) => WRITERS.has(tool),
  },
  {
    ...{ ...safeShell, path: path(1), name: "no rewritten history" },
    decides: (_tool, input) => input.includes("git push --force"),
  },
  {
    ...{ ...safeShell, path: path(2), name: "publishing is asked for" },
    decides: (_tool, input) => /git push|npm publish|docker push/.test(input),
  },
  { ...{ ...safeShell, path: path(0), name: "no bulk delete" }, decides: () => true },
];

const HOOK_MS = 2;
/** A report with a revision is of hooks that ran, so figures count its call. */
const HISTORY_REVISION = "demo";
const REASONS = {
  deny: "A demo policy denies this call.",
  ask: "A demo policy asks a person about this call.",
} as const;

/**
 * The verdict of the gates on a past call, as a local executor would report it; undefined for other events. The script
 * says the verdict, and service.test.ts compares it with that of the real policies.
 */
export function gateResult({ event, input, expected }: Fired): LocalExecutorResult | undefined {
  if (event !== "pre_tool_use") return undefined;
  const { verdict } = expected;
  const text = JSON.stringify(input.tool_input ?? {});
  const reason = verdict === "deny" || verdict === "ask" ? REASONS[verdict] : "";
  const decider = reason === "" ? undefined : GATES.find(({ decides }) => decides(String(input.tool_name), text));
  const hooks = GATES.map(({ decides: _, ...gate }, index) => {
    const isDecider = gate.name === decider?.name;
    return {
      ...{ ...gate, revision: 1, startedMs: index * HOOK_MS, durationMs: HOOK_MS },
      outcome: isDecider && gate.type === "command" ? ("refused" as const) : ("completed" as const),
      said: isDecider ? verdict : "",
      ...(gate.type === "command" && { exitCode: isDecider ? 2 : 0 }),
      ...{ stdout: "", stderr: isDecider && gate.type === "command" ? reason : "" },
    };
  });
  return { revision: HISTORY_REVISION, verdict, reason, durationMs: GATES.length * HOOK_MS, hooks };
}
