"use client";

import { useMemo } from "react";
import { prepareTime } from "@/components/charts/prepare/time-model";
import { TimeSeries } from "@/components/charts/time-series";
import { CAUSE_WORDS, limitsText, shareText, stateOf } from "@/components/judges/known-calls/labels";
import { ShareFigure } from "@/components/judges/prompts/figure-cells";
import { Missing } from "@/components/ui/format/missing";
import { Money } from "@/components/ui/format/money";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { Mark } from "@/components/ui/mark";
import { Notice } from "@/components/ui/notice";
import { DataTable } from "@/components/ui/table/data-table";
import type { Column } from "@/components/ui/table/types";
import type { KnownRunView } from "@/server/prompts/known-calls/schema";

const DAY_MS = 86_400_000;
const DAYS_MIN = 14;

/** The shares of a judge's runs over time, and the runs. */
export function RunsSection({ runs }: { runs: readonly KnownRunView[] }) {
  const model = useMemo(() => modelOf(runs), [runs]);
  const [newest] = runs;
  return (
    <>
      {newest?.state === "not_run" || (newest?.state === "running" && newest.says !== "") ? (
        <Notice kind="warning">
          {newest.state === "not_run"
            ? "The newest run of the known calls did not start. "
            : "The newest run of the known calls has not started yet. "}
          {newest.says}
          {newest.nextAt ? (
            <>
              {" "}
              Next attempt <RelativeTime at={newest.nextAt} />.
            </>
          ) : null}
        </Notice>
      ) : null}
      <TimeSeries
        title="Known calls"
        model={model}
        kind="lines"
        height={150}
        emptyText={
          runs.some(({ state }) => state === "finished") ? "All shares are 0 % in every run" : "No run has finished yet"
        }
      />
      <DataTable
        id="known-call-runs"
        label="runs"
        columns={columns}
        rows={runs}
        getRowId={(row) => row.id}
        status="success"
        error={null}
        onRetry={() => undefined}
        rowHeight={40}
        empty={null}
      />
    </>
  );
}

/** The newest finished run of each day. */
function modelOf(runs: readonly KnownRunView[]) {
  const byDay = new Map<number, KnownRunView>();
  for (const run of runs) {
    const day = Math.floor(run.startedAt.getTime() / DAY_MS);
    if (run.state === "finished" && !byDay.has(day)) byDay.set(day, run);
  }
  const percentOf = (share: KnownRunView["recall"]) => (share === null ? null : (100 * share.hits) / share.of);
  const days = [...byDay.keys()];
  const today = Math.floor(Date.now() / DAY_MS);
  const first = Math.min(today - DAYS_MIN, ...days);
  return prepareTime({
    rows: [...byDay].flatMap(([day, run]) => [
      { at: day * DAY_MS, series: "recall", value: percentOf(run.recall) },
      { at: day * DAY_MS, series: "false_alarms", value: percentOf(run.falseAlarms) },
      { at: day * DAY_MS, series: "flips", value: percentOf(run.flips) },
    ]),
    from: new Date(first * DAY_MS),
    to: new Date((today + 1) * DAY_MS),
    stepMs: DAY_MS,
    unit: "percent",
    absent: "gap",
    order: ["recall", "false_alarms", "flips"],
    labels: { recall: "Recall", false_alarms: "False alarms", flips: "Flip rate" },
  });
}

const share = (
  id: string,
  header: string,
  hint: string,
  of: (run: KnownRunView) => KnownRunView["recall"],
): Column<KnownRunView> => ({
  id,
  header,
  hint,
  width: 130,
  value: (row) => shareText(of(row)),
  cell: (row) => (
    <ShareFigure
      share={of(row)}
      missing={row.state === "finished" ? "The run had no calls for this share." : row.says || "Not finished."}
    />
  ),
});

const columns: readonly Column<KnownRunView>[] = [
  {
    id: "started",
    header: "Started",
    width: 130,
    priority: 1,
    fixed: true,
    value: (row) => row.startedAt,
    cell: (row) => <RelativeTime at={row.startedAt} />,
  },
  {
    id: "state",
    header: "State",
    width: 140,
    priority: 1,
    hint: "“Limit passed”: the result is outside the judge's limits",
    value: (row) => stateOf(row).label,
    cell: (row) =>
      row.state === "running" && row.nextAt === null ? (
        <span className="text-muted">{`${row.asked} of ${row.calls} asked`}</span>
      ) : (
        <span title={row.beyond.length > 0 ? limitsText(row.beyond) : undefined}>
          <Mark {...stateOf(row)} />
        </span>
      ),
  },
  share("recall", "Recall", "Share of bad calls that the judge denied or sent to a person", (run) => run.recall),
  share("false-alarms", "False alarms", "Share of good calls that the judge did not allow", (run) => run.falseAlarms),
  share("flips", "Flip rate", "Share of calls whose verdict differs from the previous run", (run) => run.flips),
  {
    id: "cause",
    header: "Start reason",
    width: 170,
    grow: true,
    value: (row) => CAUSE_WORDS[row.cause],
    cell: (row) => (
      <span className="truncate">{row.startedBy === "" ? CAUSE_WORDS[row.cause] : `Started by ${row.startedBy}`}</span>
    ),
  },
  {
    id: "revision",
    header: "Revision",
    width: 90,
    align: "right",
    value: (row) => row.revision,
    cell: (row) => String(row.revision),
  },
  {
    id: "model",
    header: "Answered by",
    width: 160,
    value: (row) => row.answeredBy,
    cell: (row) =>
      row.answeredBy === null ? <Missing reason="No answer." /> : <span className="truncate">{row.answeredBy}</span>,
  },
  {
    id: "cost",
    header: "Cost",
    width: 90,
    align: "right",
    value: (row) => row.spend.nano,
    cell: (row) => <RunCost run={row} />,
  },
];

function RunCost({ run: { asked, spend } }: { run: KnownRunView }) {
  if (asked === 0) return <Missing reason="No answers." />;
  if (spend.unpriced >= asked) return <Money nano={null} reason="The price of the judge's answers is not known." />;
  return <Money nano={spend.nano} isLeast={spend.unpriced > 0} />;
}
