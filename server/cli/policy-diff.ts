/** Compares a file with the policy in force: its changes in meaning, and line by line. */
import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { BUILTIN_NAMES } from "@quarterdeck/hooks/contract/config";
import { diffHooksBlocks, type Meant } from "@quarterdeck/hooks/contract/semantic-diff/semantic-diff";
import { readPolicyText } from "@quarterdeck/hooks/contract/text/policy-text";
import { z } from "zod";
import { problemLine } from "./lint.ts";
import { readPolicyFile, shownName } from "./policy-file.ts";
import { print, printError } from "./print.ts";
import { Refusal } from "./refusal.ts";
import { ask } from "./server.ts";

const EQUIPMENT = { builtins: BUILTIN_NAMES, models: true, evaluators: true };

/**
 * True if the file differs from the policy in force. Errors: a `Refusal` if the file is not a policy, or `diff` is
 * missing.
 */
export async function diff(name: string, file: string): Promise<boolean> {
  const before = await ask("policies.exportByName", { name }, z.string());
  const after = await readPolicyFile(file);
  if (before === after) return false;
  const live = `${name} (in force)`;
  const changes = diffHooksBlocks(meantBy(before, live), meantBy(after, file));
  if (changes.length === 0) print("Nothing changes in meaning.\n");
  for (const { sentence, mayLoosen } of changes)
    print(`${sentence}${mayLoosen ? " (what was stopped may pass)" : ""}\n`);
  print(`\n${await lineDiff(before, after, [live, shownName(file)])}`);
  return true;
}

function meantBy(source: string, file: string): Meant {
  const { hooks, profile, problems } = readPolicyText(source, EQUIPMENT);
  if (hooks) return { hooks, profile };
  for (const problem of problems) printError(problemLine(file, problem));
  throw new Refusal("The policy cannot be read, so it cannot be compared.");
}

/** POSIX `diff -u`: `before` on its stdin, `after` in a temporary file. */
async function lineDiff(before: string, after: string, labels: readonly [string, string]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "quarterdeck-diff-"));
  try {
    const file = join(folder, "after.yaml");
    await writeFile(file, after, { mode: 0o600 });
    const child = spawn("diff", ["-u", "-L", labels[0], "-L", labels[1], "-", file], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    const ended = new Promise<number | null>((resolve, reject) => child.on("error", reject).on("close", resolve));
    child.stdin.on("error", () => undefined).end(before);
    const [code, text] = await Promise.all([ended, buffer(child.stdout)]).catch(() => {
      throw new Refusal("The program diff is not installed, so the lines cannot be shown.");
    });
    if (code === 0 || code === 1) return text.toString("utf8");
    throw new Refusal("The lines cannot be compared: diff failed.");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
