"use client";

import { useId } from "react";
import { type JudgeRolloutChoice, rolloutOfChoice } from "@/components/policies/judge/read-judge-rollout";
import { counted } from "@/components/policies/labels";
import { canaryAgentsText } from "@/components/policies/rollout/read-canary";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Link } from "@/components/ui/link";
import type { CanaryAgents } from "@/server/policies/rollout/canary-schema";
import type { PolicyDetailView } from "@/server/policies/schema";

/** A policy in force whose text names the prompt. */
export interface RolloutPolicy {
  readonly detail: PolicyDetailView;
  /** Publishing would discard the draft, so the policy is updated on its own page. */
  readonly hasDraft: boolean;
  readonly isIncluded: boolean;
  /** Undefined while the policies keep their revision, and while loading. */
  readonly agents: CanaryAgents | undefined;
}

interface JudgeRolloutFieldsProps {
  policies: readonly RolloutPolicy[];
  value: JudgeRolloutChoice;
  onChange: (value: JudgeRolloutChoice) => void;
}

const OPTIONS = [
  { kind: "keep", label: "Keep the policies' current revisions" },
  { kind: "canary", label: "Some agents first (canary)" },
  { kind: "everyone", label: "All agents at once" },
] as const;

/** The effect of publishing on the policies that use the prompt, with the number of agents. */
export function JudgeRolloutFields({ policies, value, onChange }: JudgeRolloutFieldsProps) {
  const name = useId();
  const rollout = rolloutOfChoice(value);
  const needed = shareNeeded(policies);
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 font-medium text-sm">
        {counted(policies.length, "policy", "policies")} with this judge
      </legend>
      <div className="flex flex-wrap gap-x-6 gap-y-1">
        {OPTIONS.map(({ kind, label }) => (
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
        <div className="flex flex-wrap items-end gap-2">
          <Field
            label="Share of the agents, percent"
            error={typeof rollout === "string" ? rollout : tooSmallText(value.share, needed)}
            className="w-56"
          >
            <Input
              inputMode="numeric"
              maxLength={3}
              value={value.share}
              onChange={(event) => onChange({ ...value, share: event.target.value })}
            />
          </Field>
          {needed === null ? null : (
            <Button onClick={() => onChange({ ...value, share: String(needed) })}>Use {needed} %</Button>
          )}
        </div>
      ) : null}
      {value.kind === "keep" ? null : (
        <ul aria-label="Effect on the policies" className="flex flex-col gap-2">
          {policies.map((policy) => (
            <PolicyLine key={policy.detail.id} policy={policy} value={value} onChange={onChange} />
          ))}
        </ul>
      )}
    </fieldset>
  );
}

/** The smallest share with an agent of each included policy; null if the chosen one suffices. */
function shareNeeded(policies: readonly RolloutPolicy[]): number | null {
  const empty = policies.filter(({ isIncluded, agents }) => isIncluded && agents?.inside === 0);
  const shares = empty.flatMap(({ agents }) => agents?.smallestShare ?? []);
  return shares.length === 0 ? null : Math.max(...shares);
}

const tooSmallText = (share: string, needed: number | null): string | undefined =>
  needed === null ? undefined : `${share.trim()} % reaches no agent. Use at least ${needed} %.`;

function PolicyLine({
  policy,
  value,
  onChange,
}: { policy: RolloutPolicy } & Omit<JudgeRolloutFieldsProps, "policies">) {
  const { id, name, canary } = policy.detail;
  if (policy.hasDraft)
    return (
      <li className="text-sm">
        <Link className="link" href={`/policies/${id}`}>
          {name}
        </Link>{" "}
        has a draft and keeps its revision. Update it on its page.
      </li>
    );
  const skipped = value.skipped.filter((one) => one !== id);
  return (
    <li>
      <Checkbox
        label={name}
        help={
          policy.isIncluded
            ? `${effectText(policy, value)}${canary ? ` The canary of revision ${canary.revision} ends.` : ""}`
            : "Keeps its revision."
        }
        checked={policy.isIncluded}
        onChange={(isIncluded) => onChange({ ...value, skipped: isIncluded ? skipped : [...skipped, id] })}
      />
    </li>
  );
}

/** "10 % of 12 agents = demo-docs. Agents outside the canary stay on revision 1." */
function effectText({ detail, agents }: RolloutPolicy, value: JudgeRolloutChoice): string {
  const { latestRevision, liveRevision } = detail;
  const rollout = rolloutOfChoice(value);
  if (!agents || rollout === null || typeof rollout === "string") return "";
  if (rollout.kind === "everyone")
    return `Revision ${latestRevision + 1} applies to ${counted(agents.bound, "agent")} at once.`;
  const whom = canaryAgentsText(rollout.share, null, agents);
  if (agents.bound > 0 && agents.inside === 0)
    return `${rollout.share} % of ${counted(agents.bound, "agent")} = 0 agents. Choose a larger share.`;
  if (agents.inside === 0) return whom;
  return `Revision ${latestRevision + 1} for ${whom}. The other agents stay on revision ${liveRevision}. The canary is withdrawn automatically if it exceeds the default limits.`;
}
