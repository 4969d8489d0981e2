"use client";

import { useQueryClient } from "@tanstack/react-query";
import {
  Copy,
  Download,
  Ellipsis,
  Eye,
  FileInput,
  FileOutput,
  History,
  Package,
  RotateCcw,
  Trash2,
} from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { ActDialog } from "@/components/layout/act-dialog";
import type { DraftAutosave, DraftState } from "@/components/layout/draft/draft-autosave";
import { orSecondPerson } from "@/components/layout/four-eyes/second-person";
import { type Binding, counted, reach } from "@/components/policies/labels";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { copyText } from "@/components/ui/copy-button";
import { IconButton } from "@/components/ui/icon-button";
import { loadWhenOpened } from "@/components/ui/load-when-opened";
import { Menu } from "@/components/ui/menu";
import { saveFile } from "@/components/ui/save-file";
import { toast } from "@/components/ui/toast";
import type { PolicyDetailView } from "@/server/policies/schema";

const ExportDialog = loadWhenOpened(() =>
  import("@/components/native-export/export-dialog").then((one) => one.ExportDialog),
);
const ImportDialog = loadWhenOpened(() =>
  import("@/components/policies/import-dialog").then((one) => one.ImportDialog),
);

export interface PolicyMenuProps {
  policy: PolicyDetailView;
  binding: Binding;
  draft: DraftState;
  keeper: DraftAutosave;
  onFourEyes: () => void;
}

/** The actions on a policy as a whole. */
export function PolicyMenu(props: PolicyMenuProps) {
  const { policy, draft, keeper, onFourEyes } = props;
  const trpc = useTRPC();
  const policyId = policy.id;
  const router = useRouter();
  const [asked, setAsked] = useState<"discard" | "remove" | "import" | "export" | null>(null);
  const acts = usePolicyActs(props);
  const hasDraft = draft.version > 0 || draft.text !== draft.saved;
  const close = () => setAsked(null);
  return (
    <>
      <Menu
        trigger={<IconButton icon={Ellipsis} label="More" />}
        items={[
          {
            label: "Copy text",
            icon: Copy,
            onSelect: () => void copyText(draft.text).then(() => toast.success("Policy copied")),
          },
          {
            label: "Export as file",
            icon: Download,
            onSelect: () => saveFile(`${policy.name}.yaml`, new Blob([draft.text], { type: "application/yaml" })),
          },
          {
            label: "Export as bundle",
            icon: Package,
            disabled: policy.latestRevision === 0,
            onSelect: () => void acts.exportBundle(),
          },
          {
            label: "Export for docker-agent…",
            icon: FileOutput,
            disabled: policy.liveRevision === 0,
            onSelect: () => setAsked("export"),
          },
          { label: "Replace this draft with an import…", icon: FileInput, onSelect: () => setAsked("import") },
          { label: "Second approver…", icon: Eye, onSelect: onFourEyes },
          { label: "Backtests", icon: History, onSelect: () => router.push(`/policies/${policyId}/backtests`) },
          { kind: "separator" },
          {
            label: "Discard the draft…",
            icon: RotateCcw,
            disabled: !hasDraft || policy.latestRevision === 0,
            onSelect: () => setAsked("discard"),
          },
          { label: "Delete the policy…", icon: Trash2, danger: true, onSelect: () => setAsked("remove") },
        ]}
      />
      <ExportDialog
        of={{ policy: policy.name }}
        fileName={policy.name}
        open={asked === "export"}
        onOpenChange={close}
      />
      <ImportDialog open={asked === "import"} onOpenChange={close} onTake={acts.take} />
      <ActDialog
        mutation={trpc.policies.discardDraft.mutationOptions()}
        input={asked === "discard" && (() => keeper.saveNow().then(() => ({ policyId })))}
        onClose={close}
        title="Discard the draft?"
        confirm="Discard draft"
        onDone={acts.showPublished}
      >
        <p>
          The draft is deleted. The editor then shows revision {revisionWithoutDraft(policy)}. Agents are not affected.
        </p>
      </ActDialog>
      <ActDialog
        mutation={trpc.policies.remove.mutationOptions(orSecondPerson("remove"))}
        input={asked === "remove" && { policyId }}
        onClose={close}
        title={`Delete ${policy.name}?`}
        confirm="Delete policy"
        typed={policy.name}
        onDone={acts.leave}
      >
        <p>{removalText(props)}</p>
        <p>Recorded decisions are kept.</p>
      </ActDialog>
    </>
  );
}

function usePolicyActs({ policy, draft, keeper }: PolicyMenuProps) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const router = useRouter();
  // The current text, which the action replaces.
  const undo = { label: "Undo", onClick: () => keeper.type(draft.text) };
  const showPublished = async () => {
    const held = await queries.fetchQuery({ ...trpc.policies.get.queryOptions({ policyId: policy.id }), staleTime: 0 });
    keeper.takeTheirs(held);
    toast("Draft discarded", {
      description: `The editor shows revision ${revisionWithoutDraft(policy)}.`,
      duration: 15_000,
      action: undo,
    });
  };
  const leave = async () => {
    keeper.takeTheirs({ ...policy, source: draft.saved });
    await queries.invalidateQueries({ queryKey: trpc.policies.list.queryKey() });
    toast.success(`${policy.name} deleted`);
    router.push("/policies");
  };
  const exportBundle = async () => {
    try {
      const file = await queries.fetchQuery({
        ...trpc.policies.exportBundle.queryOptions({ policy: { id: policy.id } }),
        staleTime: 0,
      });
      saveFile(`${policy.name}.bundle.json`, new Blob([file], { type: "application/json" }));
    } catch (error) {
      toast.error("The bundle could not be created", { description: failureSentence(error) });
    }
  };
  const take = (source: string) => {
    keeper.type(source);
    toast("The imported policy is in the editor", { action: undo });
  };
  return { showPublished, leave, exportBundle, take };
}

/** The revision that the editor shows while the policy has no draft. */
const revisionWithoutDraft = ({ canary, liveRevision, latestRevision }: PolicyDetailView): number =>
  canary?.revision ?? (liveRevision > 0 ? liveRevision : latestRevision);

function removalText({ policy: { latestRevision }, binding }: PolicyMenuProps): string {
  const bound = reach(binding);
  if (latestRevision === 0)
    return "The policy was never published, so it applies to no agent. The policy and its draft are deleted.";
  const lost = `The draft and ${counted(latestRevision, "revision")} are deleted.`;
  return bound === 0
    ? `The policy applies to no agent. ${lost}`
    : `From the next event, the policy no longer applies to ${counted(bound, "agent")}. Calls that the policy would deny will run. ${lost}`;
}
