"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { GROUPS, NO_VALUE } from "@/components/backtest/backtest-text";
import { FlipList } from "@/components/backtest/flip-list";
import { refreshMs } from "@/components/backtest/run-state";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { ErrorLine } from "@/components/ui/error-state";
import { formatCount } from "@/components/ui/format/count";
import { Mark } from "@/components/ui/mark";
import { Section } from "@/components/ui/section";
import { Segmented } from "@/components/ui/segmented";
import { Spinner } from "@/components/ui/spinner";
import type { BacktestRunView, FlipGroup, FlipGroupView } from "@/server/backtest/run-schema";

/** The changed calls in groups, those with looser calls first; each group opens its calls. */
export function FlipGroups({ run }: { run: BacktestRunView }) {
  const trpc = useTRPC();
  const [by, setBy] = useState<FlipGroup>("rule");
  const groups = useQuery({
    ...trpc.backtest.groups.queryOptions({ policyId: run.policyId, runId: run.id, by }),
    refetchInterval: run.live ? refreshMs([run]) : false,
  });
  return (
    <Section
      title="Changed calls"
      actions={<Segmented label="Group by" value={by} onChange={setBy} options={GROUPS} />}
    >
      {groups.data ? (
        <ul className="flex flex-col gap-2">
          {groups.data.map((group) => (
            <Group key={`${by} ${group.value}`} run={run} by={by} group={group} />
          ))}
        </ul>
      ) : groups.error ? (
        <ErrorLine>{failureSentence(groups.error)}</ErrorLine>
      ) : (
        <Spinner />
      )}
    </Section>
  );
}

function Group({ run, by, group }: { run: BacktestRunView; by: FlipGroup; group: FlipGroupView }) {
  const [isShown, setShown] = useState(false);
  const { value, looser, stricter, otherwise } = group;
  return (
    <li>
      <details className="rounded-md border" onToggle={(event) => setShown(event.currentTarget.open)}>
        <summary className="flex cursor-pointer flex-wrap items-center gap-2 px-3 py-1.5">
          <span className="min-w-0 break-words font-medium">{value || NO_VALUE[by]}</span>
          {looser > 0 ? <Mark tone="allow" label={`${formatCount(looser)} less strict`} /> : null}
          {stricter > 0 ? <Mark tone="deny" label={`${formatCount(stricter)} stricter`} /> : null}
          {otherwise > 0 ? <Mark tone="observe" label={`${formatCount(otherwise)} other`} /> : null}
        </summary>
        {isShown ? <FlipList run={run} group={{ by, value }} size={looser + stricter + otherwise} /> : null}
      </details>
    </li>
  );
}
