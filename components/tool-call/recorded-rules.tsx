"use client";

import { useQuery } from "@tanstack/react-query";
import type { ShownCall } from "@/components/tool-call/read-call";
import { useTRPC } from "@/components/trpc/client";
import { loadWhenOpened } from "@/components/ui/load-when-opened";

const ReadRules = loadWhenOpened(() => import("@/components/tool-call/read-rules").then((one) => one.ReadRules));

export interface RecordedRulesProps {
  /** The policy's id is null when no policy has that name now. */
  hook: { readonly policyId: string | null; readonly revision: number; readonly path: string };
  call: ShownCall;
  agent: string;
}

/** The rules of a hook in its revision, on the recorded call. Renders nothing for hooks of other types. */
export function RecordedRules({ hook, call, agent }: RecordedRulesProps) {
  const trpc = useTRPC();
  const { policyId, revision, path } = hook;
  const found = useQuery({
    ...trpc.policies.revision.queryOptions({ policyId: policyId ?? NO_POLICY, number: revision }),
    enabled: policyId !== null && revision > 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (policyId === null)
    return <p className="text-muted text-sm">The policy was deleted, so its rules are not shown.</p>;
  if (found.isError) return <p className="text-muted text-sm">Couldn't load the rules of this revision.</p>;
  return found.data ? <ReadRules call={call} agent={agent} source={found.data.source} path={path} /> : null;
}

const NO_POLICY = "00000000-0000-0000-0000-000000000000";
