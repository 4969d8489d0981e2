/** The form fields of hooks, by hook type, with their labels. The schema holds their descriptions. */
import { hookDefinition } from "@quarterdeck/hooks/contract/hook";

export const HOOK_ORDER = Object.keys(hookDefinition.shape);
export const ENTRY_ORDER = ["matcher", "preempt_yolo", "hooks"] as const;

export type Control =
  | "line"
  | "model"
  | "script"
  | "seconds"
  | "builtin"
  | "failure"
  | "place"
  | "schema"
  | "flag"
  | "list"
  | "pairs"
  | "rules"
  | "evaluator"
  | "verdicts"
  | "routes";
export interface FieldSpec {
  readonly key: string;
  readonly label: string;
  readonly control: Control;
  readonly types: readonly string[];
  /** Visible at first; the other fields are below "More". */
  readonly isMain: boolean;
  /** Shown only on control events, or only on the others; on every event if absent. */
  readonly on?: "control" | "calls";
}

const ALL = ["command", "builtin", "model", "evaluator", "rules"];
const field = (key: string, label: string, control: Control, types: readonly string[], isMain = false): FieldSpec => ({
  key,
  label,
  control,
  types,
  isMain,
});

export const HOOK_FIELDS: readonly FieldSpec[] = [
  field("name", "Name", "line", ALL, true),
  field("command", "Command", "script", ["command"], true),
  field("command", "Builtin", "builtin", ["builtin"], true),
  field("args", "Arguments", "list", ["builtin"], true),
  field("model", "Model", "model", ["model"], true),
  field("prompt", "Prompt", "script", ["model"], true),
  field("schema", "Reply", "schema", ["model"], true),
  field("evaluator", "Evaluator", "evaluator", ["evaluator"], true),
  { ...field("evaluator_policy", "Verdicts", "verdicts", ["evaluator"], true), on: "calls" },
  { ...field("routing_policy", "Routes", "routes", ["evaluator"], true), on: "control" },
  field("rules", "Rules", "rules", ["rules"], true),
  field("system_prompt", "System message", "script", ["model"]),
  field("timeout", "Time limit, seconds", "seconds", ALL),
  field("on_error", "When it fails", "failure", ALL),
  field("run_on", "Runs on", "place", ["command", "builtin", "rules"]),
  field("working_dir", "Directory", "line", ["command", "builtin"]),
  field("env", "Variables", "pairs", ["command", "builtin"]),
  field("network", "Allow the command to use the network", "flag", ["command"]),
  field("ungrantable", "Exceptions not allowed", "flag", ALL),
  field("strict_output", "Require a JSON answer", "flag", ALL),
];

/** The schema's description of a key. */
export function meaningOf(key: string): string {
  const shape: Readonly<Record<string, { description?: string | undefined }>> = hookDefinition.shape;
  return shape[key]?.description ?? "";
}
