import { counted } from "@/components/policies/labels";
import type { CheckView } from "@/server/policies/schema";

/** The check of an imported text, in a sentence. */
export function importSummary(check: CheckView): string {
  if (check.problems.length > 0)
    return `${counted(check.problems.length, "problem")} to fix in the editor before publishing.`;
  const hooks = check.events.reduce((sum, one) => sum + one.hooks, 0);
  return `${counted(hooks, "hook")} on ${counted(check.events.length, "event")}. Ready to publish.`;
}
