"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ShieldCheck } from "lucide-react";
import { useCommandLine } from "@/components/access/command-line";
import { isUnderWay, useVerifications } from "@/components/audit/use-verifications";
import { VerificationOutcome, VerificationProgress } from "@/components/audit/verification-result";
import { TopicLink } from "@/components/layout/help/topic-link";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { Button } from "@/components/ui/button";
import { ErrorLine } from "@/components/ui/error-state";
import { formatCount, plural } from "@/components/ui/format/count";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { Mark } from "@/components/ui/mark";
import { Section } from "@/components/ui/section";
import { toast } from "@/components/ui/toast";
import type { VerificationRun } from "@/server/record/verification/verification-schema";

const VERDICTS = {
  proven: { tone: "allow", label: "proven" },
  found: { tone: "deny", label: "does not hold" },
  unknown: { tone: "unknown", label: "complete as far as is known" },
} as const;
const PARTLY = { tone: "unknown", label: "proven up to the last checkpoint" } as const;
const FAILED = { tone: "error", label: "ended without a result" } as const;

/** Starts a verification of the stored record, follows it, and shows results. */
export function VerifySection() {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const query = useVerifications();
  const start = useMutation(
    trpc.audit.startVerification.mutationOptions({
      onSuccess: () => queries.invalidateQueries(trpc.audit.verifications.queryFilter()),
      onError: (error) => toast.error("The verification could not be started", { description: failureSentence(error) }),
    }),
  );
  const [newest, ...others] = query.data?.runs ?? [];
  const isRunning = newest !== undefined && isUnderWay(newest);
  const hasBase = query.data?.runs.some(({ result }) => result !== null) ?? false;
  const verified = query.data?.verified ?? null;
  return (
    <Section
      title="Verify integrity"
      aside={
        <span className="flex flex-wrap items-center gap-3">
          {newest && !isRunning ? <Mark {...markOf(newest)} /> : null}
          <TopicLink topic="evidence" />
        </span>
      }
      actions={
        <>
          {hasBase && !isRunning ? (
            <Button busy={start.isPending} onClick={() => start.mutate({ fromBeginning: true })}>
              From the beginning
            </Button>
          ) : null}
          <Button
            variant="primary"
            busy={isRunning || start.isPending}
            onClick={() => start.mutate({ fromBeginning: false })}
          >
            <ShieldCheck aria-hidden />
            Verify now
          </Button>
        </>
      }
      framed
    >
      <div aria-live="polite" className="flex flex-col gap-4">
        {verified === null ? null : (
          <p className="font-medium">
            {newest && newest.findings > 0 ? "Last verification without findings: up to" : "Verified up to"} entry{" "}
            {formatCount(verified.to)}, <RelativeTime at={verified.at} />, by {verified.by}
          </p>
        )}
        {newest === undefined ? (
          <Explanation />
        ) : isRunning ? (
          <VerificationProgress run={newest} />
        ) : (
          <VerificationOutcome run={newest} />
        )}
        {query.isError ? <ErrorLine>{failureSentence(query.error)}</ErrorLine> : null}
        {others.length > 0 ? <Earlier runs={others} /> : null}
      </div>
    </Section>
  );
}

/** A proven record with entries behind the last checkpoint is proven up to there. */
function markOf({ result }: VerificationRun) {
  if (result === null) return FAILED;
  const isPartly = result.verdict === "proven" && result.missing.length > 1;
  return isPartly ? PARTLY : VERDICTS[result.verdict];
}

function Explanation() {
  const command = useCommandLine();
  return (
    <p className="text-muted">
      Recomputes every hash and compares every record. You can verify an export anywhere:{" "}
      <code className="break-words">
        {command} audit verify record.jsonl --key key.pem --checkpoint checkpoints.jsonl
      </code>
    </p>
  );
}

/** The results before the newest. */
function Earlier({ runs }: { runs: readonly VerificationRun[] }) {
  return (
    <details className="border-line border-t pt-3">
      <summary className="cursor-pointer text-muted text-sm">{plural(runs.length, "earlier verification")}</summary>
      <ul className="mt-2 flex flex-col gap-3">
        {runs.map((run) => (
          <li key={run.id} className="flex flex-col gap-1 text-sm">
            <span className="flex flex-wrap items-center gap-2">
              <Mark {...markOf(run)} />
              <span className="text-muted">
                entries {formatCount(run.from ?? 0)} to {formatCount(run.to ?? 0)},{" "}
                <RelativeTime at={run.finishedAt ?? run.startedAt} />, by {run.startedBy}
              </span>
            </span>
            {run.findings > 0 || run.result === null ? <VerificationOutcome run={run} /> : null}
          </li>
        ))}
      </ul>
    </details>
  );
}
