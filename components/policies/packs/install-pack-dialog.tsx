"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { PermittedButton } from "@/components/access/permitted-button";
import { type PolicyTargets, usePutInForce } from "@/components/layout/put-in-force/use-put-in-force";
import { toastWithUndo } from "@/components/layout/undo-toast";
import { AskPlaceField } from "@/components/policies/form/ask-place-field";
import { counted } from "@/components/policies/labels";
import { PackImpact } from "@/components/policies/packs/pack-impact";
import { type Choice, TargetChoice, useTargets } from "@/components/policies/packs/target-choice";
import { useRollBack } from "@/components/policies/rollout/put-in-force-dialog";
import { failureSentence } from "@/components/trpc/failure";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { ErrorLine } from "@/components/ui/error-state";
import { Link } from "@/components/ui/link";
import type { AskPlace, PackView } from "@/server/packs/schema";

interface InstallPackDialogProps {
  pack: PackView | null;
  onClose: () => void;
}

/** Makes a policy of the pack for the agents that a person chooses: published at once, or as a draft. */
export function InstallPackDialog({ pack, onClose }: InstallPackDialogProps) {
  return (
    <Dialog
      open={pack !== null}
      onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}
      title={`Install ${pack?.title ?? ""}`}
      description={pack?.promise}
    >
      {pack ? <Form pack={pack} onClose={onClose} /> : null}
    </Dialog>
  );
}

/** Installs the pack and opens its policy; a toast offers to undo a publication. */
function useInstall(pack: PackView) {
  const router = useRouter();
  const rollBack = useRollBack();
  const { putInForce, ...state } = usePutInForce();
  const install = async (targets: PolicyTargets, asks: AskPlace, isPublished: boolean) => {
    const from = { packId: pack.id, ...(pack.asks !== "" && { asks }) };
    const { policyId, published } = await putInForce({ from, targets, isPublished });
    router.push(`/policies/${policyId}`);
    if (published === null) return;
    const { name, number, agents, entry } = published;
    toastWithUndo({
      title: `${name} is in force`,
      description: `Applies to ${counted(agents, "agent")}.`,
      undo: () => rollBack({ policyId, number: 0, expectedLive: number, undoes: entry }).then(() => undefined),
      undone: `No revision of ${name} is in force`,
    });
  };
  return { ...state, install };
}

function Form({ pack, onClose }: { pack: PackView; onClose: () => void }) {
  const targets = useTargets();
  const [asks, setAsks] = useState<AskPlace>("terminal");
  const { install, error, isBusy, policyId } = useInstall(pack);
  const save = (isPublished: boolean) => {
    // The failure is shown by the mutations' own state.
    void install(targets.chosen, asks, isPublished).catch(() => undefined);
  };
  const { scope } = targets.chosen;
  return (
    <div className="flex flex-col gap-4">
      <TargetChoice targets={targets} />
      {pack.asks === "" ? null : <AskPlaceField value={asks} onChange={setAsks} />}
      <div className="text-sm">
        <PackImpact packId={pack.id} />
      </div>
      {error ? (
        <ErrorLine>
          {failureSentence(error)}
          {policyId === null ? null : (
            <>
              {" "}
              <Link className="link" href={`/policies/${policyId}`}>
                Open the draft
              </Link>
            </>
          )}
        </ErrorLine>
      ) : null}
      <div className="-bottom-2 -mx-4 -mb-2 sticky flex flex-wrap justify-end gap-2 border-line border-t bg-raised px-4 py-3">
        <Button onClick={onClose}>Cancel</Button>
        <Button busy={isBusy} disabled={targets.isNobody} onClick={() => save(false)}>
          Create draft
        </Button>
        <PermittedButton
          to="policy:publish"
          variant="primary"
          busy={isBusy}
          disabled={targets.isNobody || scope === ("later" satisfies Choice)}
          onClick={() => save(true)}
        >
          Install and publish
        </PermittedButton>
      </div>
    </div>
  );
}
