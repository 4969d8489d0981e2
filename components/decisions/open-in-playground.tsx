"use client";

import { useQuery } from "@tanstack/react-query";
import { FlaskConical } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTRPC } from "@/components/trpc/client";
import { Button } from "@/components/ui/button";
import { Menu, type MenuItem } from "@/components/ui/menu";
import type { DecisionDetail } from "@/server/decisions/schema";
import { eventKeyText } from "@/server/recording/event-key-schema";

/** Opens the decision's input in the playground of a policy: one that ran for it, or that binds its agent now. */
export function OpenInPlayground({ detail }: { detail: DecisionDetail }) {
  const trpc = useTRPC();
  const router = useRouter();
  const { occurredAt, id } = detail;
  const recorded = useQuery(trpc.playground.recordedInput.queryOptions({ occurredAt, id }));
  const named = new Map<string, string>();
  for (const { policyId, policy } of detail.hooks) if (policyId !== null) named.set(policyId, policy);
  for (const { policyId, name } of recorded.data?.governedBy ?? []) named.set(policyId, name);
  const open = (policyId: string, beside: boolean) => {
    const where = new URLSearchParams({ try: "true", dispatch: eventKeyText(detail) });
    if (beside) where.set("beside", detail.agentId);
    router.push(`/policies/${policyId}?${where}`);
  };
  const policies = [...named];
  const items: MenuItem[] =
    policies.length === 0
      ? [{ label: "No policy applies to this agent: open Policies", onSelect: () => router.push("/policies") }]
      : [
          { kind: "label", label: "Run with one policy" },
          ...policies.map(([policyId, name]): MenuItem => ({ label: name, onSelect: () => open(policyId, false) })),
          { kind: "separator" },
          { kind: "label", label: `Run with all policies of ${detail.agentName}` },
          ...policies.map(([policyId, name]): MenuItem => ({ label: name, onSelect: () => open(policyId, true) })),
        ];
  return (
    <Menu
      trigger={
        <Button className="self-start">
          <FlaskConical aria-hidden />
          Replay in playground
        </Button>
      }
      align="start"
      items={items}
    />
  );
}
