"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { EndExceptionDialog } from "@/components/approvals/exceptions/end-exception-dialog";
import { ExceptionRow } from "@/components/approvals/exceptions/exception-row";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { useLiveQueries } from "@/components/trpc/live-queries";
import { ErrorState } from "@/components/ui/error-state";
import { useNow } from "@/components/ui/format/clock";
import { Section } from "@/components/ui/section";
import type { ExceptionView } from "@/server/exceptions/schema";

/** Calls that nobody is asked about any more; nothing where there never was one. */
export function ExceptionsSection() {
  useLiveQueries(["exceptions"]);
  const trpc = useTRPC();
  const listed = useQuery(trpc.exceptions.list.queryOptions());
  const [ending, setEnding] = useState<ExceptionView | null>(null);
  const nowMs = useNow(5_000);
  if (listed.isError && !listed.data)
    return (
      <ErrorState
        compact
        title="The exceptions could not be loaded"
        reason={failureSentence(listed.error)}
        onRetry={() => void listed.refetch()}
        retrying={listed.isFetching}
      />
    );
  const rows = listed.data ?? [];
  if (rows.length === 0 || nowMs === null) return null;
  const inForce = rows.filter((one) => isInForce(one, nowMs)).length;
  return (
    <Section title="Exceptions" aside={`${inForce} in force`}>
      <ul
        aria-label="Exceptions"
        className="flex flex-col divide-y divide-line overflow-hidden rounded-md border bg-surface"
      >
        {rows.map((one) => (
          <ExceptionRow key={one.id} exception={one} isInForce={isInForce(one, nowMs)} onEnd={() => setEnding(one)} />
        ))}
      </ul>
      <EndExceptionDialog exception={ending} onClose={() => setEnding(null)} />
    </Section>
  );
}

const isInForce = ({ endedAt, expiresAt }: ExceptionView, nowMs: number): boolean =>
  endedAt === null && expiresAt.getTime() > nowMs;
