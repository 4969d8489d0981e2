"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { CalendarCheck, Lock, LockOpen } from "lucide-react";
import { parseAsString, useQueryState } from "nuqs";
import { useState } from "react";
import { PermittedButton } from "@/components/access/permitted-button";
import { StatementBody } from "@/components/costs/statement-body";
import { statementCsv } from "@/components/costs/statement-csv";
import { ActDialog } from "@/components/layout/act-dialog";
import { GatewayStatus } from "@/components/layout/gateway-status";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { ErrorState } from "@/components/ui/error-state";
import { plural } from "@/components/ui/format/count";
import { exactTime } from "@/components/ui/format/instant";
import { ExactTime } from "@/components/ui/format/relative-time";
import { Notice } from "@/components/ui/notice";
import { saveFile } from "@/components/ui/save-file";
import { Section } from "@/components/ui/section";
import { Select } from "@/components/ui/select";
import { SkeletonText } from "@/components/ui/skeleton";
import { toast } from "@/components/ui/toast";
import { monthKey, type StatementContent, type StatementView } from "@/server/costs/statements/schema";

const STATES = { running: "not over yet", open: "open", closed: "closed" } as const;

/** A statement for each month: open until it is closed, and then never different. */
export function StatementsView() {
  const trpc = useTRPC();
  const months = useQuery(trpc.statements.months.queryOptions());
  const [word, setWord] = useQueryState("month", parseAsString);
  const asked = monthKey.safeParse({ month: word }).data?.month;
  const listed = months.data?.months ?? [];
  // The default is the month to close next.
  const month = asked ?? listed.findLast(({ state }) => state === "open")?.month ?? listed[0]?.month;
  const statement = useQuery({
    ...trpc.statements.statement.queryOptions({ month: month ?? "2000-01" }),
    enabled: month !== undefined,
  });
  const failed = months.isError ? months : statement.isError ? statement : null;
  return (
    <Section
      title="Statement"
      aside={
        month === undefined ? null : (
          <Select
            size="sm"
            aria-label="Month"
            value={month}
            options={listed.map((one) => ({ value: one.month, label: one.month, aside: STATES[one.state] }))}
            onChange={(next) => void setWord(next)}
          />
        )
      }
      actions={statement.data ? <Actions statement={statement.data} onClosed={(closed) => setWord(closed)} /> : null}
    >
      {failed ? (
        <ErrorState
          title="The statement could not be loaded"
          reason={failureSentence(failed.error)}
          stillWorks={<GatewayStatus />}
          onRetry={() => void failed.refetch()}
        />
      ) : statement.data ? (
        <div className="flex flex-col gap-4">
          <State statement={statement.data} />
          <StatementBody content={statement.data.content} />
        </div>
      ) : (
        <SkeletonText lines={8} />
      )}
    </Section>
  );
}

function State({
  statement: { month, state, content, closedAt, closedBy, sha256, isIntact, notYet, dropped, inexact },
}: {
  statement: StatementView;
}) {
  return (
    <div className="flex flex-col gap-2">
      {state === "closed" && closedAt ? (
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
          <Lock aria-hidden className="size-3.5" />
          <span className="font-medium">Closed</span>
          <span className="text-muted">
            by {closedBy}, <ExactTime at={closedAt} />
          </span>
          <span className="flex min-w-0 items-center gap-1 text-faint">
            sha256 <code className="break-all">{sha256}</code>
            <CopyButton text={sha256 ?? ""} label="Copy the hash" size="sm" className="-my-1" />
          </span>
        </p>
      ) : (
        <p className="flex flex-wrap items-center gap-2 text-sm">
          <LockOpen aria-hidden className="size-3.5" />
          <span className="font-medium">Open</span>
          <span className="text-muted">{notYet ?? `${month} is over. Its figures can change until it is closed.`}</span>
        </p>
      )}
      <MonthExtent content={content} />
      {isIntact === false ? (
        <Notice kind="danger">The stored statement was changed: it does not match its hash.</Notice>
      ) : null}
      {dropped.length > 0 ? (
        <Notice kind="warning">
          Retention deleted the figures of {dropped.join(", ")}. Late amounts for{" "}
          {plural(dropped.length, "that month", "those months")} are not included in adjustments.
        </Notice>
      ) : null}
      {inexact.length > 0 ? (
        <Notice kind="warning">
          {inexact.join(", ")}: single calls around the first or last midnight are no longer stored, so these months use
          midnight UTC. Adjustments include the difference.
        </Notice>
      ) : null}
    </div>
  );
}

/** The start and end of the month, in its time zone. */
function MonthExtent({ content }: { content: StatementContent }) {
  if (content.version === 1) return <p className="text-faint text-sm">Month in UTC</p>;
  const { timeZone, from, to } = content;
  return (
    <p className="text-faint text-sm">
      Month in {timeZone}: from {exactTime(from, timeZone)} until {exactTime(to, timeZone)}
    </p>
  );
}

interface ActionsProps {
  statement: StatementView;
  /** Keeps the closed month selected, although another one is next to close. */
  onClosed: (month: string) => Promise<unknown>;
}

function Actions({ statement, onClosed }: ActionsProps) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [isAsked, setIsAsked] = useState(false);
  const { month, state, notYet } = statement;
  return (
    <>
      <Button
        size="sm"
        onClick={async () =>
          saveFile(
            `statement-${month}.csv`,
            new Blob([await statementCsv(statement)], { type: "text/csv;charset=utf-8" }),
          )
        }
      >
        Export CSV
      </Button>
      {state === "closed" ? null : (
        <PermittedButton
          to="ledger:write"
          size="sm"
          variant="primary"
          disabled={notYet !== null}
          title={notYet ?? undefined}
          onClick={() => setIsAsked(true)}
        >
          <CalendarCheck aria-hidden /> Close {month}
        </PermittedButton>
      )}
      <ActDialog
        mutation={trpc.statements.close.mutationOptions()}
        input={isAsked && { month }}
        onClose={() => setIsAsked(false)}
        title={`Close ${month}?`}
        confirm="Close the month"
        danger={false}
        typed={month}
        onDone={async () => {
          await onClosed(month);
          toast.success(`${month} is closed`);
          await queries.invalidateQueries({ queryKey: trpc.statements.pathKey() });
        }}
      >
        The current totals are stored with your name and a sha256. A closed month cannot be reopened. Later calls and
        corrections appear as adjustments in the next statement.
      </ActDialog>
    </>
  );
}
