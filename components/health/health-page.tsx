"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { RefreshCw } from "lucide-react";
import { PageBody } from "@/components/layout/page-body";
import { PageHeader } from "@/components/layout/page-header";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { Button } from "@/components/ui/button";
import { ErrorState } from "@/components/ui/error-state";
import { plural } from "@/components/ui/format/count";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { Link } from "@/components/ui/link";
import { Mark } from "@/components/ui/mark";
import { Notice } from "@/components/ui/notice";
import { Section } from "@/components/ui/section";
import { Loading, Skeleton } from "@/components/ui/skeleton";
import { Spinner } from "@/components/ui/spinner";
import type { Tone } from "@/components/ui/tone";
import type { Finding } from "@/server/doctor/schema";

const LOOKS: Readonly<Record<Finding["state"], { tone: Tone; label: string }>> = {
  failure: { tone: "deny", label: "Failure" },
  warning: { tone: "ask", label: "Warning" },
  unknown: { tone: "unknown", label: "Unknown" },
  ok: { tone: "allow", label: "OK" },
};

/** The findings about the chain and its derived data. */
const PROVED_BY_THE_CHAIN: ReadonlySet<string> = new Set(["checkpoints", "projections"]);

/** The health of the installation: the doctor's findings, the worst first, each with its remedy. */
export function HealthPage() {
  const trpc = useTRPC();
  const queries = useQueryClient();
  // Each examination measures the disk, the clocks and the mail server, so it runs once per visit.
  const examination = useQuery({ ...trpc.doctor.examine.queryOptions(), staleTime: Number.POSITIVE_INFINITY });
  const rerun = async () => {
    await examination.refetch();
    await queries.invalidateQueries({ queryKey: trpc.attention.counts.queryKey() });
  };
  return (
    <>
      <PageHeader
        primary={
          <Button variant="primary" onClick={() => void rerun()} disabled={examination.isFetching}>
            {examination.isFetching ? <Spinner /> : <RefreshCw aria-hidden />} Re-run checks
          </Button>
        }
      />
      <PageBody className="max-w-260">
        {examination.data !== undefined ? (
          <Findings at={examination.data.at} findings={examination.data.findings} />
        ) : examination.error ? (
          <ErrorState
            title="The health checks could not be run"
            reason={failureSentence(examination.error)}
            onRetry={() => void examination.refetch()}
            retrying={examination.isFetching}
          />
        ) : (
          <Loading label="the checks" className="flex flex-col gap-3">
            <Skeleton className="h-10" />
            <Skeleton className="h-10" />
            <Skeleton className="h-10" />
          </Loading>
        )}
      </PageBody>
    </>
  );
}

function Findings({ at, findings }: { at: Date; findings: readonly Finding[] }) {
  const problems = findings.filter(({ state }) => state !== "ok");
  const passed = findings.filter(({ state }) => state === "ok");
  return (
    <>
      <p className="text-muted">
        {summary(findings)} Checked <RelativeTime at={at} />; <code>quarterdeck doctor --json</code> gives your
        monitoring the same report.
      </p>
      {problems.length > 0 ? (
        <Section title="Needs attention" aside={plural(problems.length, "finding")}>
          <List label="Needs attention" findings={problems} />
        </Section>
      ) : (
        <Notice>No problems found.</Notice>
      )}
      <details open={problems.length === 0} className="group">
        <summary className="w-fit cursor-pointer rounded-sm text-md">
          Passed <span className="ml-2 text-faint text-sm">{plural(passed.length, "check")}</span>
        </summary>
        <div className="mt-2">
          <List label="Passed" findings={passed} />
        </div>
      </details>
    </>
  );
}

function List({ label, findings }: { label: string; findings: readonly Finding[] }) {
  return (
    <ul aria-label={label} className="divide-y divide-line rounded-md border bg-surface">
      {findings.map((finding) => (
        <Row key={finding.id} finding={finding} />
      ))}
    </ul>
  );
}

function Row({ finding: { id, state, says, todo } }: { finding: Finding }) {
  const { tone, label } = LOOKS[state];
  return (
    <li className="grid gap-x-4 gap-y-1 px-4 py-2.5 sm:grid-cols-[5.5rem_1fr]">
      <Mark tone={tone} label={label} look="plain" className="self-start" />
      <div className="min-w-0 break-words">
        <p>{says}</p>
        {todo === null ? null : <p className="text-muted text-sm">{todo}</p>}
        {PROVED_BY_THE_CHAIN.has(id) ? (
          <Link href="/audit/proof" className="text-sm underline">
            See the audit chain on the Audit page
          </Link>
        ) : null}
      </div>
    </li>
  );
}

function summary(findings: readonly Finding[]): string {
  const count = (state: Finding["state"]) => findings.filter((one) => one.state === state).length;
  const parts = [
    count("failure") > 0 && plural(count("failure"), "failure"),
    count("warning") > 0 && plural(count("warning"), "warning"),
    count("unknown") > 0 && `${count("unknown")} unknown`,
  ].filter(Boolean);
  return parts.length === 0 ? "All checks passed." : `${parts.join(", ")}.`;
}
