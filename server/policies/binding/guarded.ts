/** The policies whose change another person must accept. */
import type { InForceTx } from "../publishing/in-force.ts";
import { findRequirements } from "../publishing/requirements-repository.ts";
import type { PolicyRow } from "../repository.ts";

/** The changes that can take rules away from agents without another text. A required review covers them too. */
const LOOSENS: ReadonlySet<string> = new Set([
  ...(["assign", "observe", "monitor_rule", "remove", "set_group_members", "set_agent_tags"] as const),
  "set_agent_owner",
]);

/** The policies whose change another person must accept: by four eyes, or because the workspace requires reviewed loosenings. */
export async function listGuarded(
  tx: InForceTx,
  workspaceId: string,
  { kind, weakens }: { readonly kind: string; readonly weakens: readonly PolicyRow[] },
): Promise<readonly PolicyRow[]> {
  const isLoosening = LOOSENS.has(kind) && weakens.some(({ fourEyes, live }) => !fourEyes && live !== null);
  const isReviewed = isLoosening && (await findRequirements(tx, workspaceId)).needsReview;
  return weakens.filter(({ fourEyes, live }) => fourEyes || (isReviewed && live !== null));
}

/** The reason why one person alone does not make the change, and the next step. */
export const guardSentence = (policies: readonly PolicyRow[]): string =>
  policies.some(({ fourEyes }) => fourEyes) ? twoPeopleSentence(policies) : REVIEWED_LOOSENING;

const REVIEWED_LOOSENING =
  "Not changed: the workspace requires a review of changes that let more calls pass. Ask a second person, or use the emergency path with a reason.";

const twoPeopleSentence = (policies: readonly PolicyRow[]): string => {
  const names = policies.map(({ name }) => name).join(", ");
  const ask = policies.length === 1 ? "requires" : "require";
  return `Not changed: ${names} ${ask} four eyes for assignment changes. Ask a second person, or use the emergency path with a reason.`;
};
