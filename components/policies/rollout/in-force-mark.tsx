import { Mark } from "@/components/ui/mark";
import type { PolicyView } from "@/server/policies/schema";

/** The revision that answers agents, and whether it is all of it: observed, idle, and what a canary tries, in words. */
export function InForceMark({
  policy,
}: {
  policy: Pick<PolicyView, "liveRevision" | "latestRevision" | "scope" | "canary" | "observed">;
}) {
  const { liveRevision, scope, canary, observed } = policy;
  return (
    <span className="flex items-center gap-1">
      {liveRevision === 0 ? (
        canary ? null : (
          <Mark tone="unknown" label="nothing in force" />
        )
      ) : scope === "nobody" ? (
        <Mark tone="canceled" label={`revision ${liveRevision}, idle`} />
      ) : observed ? (
        <Mark tone="observe" label={`revision ${liveRevision}, observed only`} />
      ) : (
        <Mark tone="allow" label={`revision ${liveRevision} in force`} />
      )}
      {canary ? <Mark tone="ask" label={`revision ${canary.revision} in canary`} /> : null}
    </span>
  );
}
