"use client";

import { useQuery } from "@tanstack/react-query";
import { Ellipsis, FileCode, FileInput, ListOrdered, Package, Plus, Snowflake } from "lucide-react";
import { useRouter, useSearchParams } from "next/navigation";
import { useMemo, useState } from "react";
import { PermittedButton } from "@/components/access/permitted-button";
import { useCommands } from "@/components/layout/commands";
import { useStaleSentence } from "@/components/layout/connection-state";
import { PageBody } from "@/components/layout/page-body";
import { PageHeader } from "@/components/layout/page-header";
import { useRequestedAct } from "@/components/layout/use-requested-act";
import { type PolicyRow, policyColumns } from "@/components/policies/columns";
import { CreatePolicyDialog } from "@/components/policies/create-policy-dialog";
import { ImportDialog } from "@/components/policies/import-dialog";
import { PacksDrawer } from "@/components/policies/packs/packs-drawer";
import { ReviewDrawer } from "@/components/policies/review/review-drawer";
import { ReviewsButton } from "@/components/policies/review/reviews-button";
import { ReviewsDrawer } from "@/components/policies/review/reviews-drawer";
import { FreezeDialog } from "@/components/policies/rollout/freeze-dialog";
import { untilObservationEnds } from "@/components/policies/rollout/observation-end";
import { OrderDialog } from "@/components/policies/rollout/order-dialog";
import { useTRPC } from "@/components/trpc/client";
import { everyAgent, everyPolicy } from "@/components/trpc/every-page";
import { failureSentence } from "@/components/trpc/failure";
import { useLiveQueries } from "@/components/trpc/live-queries";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { useHotkey } from "@/components/ui/hotkeys/use-hotkey";
import { IconButton } from "@/components/ui/icon-button";
import { Menu } from "@/components/ui/menu";
import { DataTable } from "@/components/ui/table/data-table";
import { useNarrow } from "@/components/ui/use-media";

/** Every policy: what is in force, for whom, and since when. */
export function PoliciesPage() {
  useLiveQueries(["policies", "agents"]);
  const trpc = useTRPC();
  const router = useRouter();
  const policies = useQuery({
    ...everyPolicy(trpc),
    refetchInterval: ({ state }) => untilObservationEnds(state.data ?? []),
  });
  const agents = useQuery(everyAgent(trpc));
  const [isCreating, setCreating] = useState(false);
  const [isImporting, setImporting] = useState(false);
  const [isOrdering, setOrdering] = useState(false);
  const [isFreezing, setFreezing] = useState(false);
  const arePacksOpen = useSearchParams().get("packs") === "1";
  const showPacks = () => router.push("/policies?packs=1", { scroll: false });
  const stale = useStaleSentence();
  const narrow = useNarrow();
  const enrolled = agents.data?.length ?? 0;
  const rows = useMemo(
    () => (policies.data ?? []).map((policy): PolicyRow => ({ ...policy, enrolled })),
    [policies.data, enrolled],
  );
  useHotkey("c", () => setCreating(true), { label: "New policy", group: "Policies" });
  useRequestedAct({
    create: () => setCreating(true),
    import: () => setImporting(true),
    order: () => setOrdering(true),
    freeze: () => setFreezing(true),
  });
  useCommands([
    { id: "policy.new", label: "New policy", icon: FileCode, keys: "c", run: () => setCreating(true) },
    { id: "policy.packs", label: "Start from a pack", icon: Package, run: showPacks },
    { id: "policy.order", label: "Change the order of policies", icon: ListOrdered, run: () => setOrdering(true) },
    { id: "policy.freeze", label: "Freeze changes", icon: Snowflake, run: () => setFreezing(true) },
    { id: "policy.import", label: "Import a policy", icon: FileInput, run: () => setImporting(true) },
  ]);
  const acts = [
    { to: "console:read", label: "Packs", icon: Package, onSelect: showPacks },
    { to: "policy:write", label: "Import…", icon: FileInput, onSelect: () => setImporting(true) },
    { to: "policy:publish", label: "Priority…", icon: ListOrdered, onSelect: () => setOrdering(true) },
    { to: "policy:govern", label: "Freeze changes…", icon: Snowflake, onSelect: () => setFreezing(true) },
  ] as const;
  const create = (
    <PermittedButton to="policy:write" variant="primary" onClick={() => setCreating(true)}>
      <Plus aria-hidden /> New policy
    </PermittedButton>
  );
  return (
    <>
      <PageHeader
        title="Policies"
        live
        actions={
          <>
            {narrow ? (
              <Menu trigger={<IconButton icon={Ellipsis} label="More" />} items={acts} />
            ) : (
              acts.map(({ to, label, icon: Icon, onSelect }) => (
                <PermittedButton key={label} to={to} onClick={onSelect}>
                  <Icon aria-hidden /> <span className="max-lg:sr-only">{label}</span>
                </PermittedButton>
              ))
            )}
            <ReviewsButton />
          </>
        }
        primary={create}
      />
      <PageBody width="fill">
        <DataTable
          id="policies"
          label="policies"
          columns={policyColumns}
          rows={rows}
          getRowId={(row) => row.id}
          status={policies.status}
          error={policies.error ? failureSentence(policies.error) : null}
          stillWorks="What is in force stays in force, and agents are still answered."
          onRetry={() => void policies.refetch()}
          stale={stale}
          onOpen={(row) => router.push(`/policies/${row.id}`)}
          rowHeight={40}
          empty={
            <EmptyState
              icon={FileCode}
              title="No policies yet: agents run unrestricted"
              command="npm run -s quarterdeck -- policy publish FILE.yaml --name NAME"
              action={
                <>
                  <Button onClick={() => setCreating(true)}>
                    <Plus aria-hidden /> Create a starting policy
                  </Button>
                  <Button onClick={showPacks}>
                    <Package aria-hidden /> Start from a pack
                  </Button>
                </>
              }
            >
              A policy holds hooks: commands that run at points of an agent's life and may stop what it is about to do.
              The starting policy denies recursive deletes; publish it, and it binds every agent.
            </EmptyState>
          }
        />
      </PageBody>
      <PacksDrawer open={arePacksOpen} onClose={() => router.replace("/policies", { scroll: false })} />
      <CreatePolicyDialog open={isCreating} onOpenChange={setCreating} />
      <ImportDialog open={isImporting} onOpenChange={setImporting} />
      <OrderDialog open={isOrdering} onOpenChange={setOrdering} />
      <FreezeDialog open={isFreezing} onOpenChange={setFreezing} />
      <ReviewsDrawer />
      <ReviewDrawer />
    </>
  );
}
