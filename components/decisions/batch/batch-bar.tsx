"use client";

import { useState } from "react";
import { PermittedButton } from "@/components/access/permitted-button";
import type { WaitingCall } from "@/components/decisions/batch/batch-dialog";
import { BATCH_MAX } from "@/components/decisions/batch/use-batch-answer";
import { Button } from "@/components/ui/button";
import { formatCount, plural } from "@/components/ui/format/count";
import { loadWhenOpened } from "@/components/ui/load-when-opened";
import type { CallView } from "@/server/decisions/schema";

const BatchFollowUp = loadWhenOpened(() =>
  import("@/components/decisions/follow-up/batch-follow-up").then((one) => one.BatchFollowUp),
);
const BatchDialog = loadWhenOpened(() =>
  import("@/components/decisions/batch/batch-dialog").then((one) => one.BatchDialog),
);

interface BatchBarProps {
  selected: readonly CallView[];
  onClear: () => void;
}

interface Asked {
  readonly verdict: "allow" | "deny";
  readonly calls: readonly WaitingCall[];
}

/** The acts on the selected calls. */
export function BatchBar({ selected, onClear }: BatchBarProps) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const waiting = waitingOf(selected);
  const isTooMany = waiting.length > BATCH_MAX;
  const close = () => {
    setAsked(null);
    onClear();
  };
  return (
    <>
      {selected.length === 0 ? null : (
        <section
          aria-label="Selected calls"
          className="mb-2 flex shrink-0 flex-wrap items-center gap-2 rounded-md border border-accent-line bg-accent-soft px-3 py-1.5 text-sm"
        >
          <span className="mr-1">
            <span className="font-medium">{formatCount(selected.length)} selected</span>
            {" · "}
            {waitingText(waiting.length)}
          </span>
          {(["allow", "deny"] as const).map((verdict) => (
            <PermittedButton
              key={verdict}
              to="approval:decide"
              size="sm"
              disabled={waiting.length === 0 || isTooMany}
              onClick={() => setAsked({ verdict, calls: waiting })}
            >
              {verdict === "allow" ? "Allow…" : "Deny…"}
            </PermittedButton>
          ))}
          <BatchFollowUp selected={selected} onDone={onClear} />
          <Button size="sm" variant="ghost" onClick={onClear}>
            Clear
          </Button>
          {isTooMany ? <span className="text-muted">Select at most {BATCH_MAX} waiting calls.</span> : null}
        </section>
      )}
      {asked === null ? null : <BatchDialog verdict={asked.verdict} calls={asked.calls} onClose={close} />}
    </>
  );
}

const waitingText = (count: number): string =>
  count === 0 ? "none waits for a person" : `${plural(count, "call")} waiting for a person`;

/** Several calls may share one request. */
function waitingOf(selected: readonly CallView[]): WaitingCall[] {
  const byId = new Map<string, WaitingCall>();
  for (const call of selected)
    if (call.request?.state === "pending" && !byId.has(call.request.id))
      byId.set(call.request.id, { call, request: call.request });
  return [...byId.values()];
}
