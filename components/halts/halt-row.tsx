"use client";

import { PermittedButton } from "@/components/access/permitted-button";
import { AgentReachLine } from "@/components/halts/agent-reach-line";
import { subjectTitle } from "@/components/halts/labels";
import { plural } from "@/components/ui/format/count";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { Link } from "@/components/ui/link";
import { Mark } from "@/components/ui/mark";
import type { AgentReach, HaltView } from "@/server/halts/schema";

interface HaltRowProps {
  halt: HaltView;
  reach: readonly AgentReach[];
  onResume: () => void;
}

/** One halt: its state first, then by whom and why, how far it has come at local executors, and how it ended. */
export function HaltRow({ halt, reach, onResume }: HaltRowProps) {
  const { isQuarantine, haltedAt, haltedBy, reason, resumedAt, resumedBy, resumeReason } = halt;
  const word = isQuarantine ? "Quarantine" : "Halted";
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2">
      <span className="w-26 shrink-0">
        {resumedAt === null ? <Mark tone="deny" label={word} /> : <Mark tone="canceled" label="Resumed" />}
      </span>
      <div className="min-w-0 flex-1 basis-60">
        <p className="break-words font-medium">{subjectTitle(halt)}</p>
        <p className="break-words text-muted text-sm">
          {haltedBy}, <RelativeTime at={haltedAt} />: {reason}
        </p>
        {resumedAt === null ? null : (
          <p className="break-words text-muted text-sm">
            Resumed by {resumedBy}, <RelativeTime at={resumedAt} />: {resumeReason}
          </p>
        )}
      </div>
      {resumedAt === null ? (
        <PermittedButton to="halt:resume" size="sm" onClick={onResume}>
          Resume…
        </PermittedButton>
      ) : null}
      {reach.length > 0 ? <Reach reach={reach} /> : null}
    </li>
  );
}

function Reach({ reach }: { reach: readonly AgentReach[] }) {
  const more = (reach[0]?.agents ?? 0) - reach.length;
  return (
    <ul aria-label="Agents with a local executor" className="flex basis-full flex-col gap-1 text-sm md:pl-29">
      {reach.map((one) => (
        <li key={one.id} className="break-words">
          <Link className="link" href={`/agents/${one.id}`}>
            {one.name}
          </Link>{" "}
          <AgentReachLine reach={one} />
        </li>
      ))}
      {more > 0 ? <li className="text-muted">and {plural(more, "agent")} more, in no worse state</li> : null}
    </ul>
  );
}
