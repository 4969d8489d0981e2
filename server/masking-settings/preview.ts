/** The effect of a setting before it is saved. */
import { createMasking, type MaskHits } from "@quarterdeck/hooks";
import { hookInput } from "@quarterdeck/hooks/contract/input";
import type { Database } from "../platform/db.ts";
import { listHiddenWords } from "./policy-words.ts";
import { listProblems } from "./problems.ts";
import { listRecentInputs } from "./repository.ts";
import type { MaskingPreview, PreviewMasking } from "./schema.ts";

/** The time for trying recorded inputs. */
const TRIED_MS_MAX = 200;

/** Nothing of it is stored, and no recorded text is shown. */
export async function previewMasking(
  db: Database,
  workspaceId: string,
  { setting, sample }: PreviewMasking,
): Promise<MaskingPreview> {
  const unusable = listProblems(setting);
  const problems = [...(unusable.length > 0 ? unusable : await listHiddenWords(db, workspaceId, setting))];
  if (problems.length > 0) return { masked: null, hits: [], problems, recorded: { tried: 0, changed: 0 } };
  const masking = createMasking(setting);
  const hits: MaskHits = new Map();
  const masked = masking.text(sample, undefined, hits);
  const recorded = { tried: 0, changed: 0 };
  const startedMs = performance.now();
  for (const text of await listRecentInputs(db.pool, workspaceId)) {
    if (performance.now() - startedMs > TRIED_MS_MAX) break;
    const input = readInput(text);
    if (input === null) continue;
    recorded.tried += 1;
    if (masking.json(text, "input", input) !== text) recorded.changed += 1;
  }
  return { masked, hits: [...hits].map(([rule, count]) => ({ rule, hits: count })), problems, recorded };
}

function readInput(text: string) {
  try {
    return hookInput.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
