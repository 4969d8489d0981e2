"use client";

import { useQuery } from "@tanstack/react-query";
import { RefreshCw } from "lucide-react";
import { Loaded } from "@/components/settings/loaded";
import { useTRPC } from "@/components/trpc/client";
import { Button } from "@/components/ui/button";
import { plural } from "@/components/ui/format/count";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { Mark } from "@/components/ui/mark";
import { Spinner } from "@/components/ui/spinner";
import type { Tone } from "@/components/ui/tone";
import type { Finding } from "@/server/doctor/schema";

const LOOKS: Readonly<Record<Finding["state"], { tone: Tone; label: string }>> = {
  failure: { tone: "deny", label: "put right" },
  warning: { tone: "ask", label: "look at" },
  unknown: { tone: "unknown", label: "not known" },
  ok: { tone: "allow", label: "in order" },
};

/** The health of the installation: what the doctor finds, the worst first, each with what to do. */
export function HealthTab() {
  const trpc = useTRPC();
  // Every look measures: the disk, the clocks, the mail server. Nobody watches it, so it is asked once a visit.
  const examination = useQuery({ ...trpc.doctor.examine.queryOptions(), staleTime: Number.POSITIVE_INFINITY });
  return (
    <Loaded query={examination} what="The doctor's findings">
      {({ at, findings }) => (
        <div className="flex flex-col gap-4">
          <header className="flex flex-wrap items-center justify-between gap-2">
            <p className="max-w-140 text-muted">
              {summary(findings)} Looked at <RelativeTime at={at} />. <code>quarterdeck doctor --json</code> says the
              same to your monitoring.
            </p>
            <Button onClick={() => void examination.refetch()} disabled={examination.isFetching}>
              {examination.isFetching ? <Spinner /> : <RefreshCw aria-hidden />} Look again
            </Button>
          </header>
          <ul aria-label="Findings" className="divide-y divide-line rounded-md border bg-surface">
            {findings.map((finding) => (
              <Row key={finding.id} finding={finding} />
            ))}
          </ul>
        </div>
      )}
    </Loaded>
  );
}

function Row({ finding: { state, says, todo } }: { finding: Finding }) {
  const { tone, label } = LOOKS[state];
  return (
    <li className="grid gap-x-4 gap-y-1 px-4 py-2.5 sm:grid-cols-[5.5rem_1fr]">
      <Mark tone={tone} label={label} look="plain" className="self-start" />
      <div className="min-w-0 break-words">
        <p>{says}</p>
        {todo === null ? null : <p className="text-muted text-sm">{todo}</p>}
      </div>
    </li>
  );
}

function summary(findings: readonly Finding[]): string {
  const wrong = findings.filter(({ state }) => state === "failure").length;
  const doubtful = findings.filter(({ state }) => state === "warning" || state === "unknown").length;
  if (wrong + doubtful === 0) return "Everything is in order.";
  const parts = [wrong > 0 && `${plural(wrong, "thing")} to put right`, doubtful > 0 && `${doubtful} to look at`];
  return `${parts.filter(Boolean).join(", ")}.`;
}
