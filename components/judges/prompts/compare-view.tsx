"use client";

import { useQuery } from "@tanstack/react-query";
import { Columns2 } from "lucide-react";
import { parseAsString, parseAsStringLiteral, useQueryState } from "nuqs";
import { useMemo } from "react";
import { expectedWords } from "@/components/judge-label/label-words";
import { verdictLook } from "@/components/judges/labels";
import { CallWords } from "@/components/judges/prompts/call-words";
import { CompareDrawer } from "@/components/judges/prompts/compare-drawer";
import { LatencyFigure, SpendFigure } from "@/components/judges/prompts/figure-cells";
import { scoreText, unscoredText, whatWas } from "@/components/judges/prompts/label-text";
import { NewTrialButton } from "@/components/judges/prompts/new-trial-button";
import { useRowLabels } from "@/components/judges/prompts/use-row-labels";
import { PageBody } from "@/components/layout/page-body";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { EmptyState } from "@/components/ui/empty-state";
import { formatCount } from "@/components/ui/format/count";
import { exactTime } from "@/components/ui/format/instant";
import { Missing } from "@/components/ui/format/missing";
import { Mark } from "@/components/ui/mark";
import { Notice } from "@/components/ui/notice";
import { Segmented } from "@/components/ui/segmented";
import { Select } from "@/components/ui/select";
import { DataTable } from "@/components/ui/table/data-table";
import { neighbours } from "@/components/ui/table/hold-rows";
import type { Column } from "@/components/ui/table/types";
import type { JudgedText, PromptDetailView, TrialView } from "@/server/prompts/schema";
import type { ComparisonView, SideView } from "@/server/prompts/score-schema";

type Row = ComparisonView["rows"][number];
const SHOWN = ["all", "changed", "agree"] as const;
const keyOf = (row: Row) => `${row.occurredAt.getTime()}.${row.id}`;
const NOWHERE = "00000000-0000-7000-8000-000000000000";

/** Two trials on the same calls, with their verdicts side by side. New errors come first. */
export function CompareView({ prompt, text }: { prompt: PromptDetailView; text: JudgedText }) {
  const [open, setOpen] = useQueryState("answer", parseAsString);
  const [shown, setShown] = useQueryState("show", parseAsStringLiteral(SHOWN).withDefault("all"));
  const { trials, sides, isChosen, compared } = useComparison(prompt.id);
  const names = useMemo(() => sideNames(compared.data), [compared.data]);
  const columns = useMemo(() => columnsOf(names), [names]);
  const options = (trials.data ?? []).map((trial) => ({
    value: trial.id,
    label: `${whatWas(trial)}, ${exactTime(trial.startedAt)}`,
  }));
  const rows = (compared.data?.rows ?? []).filter(({ state }) => shown === "all" || state === shown);
  const near = neighbours(rows, keyOf, open);
  useRowLabels((id) => {
    const { spoken = null } = rows.find((row) => keyOf(row) === id)?.right ?? {};
    if (!spoken || !compared.data) return null;
    const { place, repeat, verdict } = spoken;
    return { subject: { kind: "trial", trialId: compared.data.right.id, place, repeat }, verdict };
  });
  const show = (key: string | null) => void setOpen(key);
  const count = (state: Row["state"]) => compared.data?.rows.filter((row) => row.state === state).length ?? 0;
  if (trials.isSuccess && trials.data.length < 2)
    return (
      <PageBody>
        <EmptyState
          icon={Columns2}
          title="Run at least two trials to compare"
          action={<NewTrialButton prompt={prompt} text={text} />}
        >
          Edit the prompt and try the draft. To compare, also try the latest revision on the same calls.
        </EmptyState>
      </PageBody>
    );
  return (
    <PageBody width="fill">
      <div className="flex shrink-0 flex-wrap items-center gap-x-4 gap-y-2 pb-3">
        {sides.map(({ label, value, setValue }) => (
          <Select
            key={label}
            aria-label={label}
            value={value ?? undefined}
            onChange={(next) => void setValue(next)}
            options={options}
          />
        ))}
        <Segmented
          label="Which calls"
          value={shown}
          onChange={(next) => void setShown(next)}
          options={[
            { value: "all", label: `All ${formatCount(compared.data?.rows.length ?? 0)}` },
            { value: "changed", label: `Changed ${formatCount(count("changed"))}` },
            { value: "agree", label: `Agree ${formatCount(count("agree"))}` },
          ]}
        />
      </div>
      {compared.data ? <Headline score={compared.data.score} names={names} /> : null}
      {compared.data ? (
        <div className="grid shrink-0 grid-cols-1 gap-x-6 gap-y-1 pb-3 text-sm sm:grid-cols-2">
          <Totals side={names.left} trial={compared.data.left} />
          <Totals side={names.right} trial={compared.data.right} />
        </div>
      ) : null}
      {compared.data && compared.data.apart > 0 ? (
        <Notice className="mb-3">{formatCount(compared.data.apart)} calls are in only one of the two trials.</Notice>
      ) : null}
      <DataTable
        id="verdicts-side-by-side"
        label="verdicts side by side"
        columns={columns}
        rows={rows}
        getRowId={keyOf}
        onOpen={(row) => show(keyOf(row))}
        openId={open}
        status={isChosen ? compared.status : "pending"}
        error={compared.error ? failureSentence(compared.error) : null}
        onRetry={() => void compared.refetch()}
        rowHeight={40}
        empty={
          <EmptyState icon={Columns2} title="No matching calls">
            No call in both trials matches “{shown}”.
          </EmptyState>
        }
      />
      {compared.data ? (
        <CompareDrawer
          row={rows.find((row) => keyOf(row) === open) ?? null}
          trials={{ left: compared.data.left.id, right: compared.data.right.id }}
          names={names}
          onClose={() => show(null)}
          onPrevious={near.previous === null ? undefined : () => show(near.previous)}
          onNext={near.next === null ? undefined : () => show(near.next)}
        />
      ) : null}
    </PageBody>
  );
}

