"use client";

import { CalendarClock, Ellipsis, FileCode, FileInput, ListOrdered, Package, Plus, Snowflake } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { usePermission } from "@/components/access/permission";
import { PermittedButton } from "@/components/access/permitted-button";
import { useCommands } from "@/components/layout/commands";
import { PageBody } from "@/components/layout/page-body";
import { PageHeader } from "@/components/layout/page-header";
import { useRequestedAct } from "@/components/layout/use-requested-act";
import { PoliciesTable } from "@/components/policies/policies-table";
import { FreezeDialog } from "@/components/policies/rollout/freeze-dialog";
import { FreezeWindowsDialog } from "@/components/policies/rollout/freeze-windows-dialog";
import { useLiveQueries } from "@/components/trpc/live-queries";
import { useHotkey } from "@/components/ui/hotkeys/use-hotkey";
import { IconButton } from "@/components/ui/icon-button";
import { loadWhenOpened } from "@/components/ui/load-when-opened";
import { Menu } from "@/components/ui/menu";
import { useNarrow } from "@/components/ui/use-media";

const CreatePolicyDialog = loadWhenOpened(() =>
  import("@/components/policies/create-policy-dialog").then((one) => one.CreatePolicyDialog),
);
const ImportDialog = loadWhenOpened(() =>
  import("@/components/policies/import-dialog").then((one) => one.ImportDialog),
);
const OrderDialog = loadWhenOpened(() =>
  import("@/components/policies/rollout/order-dialog").then((one) => one.OrderDialog),
);

/** Every policy: what is in force, for whom, and since when. */
export function PoliciesPage() {
  useLiveQueries(["policies", "agents"]);
  const router = useRouter();
  const [isCreating, setCreating] = useState(false);
  const [isImporting, setImporting] = useState(false);
  const [isOrdering, setOrdering] = useState(false);
  const [isFreezing, setFreezing] = useState(false);
  const [isPlanning, setPlanning] = useState(false);
  const showPacks = () => router.push("/policies/packs");
  const narrow = useNarrow();
  const enabled = usePermission("policy:write").isGranted;
  useHotkey("c", () => setCreating(true), { label: "New policy", group: "Policies", enabled });
  useRequestedAct({
    create: () => setCreating(true),
    import: () => setImporting(true),
    order: () => setOrdering(true),
    freeze: () => setFreezing(true),
    "freeze-windows": () => setPlanning(true),
  });
  useCommands([
    { id: "policy.new", label: "New policy", icon: FileCode, keys: "c", run: () => setCreating(true) },
    { id: "policy.packs", label: "Create a policy from a pack", icon: Package, run: showPacks },
    {
      id: "policy.order",
      label: "Change the order in which policies run",
      icon: ListOrdered,
      run: () => setOrdering(true),
    },
    { id: "policy.freeze", label: "Freeze changes", icon: Snowflake, run: () => setFreezing(true) },
    { id: "policy.freeze-windows", label: "Freeze windows", icon: CalendarClock, run: () => setPlanning(true) },
    { id: "policy.import", label: "Import a policy", icon: FileInput, run: () => setImporting(true) },
  ]);
  const acts = [
    { to: "policy:write", label: "Import…", icon: FileInput, onSelect: () => setImporting(true) },
    { to: "policy:publish", label: "Priority…", icon: ListOrdered, onSelect: () => setOrdering(true) },
    { to: "policy:govern", label: "Freeze changes…", icon: Snowflake, onSelect: () => setFreezing(true) },
    { to: "policy:govern", label: "Freeze windows…", icon: CalendarClock, onSelect: () => setPlanning(true) },
  ] as const;
  const create = (
    <PermittedButton to="policy:write" variant="primary" onClick={() => setCreating(true)}>
      <Plus aria-hidden /> New policy
    </PermittedButton>
  );
  return (
    <>
      <PageHeader
        live
        actions={
          narrow ? (
            <Menu trigger={<IconButton icon={Ellipsis} label="More" />} items={acts} />
          ) : (
            acts.map(({ to, label, icon: Icon, onSelect }) => (
              <PermittedButton key={label} to={to} onClick={onSelect} place="max-sm:hidden">
                <Icon aria-hidden /> <span className="max-lg:sr-only">{label}</span>
              </PermittedButton>
            ))
          )
        }
        primary={create}
      />
      <PageBody width="fill">
        <PoliciesTable onCreate={() => setCreating(true)} onPacks={showPacks} />
      </PageBody>
      <CreatePolicyDialog open={isCreating} onOpenChange={setCreating} />
      <ImportDialog open={isImporting} onOpenChange={setImporting} />
      <OrderDialog open={isOrdering} onOpenChange={setOrdering} />
      <FreezeDialog open={isFreezing} onOpenChange={setFreezing} />
      <FreezeWindowsDialog open={isPlanning} onOpenChange={setPlanning} />
    </>
  );
}
