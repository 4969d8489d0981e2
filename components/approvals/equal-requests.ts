import type { ApprovalView } from "@/server/approvals/schema";

/** Requests that are answered together: the same call of one agent, asked again. The first ends first. */
export interface EqualRequests {
  readonly first: ApprovalView;
  readonly all: readonly ApprovalView[];
}

/** In the order of the first of each. */
export function equalRequests(open: readonly ApprovalView[]): EqualRequests[] {
  const groups = new Map<string, ApprovalView[]>();
  for (const request of open) {
    const { agentId, sessionId, toolName, input, isWaiting, reason, peopleNeeded, isWhole, answers } = request;
    // A masked input may stand for different ones: each is looked at by itself.
    const same = isWhole ? input : request.id;
    // Of two of them one may have been agreed to already: one sentence would not be true of both.
    const agreed = answers.map(({ personId }) => personId);
    const key = JSON.stringify([agentId, sessionId, toolName, same, isWaiting, reason, peopleNeeded, agreed]);
    groups.set(key, [...(groups.get(key) ?? []), request]);
  }
  return [...groups.values()].flatMap((all) => (all[0] ? [{ first: all[0], all }] : []));
}
