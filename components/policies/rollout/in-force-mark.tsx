import { plural } from "@/components/ui/format/count";
import { Mark } from "@/components/ui/mark";
import { Tooltip } from "@/components/ui/tooltip";
import type { PolicyView } from "@/server/policies/schema";

/** The revision in force as a badge, with its state in words: observed, idle, or with a canary. */
export function InForceMark({
  policy,
}: {
  policy: Pick<
    PolicyView,
    "liveRevision" | "latestRevision" | "scope" | "bound" | "canary" | "observed" | "monitored" | "unheld"
  >;
}) {
  const { liveRevision, scope, bound, canary, observed, monitored, unheld } = policy;
  return (
    <span className="flex items-center gap-1">
      {liveRevision === 0 ? (
        canary ? null : (
          <Mark tone="unknown" label="not in force" />
        )
      ) : scope === "nobody" ? (
        <Mark tone="canceled" label={`revision ${liveRevision}, idle`} />
      ) : scope === "chosen" && bound === 0 ? (
        <Mark tone="canceled" label={`revision ${liveRevision}, no agents`} />
      ) : observed ? (
        <Mark tone="observe" label={`revision ${liveRevision}, observed only`} />
      ) : unheld ? (
        <UnheldMark label={`revision ${liveRevision} in force`} unheld={unheld} />
      ) : (
        <Mark tone="allow" label={`revision ${liveRevision} in force`} />
      )}
      {canary === null ? null : liveRevision === 0 && unheld ? (
        <UnheldMark label={`revision ${canary.revision} in canary`} unheld={unheld} />
      ) : (
        <Mark tone="ask" label={`revision ${canary.revision} in canary`} />
      )}
      {monitored.length === 0 ? null : <Mark tone="observe" label={`${plural(monitored.length, "rule")} monitored`} />}
    </span>
  );
}

function UnheldMark({ label, unheld }: { label: string; unheld: NonNullable<PolicyView["unheld"]> }) {
  return (
    <Tooltip content={unheld.says}>
      <span>
        <Mark tone="ask" label={`${label}, ${plural(unheld.agents, "agent")} not held`} />
      </span>
    </Tooltip>
  );
}
