"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Plus, Scale, ScrollText } from "lucide-react";
import dynamic from "next/dynamic";
import { parseAsString, useQueryState } from "nuqs";
import { useMemo, useState } from "react";
import { usePermission } from "@/components/access/permission";
import { PermittedButton } from "@/components/access/permitted-button";
import { OverviewView } from "@/components/judges/overview-view";
import { type View, viewOf } from "@/components/judges/query";
import { useCommands } from "@/components/layout/commands";
import { useStaleSentence } from "@/components/layout/connection-state";
import { PageBody } from "@/components/layout/page-body";
import { PageHeader } from "@/components/layout/page-header";
import { useTimeRange } from "@/components/layout/time-range/use-time-range";
import { useRequestedAct } from "@/components/layout/use-requested-act";
import { useTRPC } from "@/components/trpc/client";
import { useLiveQueries } from "@/components/trpc/live-queries";
import { Button } from "@/components/ui/button";
import { useHotkey } from "@/components/ui/hotkeys/use-hotkey";
import { Link } from "@/components/ui/link";
import { loadWhenOpened } from "@/components/ui/load-when-opened";
import { Segmented } from "@/components/ui/segmented";
import { Loading, SkeletonText } from "@/components/ui/skeleton";
import type { ConnectionView } from "@/server/judges/schema";

const ConnectionDialog = loadWhenOpened(
  () => import("@/components/judges/connection-dialog").then((one) => one.ConnectionDialog),
  "editing",
);

const CallsView = dynamic(() => import("@/components/judges/calls-view").then((one) => one.CallsView), {
  loading: () => (
    <Loading label="the calls">
      <SkeletonText lines={4} />
    </Loading>
  ),
});

const VIEWS = [
  { value: "overview", label: "Judges" },
  { value: "calls", label: "Calls" },
] as const satisfies readonly { value: View; label: string }[];

/** The judges: their connections and caps, their verdicts and their failures. */
export function JudgesPage() {
  useLiveQueries(["judges"]);
  const trpc = useTRPC();
  const range = useTimeRange("24h");
  const stale = useStaleSentence();
  const [viewText, setView] = useQueryState("view", parseAsString.withOptions({ history: "push" }));
  const [filterText] = useQueryState("q", parseAsString);
  const [editing, setEditing] = useState<ConnectionView | "new" | null>(null);
  const view = viewOf(viewText, filterText);
  const { from, to } = range;
  const input = useMemo(() => ({ from, to }), [from, to]);
  const connections = useQuery(trpc.judges.connections.queryOptions());
  const summary = useQuery({ ...trpc.judges.summary.queryOptions(input), placeholderData: keepPreviousData });
  const add = () => setEditing("new");
  const enabled = usePermission("judge:write").isGranted;
  useHotkey("c", add, { label: "New connection", group: "Judges", enabled });
  useRequestedAct({ create: add });
  useCommands([{ id: "judge.connection.new", label: "New model connection", icon: Scale, keys: "c", run: add }]);
  const tabs = (
    <Segmented
      label="View"
      value={view}
      onChange={(next) => void setView(next === "overview" ? null : next)}
      options={VIEWS}
      className="w-fit"
    />
  );
  return (
    <>
      <PageHeader
        range
        live
        actions={
          <Button asChild>
            <Link href="/policies/prompts">
              <ScrollText aria-hidden /> <span className="max-sm:sr-only">Prompts</span>
            </Link>
          </Button>
        }
        primary={
          <PermittedButton to="judge:write" variant="primary" onClick={add}>
            <Plus aria-hidden />
            <span className="max-sm:sr-only">New connection</span>
          </PermittedButton>
        }
      />
      {view === "overview" ? (
        <OverviewView
          range={range}
          stale={stale}
          connections={connections}
          summary={summary}
          tabs={tabs}
          onAdd={add}
          onEdit={setEditing}
        />
      ) : (
        <PageBody width="fill">
          <div className="shrink-0 pb-3">{tabs}</div>
          <CallsView range={range} summary={summary.data} stale={stale} />
        </PageBody>
      )}
      <ConnectionDialog editing={editing} onClose={() => setEditing(null)} onSaved={() => void connections.refetch()} />
    </>
  );
}
