"use client";

import { useQuery } from "@tanstack/react-query";
import { FileCode, Package, Plus } from "lucide-react";
import { useRouter } from "next/navigation";
import { useQueryState } from "nuqs";
import { useMemo } from "react";
import { useCommandLine } from "@/components/access/command-line";
import { useStaleSentence } from "@/components/layout/connection-state";
import { GatewayStatus } from "@/components/layout/gateway-status";
import { untilMonitorEnds } from "@/components/layout/monitor-mode/monitor-end";
import { type PolicyRow, policyColumns } from "@/components/policies/columns";
import { countsByPolicy } from "@/components/policies/policy-counts";
import { useDayOfCards } from "@/components/policies/sentences/facts-context";
import { useTRPC } from "@/components/trpc/client";
import { everyAgent, everyPolicy } from "@/components/trpc/every-page";
import { failureSentence } from "@/components/trpc/failure";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { plural } from "@/components/ui/format/count";
import { Input } from "@/components/ui/input";
import { DataTable } from "@/components/ui/table/data-table";

const RUNS_POLL_MS = 60_000;

interface PoliciesTableProps {
  onCreate: () => void;
  onPacks: () => void;
}

/** Every policy, or those whose name, denials, note or author match the search. */
export function PoliciesTable({ onCreate, onPacks }: PoliciesTableProps) {
  const router = useRouter();
  const trpc = useTRPC();
  const policies = useQuery({
    ...everyPolicy(trpc),
    refetchInterval: ({ state }) => untilMonitorEnds(state.data ?? []),
  });
  const enrolled = useQuery(everyAgent(trpc)).data?.length ?? 0;
  const [text, setText] = useQueryState("q", { defaultValue: "" });
  const stale = useStaleSentence();
  const cards = useDayOfCards(true);
  const runs = useQuery({ ...trpc.rules.policyRuns.queryOptions(), refetchInterval: RUNS_POLL_MS }).data;
  const rows = useMemo(() => {
    const countsOf = cards && countsByPolicy(cards);
    const lastRunOf = runs && new Map(runs.map((run) => [run.policyId, run]));
    const all = (policies.data ?? []).map(
      (policy): PolicyRow => ({
        ...policy,
        enrolled,
        counts: countsOf?.(policy.id) ?? null,
        lastRan: lastRunOf && (lastRunOf.get(policy.id) ?? null),
      }),
    );
    return all.filter((row) => hasWords(row, text));
  }, [policies.data, enrolled, text, cards, runs]);
  return (
    <DataTable
      id="policies"
      label="policies"
      columns={policyColumns}
      rows={rows}
      getRowId={(row) => row.id}
      status={policies.status}
      error={policies.error ? failureSentence(policies.error) : null}
      stillWorks={<GatewayStatus />}
      onRetry={() => void policies.refetch()}
      stale={stale}
      onOpen={(row) => router.push(`/policies/${row.id}`)}
      rowHeight={40}
      summary={policies.data ? plural(rows.length, "policy", "policies") : null}
      toolbar={
        <Input
          type="search"
          aria-label="Search policies"
          placeholder="Search name, denied calls, note or author"
          value={text}
          onChange={(event) => void setText(event.target.value || null)}
          className="max-w-80"
        />
      }
      empty={
        text === "" ? (
          <NoPolicies onCreate={onCreate} onPacks={onPacks} />
        ) : (
          <EmptyState
            icon={FileCode}
            title="No policy matches"
            action={<Button onClick={() => void setText(null)}>Clear the search</Button>}
          >
            Searches names, denials, notes and authors.
          </EmptyState>
        )
      }
    />
  );
}

function hasWords({ name, note, publishedBy, denies }: PolicyRow, text: string): boolean {
  const own = `${name} ${note ?? ""} ${publishedBy ?? ""} ${denies ?? ""}`.toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => own.includes(word));
}

function NoPolicies({ onCreate, onPacks }: PoliciesTableProps) {
  const command = useCommandLine();
  return (
    <EmptyState
      icon={FileCode}
      title="No policies yet. Agents run unrestricted"
      command={`${command} policy publish FILE.yaml --name NAME`}
      action={
        <>
          <Button onClick={onCreate}>
            <Plus aria-hidden /> Create a starter policy
          </Button>
          <Button onClick={onPacks}>
            <Package aria-hidden /> Create a policy from a pack
          </Button>
        </>
      }
    >
      A policy is a set of hooks: checks that run on an agent's events and can block its actions. The starter policy
      denies recursive deletes. Once published, it applies to every agent.
    </EmptyState>
  );
}
