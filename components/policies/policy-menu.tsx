"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Copy, Download, Ellipsis, Eye, FileInput, Package, RotateCcw, Trash2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import type { DraftAutosave, DraftState } from "@/components/layout/draft/draft-autosave";
import { orSecondPerson, worded } from "@/components/layout/four-eyes/second-person";
import { type Binding, counted, reach } from "@/components/policies/labels";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { copyText } from "@/components/ui/copy-button";
import { IconButton } from "@/components/ui/icon-button";
import { loadWhenOpened } from "@/components/ui/load-when-opened";
import { Menu } from "@/components/ui/menu";
import { saveFile } from "@/components/ui/save-file";
import { toast } from "@/components/ui/toast";
import type { PolicyDetailView } from "@/server/policies/schema";

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
export function PolicyMenu({ policy, binding, draft, keeper, onFourEyes }: PolicyMenuProps) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const router = useRouter();
  const [asked, setAsked] = useState<"discard" | "remove" | "import" | null>(null);
  const discard = useMutation(trpc.policies.discardDraft.mutationOptions());
  const remove = useMutation(trpc.policies.remove.mutationOptions(orSecondPerson("remove")));
  const hasDraft = draft.version > 0 || draft.text !== draft.saved;
  const bound = reach(binding);
  const discardIt = async () => {
    await keeper.saveNow();
    await worded(discard.mutateAsync({ policyId: policy.id }));
    const held = await queries.fetchQuery({ ...trpc.policies.get.queryOptions({ policyId: policy.id }), staleTime: 0 });
    const text = draft.text;
    keeper.takeTheirs(held);
    toast("The draft is gone", {
      description: "The editor shows what is in force.",
      duration: 15_000,
      action: { label: "Undo", onClick: () => keeper.type(text) },
    });
  };
  const removeIt = async () => {
    await worded(remove.mutateAsync({ policyId: policy.id }));
    keeper.takeTheirs({ ...policy, source: draft.saved });
    await queries.invalidateQueries({ queryKey: trpc.policies.list.queryKey() });
    toast.success(`${policy.name} is deleted`);
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
      toast.error("The bundle could not be made", { description: failureSentence(error) });
    }
  };
  const take = (source: string) => {
    const text = draft.text;
    keeper.type(source);
    toast("The editor holds what was imported", { action: { label: "Undo", onClick: () => keeper.type(text) } });
  };
  return (
    <>
      <Menu
        trigger={<IconButton icon={Ellipsis} label="More" />}
        items={[
          {
            label: "Copy text",
            icon: Copy,
            onSelect: () => void copyText(draft.text).then(() => toast.success("The text is copied")),
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
            onSelect: () => void exportBundle(),
          },
          { label: "Import into this draft…", icon: FileInput, onSelect: () => setAsked("import") },
          { label: "Four eyes…", icon: Eye, onSelect: onFourEyes },
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
      <ImportDialog
        open={asked === "import"}
        onOpenChange={(isOpen) => setAsked(isOpen ? "import" : null)}
        onTake={take}
      />
      <ConfirmDialog
        open={asked === "discard"}
        onOpenChange={(isOpen) => setAsked(isOpen ? "discard" : null)}
        title="Discard the draft?"
        confirm="Discard draft"
        onConfirm={discardIt}
      >
        <p>The editor goes back to what was published last. No agent notices.</p>
      </ConfirmDialog>
      <ConfirmDialog
        open={asked === "remove"}
        onOpenChange={(isOpen) => setAsked(isOpen ? "remove" : null)}
        title={`Delete ${policy.name}?`}
        confirm="Delete policy"
        typed={policy.name}
        onConfirm={removeIt}
      >
        <p>
          {policy.latestRevision === 0
            ? "It was never published, so no agent is bound by it. Its draft is lost."
            : bound === 0
              ? `No agent is bound by it now. Its draft and ${counted(policy.latestRevision, "revision")} are lost.`
              : `${counted(bound, "agent")} will not be bound by it any more, from the next event on: what it denied will run. Its draft and ${counted(policy.latestRevision, "revision")} are lost.`}
        </p>
        <p>What was decided under it stays recorded.</p>
      </ConfirmDialog>
    </>
  );
}
