"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { PermittedButton } from "@/components/access/permitted-button";
import { type PolicyTargets, usePutInForce } from "@/components/layout/put-in-force/use-put-in-force";
import { toastWithUndo } from "@/components/layout/undo-toast";
import { AskPlaceField } from "@/components/policies/form/ask-place-field";
import { counted } from "@/components/policies/labels";
import { InstalledPack } from "@/components/policies/packs/installed-pack";
import { PackImpact } from "@/components/policies/packs/pack-impact";
import { type Choice, TargetChoice, useTargets } from "@/components/policies/packs/target-choice";
import { useRollBack } from "@/components/policies/rollout/put-in-force-dialog";
import { failureSentence } from "@/components/trpc/failure";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { ErrorLine } from "@/components/ui/error-state";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Link } from "@/components/ui/link";
import type { AskPlace, PackView } from "@/server/packs/schema";
import { policyName } from "@/server/policies/schema";

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
      {pack ? <Content pack={pack} onClose={onClose} /> : null}
    </Dialog>
  );
}

interface InstallChoices {
  readonly asks: AskPlace;
  /** The name of a second copy; null for the pack's own title. */
  readonly name: string | null;
}

/** Installs the pack and opens its policy; a toast offers to undo a publication. */
function useInstall(pack: PackView) {
  const router = useRouter();
  const rollBack = useRollBack();
  const { putInForce, ...state } = usePutInForce();
  const install = async (targets: PolicyTargets, { asks, name }: InstallChoices, isPublished: boolean) => {
    const from = { packId: pack.id, ...(pack.asks !== "" && { asks }), ...(name !== null && { name }) };
    const { policyId, published } = await putInForce({ from, targets, isPublished });
    router.push(`/policies/${policyId}`);
    if (published === null) return;
    const { name: made, number, agents, entry } = published;
    toastWithUndo({
      title: `${made} is in force`,
      description: `Applies to ${counted(agents, "agent")}.`,
      undo: () => rollBack({ policyId, number: 0, expectedLive: number, undoes: entry }).then(() => undefined),
      undone: `No revision of ${made} is in force`,
    });
  };
  return { ...state, install };
}

interface ContentProps {
  pack: PackView;
  onClose: () => void;
}

/** The policies of a pack that is installed, or the form that installs it. A second copy is made only by choice. */
function Content({ pack, onClose }: ContentProps) {
  const [isCopy, setCopy] = useState(false);
  if (pack.installed.length === 0) return <Form pack={pack} isCopy={false} onClose={onClose} />;
  return (
    <div className="flex flex-col gap-4">
      <section aria-label="Installed policies" className="flex flex-col gap-2 rounded-md border bg-sunken px-3 py-2">
        <p>
          This pack is installed already. To change its agents or its rules, open{" "}
          {pack.installed.length === 1 ? "the policy" : "its policies"}.
        </p>
        {pack.installed.map((one) => (
          <InstalledPack key={one.policyId} installed={one} version={pack.version} />
        ))}
      </section>
      {isCopy ? (
        <Form pack={pack} isCopy onClose={onClose} />
      ) : (
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={() => setCopy(true)}>Install a second copy…</Button>
          <Button variant="primary" onClick={onClose}>
            Close
          </Button>
        </div>
      )}
    </div>
  );
}

/** The validation error of a policy's name; null when it is valid. */
const wrongWith = (name: string) => policyName.safeParse(name).error?.issues[0]?.message ?? null;

function Form({ pack, isCopy, onClose }: ContentProps & { isCopy: boolean }) {
  const targets = useTargets();
  const [asks, setAsks] = useState<AskPlace>("terminal");
  const [name, setName] = useState("");
  const { install, error, isBusy, policyId } = useInstall(pack);
  const save = (isPublished: boolean) => {
    // The failure is shown by the mutations' own state.
    void install(targets.chosen, { asks, name: isCopy ? name : null }, isPublished).catch(() => undefined);
  };
  const { scope } = targets.chosen;
  const isIncomplete = targets.isNobody || (isCopy && wrongWith(name) !== null);
  return (
    <div className="flex flex-col gap-4">
      {isCopy ? (
        <Field
          label="Name of the second copy"
          help={`For example: ${pack.title} for CI.`}
          error={name === "" ? null : wrongWith(name)}
        >
          <Input value={name} onChange={(event) => setName(event.target.value)} />
        </Field>
      ) : null}
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
        <Button busy={isBusy} disabled={isIncomplete} onClick={() => save(false)}>
          Create draft
        </Button>
        <PermittedButton
          to="policy:publish"
          variant="primary"
          busy={isBusy}
          disabled={isIncomplete || scope === ("later" satisfies Choice)}
          onClick={() => save(true)}
        >
          Install and publish
        </PermittedButton>
      </div>
    </div>
  );
}
