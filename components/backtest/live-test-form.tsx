"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { PermittedButton } from "@/components/access/permitted-button";
import { newDenialsText } from "@/components/backtest/backtest-text";
import { hrefOf, isOpen, refreshMs } from "@/components/backtest/run-state";
import { ActDialog } from "@/components/layout/act-dialog";
import { useTRPC } from "@/components/trpc/client";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Link } from "@/components/ui/link";
import { Select } from "@/components/ui/select";
import { LIVE_LIMITS } from "@/server/backtest/live-test/live-schema";

const DAY_MS = 86_400_000;
const ENDS = [
  { value: "1", label: "1 day" },
  { value: "7", label: "7 days" },
  { value: "30", label: "30 days" },
  { value: "date", label: "Until a date" },
  { value: "stopped", label: "Until a person ends it" },
] as const;
type End = (typeof ENDS)[number]["value"];

/** Starts the live test of a draft, or leads to the one that follows calls. */
export function LiveTestForm({ policyId }: { policyId: string }) {
  const trpc = useTRPC();
  const [isAsked, setAsked] = useState(false);
  const policy = useQuery(trpc.policies.get.queryOptions({ policyId })).data;
  const { data: found } = useQuery({
    ...trpc.backtest.live.queryOptions({ policyId }),
    refetchInterval: ({ state }) => refreshMs(state.data ? [state.data.run] : []),
  });
  const version = policy?.draftVersion ?? 0;
  return (
    <div className="flex flex-wrap items-center gap-2">
      {found && isOpen(found.run) ? (
        <p className="text-sm">
          A live test follows the calls of your agents: {newDenialsText(found)}.{" "}
          <Link className="underline" href={hrefOf(found.run)}>
            Open the live test
          </Link>
        </p>
      ) : (
        <>
          <PermittedButton to="policy:write" disabled={version === 0} onClick={() => setAsked(true)}>
            Start a live test…
          </PermittedButton>
          <p className="text-muted text-sm">
            {policy?.draftVersion === 0
              ? "The policy has no draft. Change the policy's text to make a draft, then test it on live calls."
              : "The draft runs on each new call after the agent has its answer. Agents are not affected."}
          </p>
        </>
      )}
      <LiveTestDialog open={isAsked} onClose={() => setAsked(false)} policyId={policyId} draftVersion={version} />
    </div>
  );
}

interface LiveTestDialogProps {
  open: boolean;
  onClose: () => void;
  policyId: string;
  draftVersion: number;
}

function LiveTestDialog({ open, onClose, policyId, draftVersion }: LiveTestDialogProps) {
  const trpc = useTRPC();
  const router = useRouter();
  const queries = useQueryClient();
  const [percent, setPercent] = useState(String(LIVE_LIMITS.percentUsual));
  const [end, setEnd] = useState<End>("7");
  const [date, setDate] = useState("");
  const input = () => ({ policyId, draftVersion, percent: readPercent(percent), until: readEnd(end, date) });
  const show = async ({ id }: { id: string }) => {
    await queries.invalidateQueries({ queryKey: trpc.backtest.pathKey() });
    router.push(hrefOf({ policyId, id }));
  };
  return (
    <ActDialog
      mutation={trpc.backtest.startLive.mutationOptions()}
      input={open && input}
      onClose={onClose}
      title="Test the draft on live calls without enforcing it?"
      confirm="Start the live test"
      danger={false}
      onDone={show}
    >
      <p>
        The draft runs on each new call of your agents after its answer, next to the policies in force. It decides
        nothing, asks no judge, runs no command and sends no notice.
      </p>
      <Field
        label="Processor time, %"
        help={`${LIVE_LIMITS.percentMin} to ${LIVE_LIMITS.percentMax} percent of one processor. Calls that do not fit are skipped and counted.`}
      >
        <Input inputMode="numeric" maxLength={2} value={percent} onChange={(event) => setPercent(event.target.value)} />
      </Field>
      <Field label="For" help={`The results of the live test are kept for ${LIVE_LIMITS.daysMax} days.`}>
        <Select<End> value={end} onChange={setEnd} options={ENDS} />
      </Field>
      {end === "date" ? (
        <Field label="Until">
          <Input type="datetime-local" value={date} onChange={(event) => setDate(event.target.value)} />
        </Field>
      ) : null}
      <p>
        The live test ends earlier when the draft is published or discarded. If you change the draft, a new run of the
        changed draft begins by itself.
      </p>
    </ActDialog>
  );
}

/** Throws the sentence that the dialog shows. */
function readPercent(text: string): number {
  const percent = Number(text);
  const { percentMin: min, percentMax: max } = LIVE_LIMITS;
  if (!Number.isInteger(percent) || percent < min || percent > max)
    throw new Error(`Enter a whole percentage from ${min} to ${max}.`);
  return percent;
}

/** Throws the sentence that the dialog shows. */
function readEnd(end: End, date: string): Date | null {
  if (end === "stopped") return null;
  if (end !== "date") return new Date(Date.now() + Number(end) * DAY_MS);
  const until = new Date(date);
  if (Number.isNaN(until.getTime()) || until.getTime() <= Date.now())
    throw new Error("Choose an end date in the future.");
  return until;
}