/** The two trials that the address names, or the latest two, and their verdicts call by call. */
function useComparison(promptId: string) {
  const trpc = useTRPC();
  const trials = useQuery(trpc.prompts.trials.queryOptions({ promptId }));
  const [leftId, setLeft] = useQueryState("left", parseAsString);
  const [rightId, setRight] = useQueryState("right", parseAsString);
  const all = trials.data ?? [];
  const right = rightId ?? all[0]?.id ?? null;
  const left = leftId ?? all.find(({ id }) => id !== right)?.id ?? null;
  const isChosen = left !== null && right !== null;
  const compared = useQuery({
    ...trpc.prompts.compare.queryOptions({ left: left ?? NOWHERE, right: right ?? NOWHERE }),
    enabled: isChosen,
  });
  const sides = [
    { label: "Left trial", value: left, setValue: setLeft },
    { label: "Right trial", value: right, setValue: setRight },
  ];
  return { trials, sides, isChosen, compared };
}

/** The number that matters: right and wrong answers of each side on the labelled calls that both answered. */
function Headline({ score, names }: { score: ComparisonView["score"]; names: SideNames }) {
  return (
    <section aria-label="Labelled calls" className="flex shrink-0 flex-wrap items-center gap-x-4 gap-y-1 pb-3">
      {score.compared === 0 ? (
        <span className="flex flex-wrap items-center gap-2">
          <Mark tone="unknown" label="not known" /> {unscoredText(score)}
        </span>
      ) : (
        <>
          <p className="text-md">{scoreText(score, { before: names.left, after: names.right })}</p>
          {score.newlyWrong > 0 ? <Mark tone="deny" label={`${formatCount(score.newlyWrong)} newly wrong`} /> : null}
          {score.newlyRight > 0 ? <Mark tone="allow" label={`${formatCount(score.newlyRight)} newly right`} /> : null}
        </>
      )}
    </section>
  );
}

function Totals({ side, trial }: { side: string; trial: TrialView }) {
  return (
    <p>
      <span className="font-medium">{side}:</span> {trial.asked} asked, {trial.failed} failed,{" "}
      <SpendFigure spend={trial.spend} /> in total, p50 · p95 <LatencyFigure latency={trial.latency} />
    </p>
  );
}

const STATES = {
  changed: { tone: "ask", label: "changed" },
  agree: { tone: "allow", label: "agree" },
  unknown: { tone: "unknown", label: "not known" },
} as const;

function Side({ side }: { side: SideView }) {
  if (side.verdict === null)
    return <Missing reason={side.answers.length === 0 ? "Not asked." : `Failed: ${side.reason}`} />;
  const isDecided = side.verdict !== "split" && side.verdict !== "other";
  return (
    <span className="flex min-w-0 items-center gap-2">
      {isDecided ? (
        <Mark {...verdictLook(side.verdict)} />
      ) : (
        <Mark
          tone="unknown"
          label={side.verdict === "split" ? `split: ${side.answers.join(", ")}` : "another answer"}
        />
      )}
      <span className="truncate text-muted" title={side.reason}>
        {side.reason}
      </span>
    </span>
  );
}

interface SideNames {
  readonly left: string;
  readonly right: string;
}

/** "Revision 1" and "Revision 2"; two trials of one text differ by their start. */
function sideNames(compared: ComparisonView | undefined): SideNames {
  if (compared === undefined) return { left: "Left", right: "Right" };
  const { left, right } = compared;
  const isSame = whatWas(left) === whatWas(right);
  const nameOf = (trial: TrialView) => {
    const text = whatWas(trial);
    const name = text.charAt(0).toUpperCase() + text.slice(1);
    return isSame ? `${name}, ${exactTime(trial.startedAt)}` : name;
  };
  return { left: nameOf(left), right: nameOf(right) };
}

const columnsOf = (names: SideNames): readonly Column<Row>[] => [
  {
    id: "about",
    header: "Call",
    width: 300,
    priority: 1,
    fixed: true,
    value: (row) => `${row.tool ?? row.event} ${row.excerpt ?? ""}`,
    cell: (row) => <CallWords call={row} />,
  },
  {
    id: "state",
    header: "Comparison",
    width: 152,
    priority: 1,
    value: (row) => row.state,
    cell: (row) =>
      row.score === "newly_wrong" ? (
        <Mark tone="deny" label="newly wrong" />
      ) : row.score === "newly_right" ? (
        <Mark tone="allow" label="newly right" />
      ) : (
        <Mark {...STATES[row.state]} />
      ),
  },
  {
    id: "left",
    header: names.left,
    width: 280,
    value: (row) => row.left.verdict,
    cell: (row) => <Side side={row.left} />,
  },
  {
    id: "right",
    header: names.right,
    width: 280,
    grow: true,
    value: (row) => row.right.verdict,
    cell: (row) => <Side side={row.right} />,
  },
  {
    id: "expected",
    header: "Expected",
    width: 100,
    value: (row) => row.expected,
    cell: (row) => (row.expected === null ? <Missing reason="No label." /> : expectedWords(row.expected)),
  },
];
