"use client";

import { judgeLabel } from "@quarterdeck/hooks/contract/judge-prompt";
import { useQueries, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { JudgeRolloutFields, type RolloutPolicy } from "@/components/policies/judge/judge-rollout-fields";
import type { JudgeRevision } from "@/components/policies/judge/judged-hooks";
import {
  type JudgeRolloutChoice,
  KEEP,
  rolloutOfChoice,
  withRevision,
} from "@/components/policies/judge/read-judge-rollout";
import { counted } from "@/components/policies/labels";
import { useRefresh } from "@/components/policies/rollout/use-rollout";
import { useTRPC, useTRPCClient } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import type { PolicyDetailView, Rollout } from "@/server/policies/schema";

/** The policies that use a judge prompt, and the choice of what publishing it does to them. */
export function useJudgeRollout(promptId: string) {
  const client = useTRPCClient();
  const refresh = useRefresh();
  const [choice, setChoice] = useState(KEEP);
  const policies = useRolloutPolicies(promptId, choice);
  const rollout = rolloutOfChoice(choice);
  const chosen = policies.filter(({ isIncluded }) => isIncluded);
  const reaches = chosen.every(({ agents }) => agents !== undefined && (agents.inside > 0 || rollout === null));
  const isHeld = typeof rollout === "string" || (rollout !== null && (chosen.length === 0 || !reaches));

  /** Publishes each chosen policy with the revision. Resolves with a sentence for each; a refusal stops no other. */
  const put = async (revision: JudgeRevision) => {
    if (rollout === null || typeof rollout === "string") return [];
    const done = await Promise.all(
      chosen.map(async ({ detail: { id, name } }) => {
        const detail = await client.policies.get.query({ policyId: id });
        return publishWith(detail, revision, rollout, client.policies.publish.mutate)
          .then((says) => ({ isDone: true, says }))
          .catch((error: unknown) => ({
            isDone: false,
            says: `${name} keeps its revision: ${failureSentence(error)}`,
          }));
      }),
    );
    await refresh();
    return done;
  };
  return {
    fields:
      policies.length === 0 ? null : <JudgeRolloutFields policies={policies} value={choice} onChange={setChoice} />,
    action: rollout === null ? null : choice.kind === "canary" ? "start the canary" : "update the policies",
    isHeld,
    put,
    reset: () => setChoice(KEEP),
  };
}

/** The policies whose text in force names the prompt, with the agents that the choice reaches. */
function useRolloutPolicies(promptId: string, choice: JudgeRolloutChoice): RolloutPolicy[] {
  const trpc = useTRPC();
  const prompt = useQuery(trpc.prompts.get.queryOptions({ promptId })).data;
  const details = useQueries({
    queries: (prompt?.usedBy ?? []).map(({ policyId }) => trpc.policies.get.queryOptions({ policyId })),
  });
  const users = details.flatMap(({ data }) => data ?? []);
  const read = rolloutOfChoice(choice);
  const share = read === null || typeof read === "string" ? null : read.kind === "canary" ? read.share : 100;
  const agents = useQueries({
    queries: users.map(({ id }) => ({
      ...trpc.policies.canaryAgents.queryOptions({ policyId: id, share: share ?? 0, groupId: null }),
      enabled: share !== null,
    })),
  });
  return users.flatMap((detail, at): RolloutPolicy[] => {
    if (detail.liveRevision === 0) return [];
    const hasDraft = detail.draftVersion > 0;
    const isIncluded = !hasDraft && !choice.skipped.includes(detail.id);
    return [{ detail, hasDraft, isIncluded, agents: share === null ? undefined : agents[at]?.data }];
  });
}

type Publish = (input: {
  policyId: string;
  source: string;
  note: string;
  baseRevision: number;
  draftVersion: number;
  rollout: Rollout;
}) => Promise<{ number: number; name: string; agents: number }>;

/** Publishes the text in force with the revision in it. Refused by the server if the policy changed since. */
async function publishWith(
  detail: PolicyDetailView,
  revision: JudgeRevision,
  rollout: Rollout,
  publish: Publish,
): Promise<string> {
  const edit = withRevision(detail.publishedSource, revision);
  if (!edit.ok) throw new Error(edit.why);
  const { number, name, agents } = await publish({
    policyId: detail.id,
    source: edit.text,
    note: `Judge ${judgeLabel(revision.label)}`,
    baseRevision: detail.latestRevision,
    draftVersion: 0,
    rollout,
  });
  const state = rollout.kind === "canary" ? "is in canary on" : "is in force on";
  return `Revision ${number} of ${name} ${state} ${counted(agents, "agent")}.`;
}
