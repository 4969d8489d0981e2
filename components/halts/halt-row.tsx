"use client";

import { PermittedButton } from "@/components/access/permitted-button";
import { HaltReach } from "@/components/halts/halt-reach";
import { subjectTitle } from "@/components/halts/labels";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { Mark } from "@/components/ui/mark";
import type { HaltView, HaltReach as Reach } from "@/server/halts/schema";

interface HaltRowProps {
  halt: HaltView;
  reach: Reach | undefined;
  onResume: () => void;
}

/** One halt: its state first, then by whom and why, the local executors that have followed it, and how it ended. */
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
      {reach ? (
        <div className="basis-full md:pl-29">
          <HaltReach reach={reach} />
        </div>
      ) : null}
    </li>
  );
}
