"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { Eye } from "lucide-react";
import { useState } from "react";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { useLiveQueries } from "@/components/trpc/live-queries";
import { Button } from "@/components/ui/button";
import { Drawer } from "@/components/ui/drawer";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorState } from "@/components/ui/error-state";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { Link } from "@/components/ui/link";
import { Mark } from "@/components/ui/mark";
import { Segmented } from "@/components/ui/segmented";
import { Loading, SkeletonText } from "@/components/ui/skeleton";
import type { Tone } from "@/components/ui/tone";
import type { PolicyDetailView } from "@/server/policies/schema";
import { eventKeyText } from "@/server/recording/event-key-schema";
import type { ObservationView } from "@/server/shadow-mode/schema";

export interface ObservedDrawerProps {
  policy: PolicyDetailView;
  open: boolean;
  onClose: () => void;
}

/** The decisions that an observed policy would have made, call by call. */
export function ObservedDrawer({ policy, open, onClose }: ObservedDrawerProps) {
  return (
    <Drawer open={open} onClose={onClose} width="lg" title="Observed decisions" subtitle={policy.name}>
      {open ? <Observed policyId={policy.id} /> : null}
    </Drawer>
  );
}

function Observed({ policyId }: { policyId: string }) {
  useLiveQueries(["observations"]);
  const trpc = useTRPC();
  const [shown, setShown] = useState<"stricter" | "all">("stricter");
  const onlyStricter = shown === "stricter";
  const pages = useInfiniteQuery(
    trpc.shadowMode.list.infiniteQueryOptions(
      { policyId, onlyStricter },
      { getNextPageParam: (page) => page.next ?? undefined, initialCursor: null },
    ),
  );
  const rows = pages.data?.pages.flatMap((page) => page.rows) ?? [];
  return (
    <div className="flex flex-col gap-4">
      <Segmented<"stricter" | "all">
        label="Which calls"
        value={shown}
        onChange={setShown}
        options={[
          { value: "stricter", label: "Would have blocked" },
          { value: "all", label: "All checked calls" },
        ]}
        className="self-start"
      />
      {pages.isError ? (
        <ErrorState
          compact
          title="The monitored calls could not be loaded"
          reason={failureSentence(pages.error)}
          onRetry={() => void pages.refetch()}
        />
      ) : pages.isPending ? (
        <Loading label="the list">
          <SkeletonText lines={6} />
        </Loading>
      ) : rows.length === 0 ? (
        <EmptyState icon={Eye} compact title={onlyStricter ? "The policy would have blocked no calls" : "No calls yet"}>
          This list shows calls on which a hook of this policy ran. Other calls are only counted.
        </EmptyState>
      ) : (
        <ul className="flex flex-col divide-y divide-line rounded-md border">
          {rows.map((row) => (
            <Row key={`${row.dispatchId} ${row.revision}`} row={row} />
          ))}
        </ul>
      )}
      {pages.hasNextPage ? (
        <Button busy={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()} className="self-center">
          Older ones
        </Button>
      ) : null}
    </div>
  );
}

const TONES: Readonly<Record<string, Tone>> = { allow: "allow", ask: "ask", deny: "deny" };
const wordOf = (verdict: string) => (verdict === "none" ? "nothing" : verdict);

function Row({ row }: { row: ObservationView }) {
  const { occurredAt, dispatchId, verdict, decided, toolName, event, agentName, reason, revision, isDecision } = row;
  return (
    <li className="flex flex-col gap-1 px-3 py-2">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Mark tone={TONES[verdict] ?? "unknown"} label={`would: ${wordOf(verdict)}`} />
        <Mark tone={TONES[decided] ?? "unknown"} label={`was: ${wordOf(decided)}`} look="plain" />
        <code className="truncate">{toolName ?? event}</code>
        <span className="ml-auto text-faint text-sm">
          {agentName} · revision {revision} · <RelativeTime at={occurredAt} />
        </span>
      </div>
      <p className="break-words text-sm">{reason}</p>
      {isDecision ? (
        <p className="text-sm">
          <Link className="link" href={`/activity?open=${eventKeyText({ occurredAt, id: dispatchId })}`}>
            The decision
          </Link>
        </p>
      ) : null}
    </li>
  );
}
