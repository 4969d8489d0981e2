/** The executor's id, by which the console distinguishes an agent's executors. */
import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { EXECUTOR_HEADER } from "../platform/answer-mac.ts";
import type { Settings } from "./settings.ts";

const NAME = "executor";

/** The header for calls that a halt may answer; without an id where none can be kept. */
export function executorHeader({ state }: Settings): Readonly<Record<string, string>> {
  return { [EXECUTOR_HEADER]: `id=${executorId(state.root) ?? ""}` };
}

/**
 * One id for the whole QUARTERDECK_HOOK_DIR, so that it is the same before and after the console confirms the key's
 * agent.
 */
function executorId(root: string): string | undefined {
  const path = join(root, NAME);
  return idIn(path) ?? createId(path);
}

function idIn(path: string): string | undefined {
  try {
    const text = readFileSync(path, "utf8");
    return /^[0-9a-f]{16}$/.test(text) ? text : undefined;
  } catch {
    return undefined;
  }
}

function createId(path: string): string | undefined {
  try {
    writeFileSync(path, randomBytes(8).toString("hex"), { mode: 0o600, flag: "wx" });
  } catch {
    // Another process was faster.
  }
  return idIn(path);
}
