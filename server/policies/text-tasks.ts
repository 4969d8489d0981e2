/** The tasks on a policy's text that run on a worker thread (read-in-worker.ts). Each takes and returns plain data. */
import type { JudgeKnown } from "@quarterdeck/hooks/contract/judge-prompt";
import type { ToolSeen } from "@quarterdeck/hooks/contract/lint/context";
import { readImport } from "./import.ts";
import type { CheckView, ImportedView, ImportFile } from "./schema.ts";
import { checkPolicy, type ReadPolicy, readPolicy } from "./source.ts";

export interface CheckText {
  readonly source: string;
  /** Tools that the workspace's agents used; none when absent. */
  readonly tools?: readonly ToolSeen[];
  readonly judges?: readonly JudgeKnown[];
}

export const read = (source: string): ReadPolicy => readPolicy(source);

export const check = ({ source, tools, judges }: CheckText): CheckView => checkPolicy(source, tools, judges);

/** Errors: `invalid_input` in words. */
export function preview(input: ImportFile): ImportedView {
  const { source, name, agents, notes } = readImport(input);
  return { source, name, agents: [...agents], notes: [...notes], check: checkPolicy(source) };
}
