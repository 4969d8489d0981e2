"use client";

import { useState } from "react";
import { PermittedButton } from "@/components/access/permitted-button";
import { type Binding, whom } from "@/components/policies/labels";
import { InForceMark } from "@/components/policies/rollout/in-force-mark";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { loadWhenOpened } from "@/components/ui/load-when-opened";
import type { PolicyDetailView } from "@/server/policies/schema";

const ObserveDialog = loadWhenOpened(() =>
  import("@/components/policies/rollout/observe-dialog").then((one) => one.ObserveDialog),
);

/** The revision that governs agents now, independent of the editor's text. */
export function InForce({
  policy,
  binding,
  onChange,
}: {
  policy: PolicyDetailView;
  binding: Binding;
  onChange: () => void;
}) {
  const [isObserving, setObserving] = useState(false);
  const isFirst = policy.latestRevision === 0;
  const by = policy.liveRevision > 0 && policy.observed === null;
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1 text-muted text-sm">
      <span className="flex flex-wrap items-center gap-1.5">
        <InForceMark policy={policy} />
        {by ? (
          <span className="max-lg:hidden">
            by {policy.publishedBy}
            {policy.publishedAt ? (
              <>
                , <RelativeTime at={policy.publishedAt} />
              </>
            ) : null}
          </span>
        ) : null}
      </span>
      <span className="flex min-w-0 items-center gap-1.5">
        <span className="min-w-0 truncate">
          {isFirst && binding.scope === "nobody"
            ? "will bind the whole workspace when published"
            : `${isFirst ? "will bind" : "binds"} ${whom(binding)}`}
        </span>
        <PermittedButton to="policy:publish" variant="link" size="sm" onClick={onChange}>
          Change
        </PermittedButton>
        {policy.liveRevision > 0 && policy.observed === null && binding.scope !== "nobody" ? (
          <PermittedButton to="policy:publish" variant="link" size="sm" onClick={() => setObserving(true)}>
            Switch to monitor mode…
          </PermittedButton>
        ) : null}
        <ObserveDialog open={isObserving} onClose={() => setObserving(false)} policy={policy} binding={binding} />
      </span>
    </div>
  );
}
