"use client";

import type { EventName } from "@quarterdeck/hooks/contract/events";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { PermittedButton } from "@/components/access/permitted-button";
import { flipText, flipTone } from "@/components/backtest/backtest-text";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { ErrorLine } from "@/components/ui/error-state";
import { formatCount } from "@/components/ui/format/count";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { Link } from "@/components/ui/link";
import { Mark } from "@/components/ui/mark";
import { Spinner } from "@/components/ui/spinner";
import { toast } from "@/components/ui/toast";
import type { BacktestRunView, FlipGroup, FlipView } from "@/server/backtest/run-schema";
import { eventKeyText } from "@/server/recording/event-key-schema";

const SHOWN = 20;

interface FlipListProps {
  run: BacktestRunView;
  group: { by: FlipGroup; value: string };
  /** The calls of the group. */
  size: number;
}

/** The first calls of a group as examples. */
export function FlipList({ run, group, size }: FlipListProps) {
  const trpc = useTRPC();
  const asked = { policyId: run.policyId, runId: run.id, group, limit: SHOWN };
  const flips = useQuery(trpc.backtest.flips.queryOptions(asked));
  if (flips.error) return <ErrorLine>{failureSentence(flips.error)}</ErrorLine>;
  if (!flips.data) return <Spinner className="m-3" />;
  return (
    <ul className="divide-y divide-line border-line border-t">
      {flips.data.map((flip) => (
        <Flip key={flip.id} run={run} flip={flip} />
      ))}
      {size > flips.data.length ? (
        <li className="px-3 py-1.5 text-muted text-sm">
          {formatCount(size - flips.data.length)} more. Export the backtest to see all.
        </li>
      ) : null}
    </ul>
  );
}

function Flip({ run, flip }: { run: BacktestRunView; flip: FlipView }) {
  const { tool, event, excerpt, agentName, occurredAt, rule, from } = flip;
  const name = excerpt || tool || event;
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-1.5">
      <Mark tone={flipTone(flip)} label={flipText(flip)} />
      <span className="text-muted text-sm">{tool || event}</span>
      <code className="min-w-0 flex-1 basis-48 truncate" title={excerpt}>
        {excerpt || "The recorded input was erased or deleted."}
      </code>
      <span className="text-faint text-sm">
        {agentName}, <RelativeTime at={occurredAt} />
      </span>
      <span className="min-w-0 break-words text-muted text-sm">{rule}</span>
      <Link className="text-sm underline" href={`/activity?open=${eventKeyText(flip)}`}>
        Open<span className="sr-only"> {name}</span>
      </Link>
      {run.isDraft && excerpt !== "" ? (
        <Link className="text-sm underline" href={playgroundHref(run.policyId, flip)}>
          Try<span className="sr-only"> {name} in the playground</span>
        </Link>
      ) : null}
      {from === "deny" && tool !== "" ? (
        <Link
          className="text-sm underline"
          href={`/approvals/exceptions?except=${encodeURIComponent(eventKeyText(flip))}`}
        >
          Make an exception<span className="sr-only"> for {name}</span>
        </Link>
      ) : null}
      {excerpt === "" ? null : <MakeCase run={run} flip={flip} name={name} />}
    </li>
  );
}

/** The draft's playground with the input of the call, next to the other policies of its agent. */
function playgroundHref(policyId: string, flip: FlipView): string {
  const asked = new URLSearchParams({ try: "true", dispatch: eventKeyText(flip), beside: flip.agentId });
  return `/policies/${policyId}?${asked}`;
}

/**
 * Keeps the call as a test case. The case of a looser call expects the verdict in force, and thus holds the publication back; any
 * other case expects the verdict of the text.
 */
function MakeCase({ run: { policyId }, flip, name }: { run: BacktestRunView; flip: FlipView; name: string }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const save = useMutation(
    trpc.playground.saveCase.mutationOptions({
      onSuccess: (_saved, { expect }) => {
        toast.success("The test case is saved", {
          description: `The test case expects the verdict ${expect.verdict}.`,
        });
        return queries.invalidateQueries({ queryKey: trpc.playground.pathKey() });
      },
    }),
  );
  const keep = async () => {
    const { occurredAt, id, isLooser, from, to } = flip;
    const recorded = await queries.fetchQuery(trpc.playground.recordedInput.queryOptions({ occurredAt, id }));
    const lane = recorded.lane === "preempt_yolo" ? "preempt_yolo" : "default";
    const expect = { verdict: isLooser ? from : to };
    const short = `${flip.family || flip.tool || flip.event} ${id.slice(-6)}`.slice(0, NAME_CHARS_MAX);
    // Holds: a backtest reads the events that hooks are for.
    const event = recorded.event as EventName;
    const one = { name: short, event, lane, input: recorded.input, expect } as const;
    save.mutate({ policyId, ...one, judgeReplies: [], keepsSecrets: false, runsAgentHooks: false });
  };
  return (
    <PermittedButton
      to="policy:write"
      size="sm"
      variant="ghost"
      busy={save.isPending}
      onClick={() => void keep().catch((error: unknown) => toast.error(failureSentence(error)))}
    >
      Save as test case<span className="sr-only"> for {name}</span>
    </PermittedButton>
  );
}
const NAME_CHARS_MAX = 120;
