import type { ApprovalView } from "@/server/approvals/schema";

/** Requests that are answered together: the same call of one agent, asked again. The first ends first. */
export interface EqualRequests {
  readonly first: ApprovalView;
  readonly all: readonly ApprovalView[];
}

/** Groups are in the order of their first request. */
export function equalRequests(open: readonly ApprovalView[]): EqualRequests[] {
  const groups = new Map<string, ApprovalView[]>();
  for (const request of open) {
    const { agentId, sessionId, toolName, input, isWaiting, reason, peopleNeeded, isWhole, answers } = request;
    // A masked input may hide different inputs, so each such request is its own group.
    const same = isWhole ? input : request.id;
    // Requests with different answers are not grouped: one sentence would not be true of both.
    const agreed = answers.map(({ personId }) => personId);
    const key = JSON.stringify([agentId, sessionId, toolName, same, isWaiting, reason, peopleNeeded, agreed]);
    groups.set(key, [...(groups.get(key) ?? []), request]);
  }
  return [...groups.values()].flatMap((all) => (all[0] ? [{ first: all[0], all }] : []));
}
