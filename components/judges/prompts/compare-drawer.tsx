"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { TrialAnswer } from "@/components/judges/prompts/trial-answer";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { Drawer } from "@/components/ui/drawer";
import { ErrorLine } from "@/components/ui/error-state";
import { Segmented } from "@/components/ui/segmented";
import { Loading, SkeletonText } from "@/components/ui/skeleton";
import type { ComparisonView } from "@/server/prompts/score-schema";

type Row = ComparisonView["rows"][number];

export interface CompareDrawerProps {
  /** The call that is shown; null when the drawer is closed. */
  row: Row | null;
  /** The two trials and their names. */
  trials: { readonly left: string; readonly right: string };
  names: { readonly left: string; readonly right: string };
  onClose: () => void;
  onPrevious: (() => void) | undefined;
  onNext: (() => void) | undefined;
}

/** One call of both trials: the answer of either side, to read and to label. */
export function CompareDrawer({ row, trials, names, onClose, onPrevious, onNext }: CompareDrawerProps) {
  const [side, setSide] = useState<"left" | "right">("right");
  return (
    <Drawer
      open={row !== null}
      onClose={onClose}
      title={row ? (row.excerpt ?? row.tool ?? row.event) : "Answer"}
      subtitle={row ? `${row.tool ?? row.event}, ${row.agentName}` : undefined}
      onPrevious={onPrevious}
      onNext={onNext}
      width="lg"
    >
      {row ? (
        <div className="flex flex-col gap-4">
          <Segmented
            label="Answer of"
            value={side}
            onChange={setSide}
            options={[
              { value: "left", label: names.left },
              { value: "right", label: names.right },
            ]}
          />
          <SideAnswer key={`${side} ${row.id}`} row={row} trialId={trials[side]} onNext={onNext} />
        </div>
      ) : null}
    </Drawer>
  );
}

/** The first answer of one trial over the call. */
function SideAnswer({ row, trialId, onNext }: { row: Row; trialId: string; onNext: (() => void) | undefined }) {
  const trpc = useTRPC();
  const found = useQuery(trpc.prompts.trial.queryOptions({ trialId }));
  if (found.error) return <ErrorLine>{failureSentence(found.error)}</ErrorLine>;
  if (!found.data)
    return (
      <Loading label="the answer">
        <SkeletonText lines={8} />
      </Loading>
    );
  const call = found.data.calls.find(
    ({ id, occurredAt, repeat }) => id === row.id && occurredAt.getTime() === row.occurredAt.getTime() && repeat === 0,
  );
  if (!call) return <p className="text-muted">In this trial, the judge gave no answer on the call.</p>;
  return <TrialAnswer detail={found.data} call={call} onNext={onNext} />;
}
