"use client";

import { useQuery } from "@tanstack/react-query";
import { type CanaryChoice, canaryAgentsText, readCanary } from "@/components/policies/rollout/read-canary";
import { useCanaryAgents } from "@/components/policies/rollout/use-canary-agents";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { ErrorLine } from "@/components/ui/error-state";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";

const NO_GROUP = "none";

interface CanaryFieldsProps {
  policyId: string;
  value: CanaryChoice;
  onChange: (value: CanaryChoice) => void;
}

/** Whom a canary reaches: a share of the agents, a group, or both; the agents by name. */
export function CanaryFields({ policyId, value, onChange }: CanaryFieldsProps) {
  const trpc = useTRPC();
  const groups = useQuery(trpc.agents.groups.queryOptions());
  const read = readCanary(value);
  const { data: agents, isEmpty } = useCanaryAgents(policyId, value);
  const named = agents && typeof read !== "string" ? canaryAgentsText(read.share, read.groupId, agents) : null;
  return (
    <div className="flex flex-wrap gap-4">
      <Field
        label="Share of the agents, percent"
        help="A larger share keeps the canary's agents and adds others."
        error={typeof read === "string" ? read : isEmpty && named !== null ? named : undefined}
        className="w-64"
      >
        <Input
          inputMode="numeric"
          value={value.share}
          maxLength={3}
          onChange={(event) => onChange({ ...value, share: event.target.value })}
        />
      </Field>
      {groups.data && groups.data.length > 0 ? (
        <Field label="Include all agents of this group" className="w-56">
          <Select<string>
            value={value.groupId ?? NO_GROUP}
            onChange={(next) => onChange({ ...value, groupId: next === NO_GROUP ? null : next })}
            options={[
              { value: NO_GROUP, label: "No group" },
              ...groups.data.map(({ id, name, agentIds }) => ({ value: id, label: name, aside: agentIds.length })),
            ]}
          />
        </Field>
      ) : null}
      <p role="status" aria-label="Agents in the canary" className="min-h-5 basis-full text-sm">
        {isEmpty ? null : named}
      </p>
      {groups.error ? <ErrorLine>The groups could not be loaded. {failureSentence(groups.error)}</ErrorLine> : null}
    </div>
  );
}
