"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { ErrorLine } from "@/components/ui/error-state";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";

export interface CanaryChoice {
  /** As typed. */
  readonly share: string;
  readonly groupId: string | null;
}

const NO_GROUP = "none";

/** The values of a choice, or why it cannot be taken. */
export function readCanary({ share, groupId }: CanaryChoice): { share: number; groupId: string | null } | string {
  const text = share.trim();
  const percent = text === "" ? 0 : Number(text);
  if (!Number.isInteger(percent) || percent < 0 || percent > 100) return "A share is a whole number from 0 to 100.";
  if (percent === 0 && groupId === null) return "A canary needs a share of the agents, or a group.";
  return { share: percent, groupId };
}

/** Whom a canary reaches: a share of the agents, a group, or both. */
export function CanaryFields({ value, onChange }: { value: CanaryChoice; onChange: (value: CanaryChoice) => void }) {
  const trpc = useTRPC();
  const groups = useQuery(trpc.agents.groups.queryOptions());
  const read = readCanary(value);
  return (
    <div className="flex flex-wrap gap-4">
      <Field
        label="Share of the agents, percent"
        help="Chosen by hash, the same ones each time; a larger share only adds agents."
        error={typeof read === "string" ? read : undefined}
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
        <Field label="And every agent of the group" className="w-56">
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
      {groups.error ? <ErrorLine>The groups could not be loaded. {failureSentence(groups.error)}</ErrorLine> : null}
    </div>
  );
}
