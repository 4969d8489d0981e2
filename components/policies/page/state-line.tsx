"use client";

import { useState } from "react";
import { PermittedButton } from "@/components/access/permitted-button";
import { type Binding, whom } from "@/components/policies/labels";
import { OverrideNote } from "@/components/policies/review/override-note";
import { InForceMark } from "@/components/policies/rollout/in-force-mark";
import { useFreeze } from "@/components/policies/rollout/use-rollout";
import { useHold } from "@/components/policies/sentences/facts-context";
import { stateSentence } from "@/components/policies/sentences/state-sentence";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { loadWhenOpened } from "@/components/ui/load-when-opened";
import { toneLook } from "@/components/ui/tone";
import type { PolicyDetailView } from "@/server/policies/schema";

const ObserveDialog = loadWhenOpened(() =>
  import("@/components/policies/rollout/observe-dialog").then((one) => one.ObserveDialog),
);

interface StateLineProps {
  policy: PolicyDetailView;
  binding: Binding;
  onAssign: () => void;
}

/** The state of the policy in one sentence, independent of the editor's text, and the acts on it. */
export function StateLine({ policy, binding, onAssign }: StateLineProps) {
  const [isObserving, setObserving] = useState(false);
  const hold = useHold(policy);
  const isFrozen = useFreeze() != null;
  const { tone, text } = stateSentence({ policy, hold, isFrozen });
  const { icon: Icon, text: colour } = toneLook[tone];
  const isEnforced = policy.liveRevision > 0 && policy.observed === null;
  return (
    <section
      aria-label="State"
      className="flex shrink-0 flex-col gap-1 border-line border-b px-4 py-2.5 md:px-6"
      data-tone={tone}
    >
      <p className="flex items-start gap-2 font-medium text-md">
        <Icon aria-hidden className={`mt-0.5 size-4 shrink-0 ${colour}`} strokeWidth={2.5} />
        <span className="min-w-0 [overflow-wrap:anywhere]">{text}</span>
      </p>
      {policy.unheld ? <p className="pl-6 text-deny text-sm [overflow-wrap:anywhere]">{policy.unheld.says}</p> : null}
      {policy.overrides.map((override) => (
        <div key={`${override.number} ${override.at.getTime()}`} className="pl-6">
          <OverrideNote override={override} />
        </div>
      ))}
      <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1 pl-6 text-muted text-sm">
        <InForceMark policy={policy} />
        {isEnforced ? (
          <span>
            by {policy.publishedBy}
            {policy.publishedAt ? (
              <>
                , <RelativeTime at={policy.publishedAt} />
              </>
            ) : null}
          </span>
        ) : null}
        <span className="min-w-0 [overflow-wrap:anywhere]">{assignedWords(policy, binding)}</span>
        <PermittedButton to="policy:publish" variant="link" size="sm" onClick={onAssign}>
          Edit assignments
        </PermittedButton>
        {isEnforced && binding.scope !== "nobody" ? (
          <PermittedButton to="policy:publish" variant="link" size="sm" onClick={() => setObserving(true)}>
            Switch to monitor mode…
          </PermittedButton>
        ) : null}
        <ObserveDialog open={isObserving} onClose={() => setObserving(false)} policy={policy} binding={binding} />
      </div>
    </section>
  );
}

function assignedWords({ latestRevision }: PolicyDetailView, binding: Binding): string | null {
  if (latestRevision === 0)
    return binding.scope === "nobody"
      ? "The first publication assigns the policy to the whole workspace."
      : `Once published, the policy will apply to ${whom(binding)}.`;
  return binding.scope === "nobody" ? null : `Assigned to ${whom(binding)}`;
}
