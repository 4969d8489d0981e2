/** Patterns that hide a word of the workspace's policies: a record would no longer say which rule decided. */
import { createMasking } from "@quarterdeck/hooks";
import { type MaskingSetting, NO_MASKING } from "@quarterdeck/hooks/contract/masking-setting";
import { readMasking, storedMaskings } from "../masking/index.ts";
import type { Database } from "../platform/db.ts";
import { hooksInForce } from "../policies/index.ts";
import type { MaskingProblem } from "./schema.ts";

/** A pattern that is in force already is not checked again: a policy may be younger. Each pattern must compile. */
export async function listHiddenWords(
  db: Database,
  workspaceId: string,
  { patterns }: Pick<MaskingSetting, "patterns">,
): Promise<readonly MaskingProblem[]> {
  if (patterns.length === 0) return [];
  const [row, hooks] = await Promise.all([storedMaskings.find(db.pool, workspaceId), hooksInForce(db, workspaceId)]);
  const { setting, problem } = readMasking(row?.setting ?? null);
  // The patterns in force are not known, and saving them again must be possible.
  if (problem !== null) return [];
  const known = new Set(setting.patterns.map(({ pattern }) => pattern));
  const policyByWord = new Map<string, string>();
  for (const { policy, name, matcher } of hooks)
    for (const word of [policy, name, ...(matcher === null ? [] : [matcher])])
      if (!policyByWord.has(word)) policyByWord.set(word, policy);
  return patterns.flatMap((one, index): MaskingProblem[] => {
    if (known.has(one.pattern)) return [];
    const { text } = createMasking({ ...NO_MASKING, patterns: [one] }).ownOnly;
    const word = [...policyByWord.keys()].find((name) => text(name) !== name);
    if (word === undefined) return [];
    const says = `This pattern hides “${word}”, a word of the policy “${policyByWord.get(word)}”. Make it more specific.`;
    return [{ part: "patterns", index, says }];
  });
}
