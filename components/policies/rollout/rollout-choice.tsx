"use client";

import { useId } from "react";
import { CanaryFields } from "@/components/policies/rollout/canary-fields";
import { LimitFields } from "@/components/policies/rollout/limit-fields";
import { type CanaryChoice, readCanary } from "@/components/policies/rollout/read-canary";
import { type LimitsChoice, limitsChoice, readLimits } from "@/components/policies/rollout/read-limits";
import { Notice } from "@/components/ui/notice";
import type { PolicyDetailView, Rollout } from "@/server/policies/schema";

export interface Chosen extends CanaryChoice {
  readonly limits: LimitsChoice;
  readonly kind: Rollout["kind"];
}

export const EVERYONE: Chosen = { kind: "everyone", share: "10", groupId: null, limits: limitsChoice() };

/** The rollout that a choice means for the server; a sentence when it cannot be taken. */
export function rolloutOf(chosen: Chosen): Rollout | string {
  if (chosen.kind === "everyone") return { kind: "everyone" };
  const read = readCanary(chosen);
  const limits = readLimits(chosen.limits);
  if (typeof read === "string") return read;
  return typeof limits === "string" ? limits : { kind: "canary", ...read, limits };
}

export interface RolloutChoiceProps {
  policy: Pick<PolicyDetailView, "id" | "liveRevision" | "latestRevision" | "canary" | "observed">;
  value: Chosen;
  onChange: (value: Chosen) => void;
}

/** The agents that get the new revision: everyone at once, or some first. */
export function RolloutChoice({ policy, value, onChange }: RolloutChoiceProps) {
  const name = useId();
  const { liveRevision, canary, observed } = policy;
  const options = [
    { kind: "everyone", label: "All agents at once" },
    { kind: "canary", label: "Some agents first (canary)" },
  ] as const;
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 font-medium text-sm">Rollout</legend>
      <div className="flex flex-wrap gap-x-6 gap-y-1">
        {options.map(({ kind, label }) => (
          <label key={kind} className="flex cursor-pointer items-center gap-2">
            <input
              type="radio"
              name={name}
              className="accent-accent"
              checked={value.kind === kind}
              onChange={() => onChange({ ...value, kind })}
            />
            {label}
          </label>
        ))}
      </div>
      {value.kind === "canary" ? (
        <>
          <CanaryFields policyId={policy.id} value={value} onChange={(next) => onChange({ ...value, ...next })} />
          <LimitFields
            value={value.limits}
            onChange={(limits) => onChange({ ...value, limits })}
            liveRevision={liveRevision}
          />
          <p className="text-muted text-sm">
            {liveRevision === 0
              ? "Agents outside the canary run without this policy. "
              : `Agents outside the canary stay on revision ${liveRevision}. `}
            A canary has no end date. Promote or abandon it on the policy&apos;s page, which compares the denials of
            both sides.
          </p>
        </>
      ) : null}
      {canary ? (
        <Notice kind="warning">
          The canary of revision {canary.revision} ends with this:{" "}
          {value.kind === "everyone" ? "everyone gets the new revision." : "the new revision takes its place."}
        </Notice>
      ) : null}
      {observed ? (
        <Notice kind="info">
          The policy is in monitor mode. Until monitor mode ends, the new revision is only observed.
        </Notice>
      ) : null}
    </fieldset>
  );
}
