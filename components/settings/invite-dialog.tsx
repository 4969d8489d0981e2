"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { usePermission } from "@/components/access/permission";
import { RoleMatrix } from "@/components/settings/role-matrix";
import { ROLE_OPTIONS, ROLE_SAYS } from "@/components/settings/roles";
import { ShownOnce } from "@/components/settings/shown-once";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { ErrorLine } from "@/components/ui/error-state";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Notice } from "@/components/ui/notice";
import { Select } from "@/components/ui/select";
import { toast } from "@/components/ui/toast";
import type { Role } from "@/server/access/role-schema";
import { type InvitedView, invite as inviteInput } from "@/server/people/schema";

/** Nobody but the reader of the mail has the link, so that opening it proves the address. */
const MAILED = "The link is in the mail alone. Should it not arrive, invite the address again.";

export interface InviteDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onInvited: () => Promise<unknown>;
}

/** Invites one address; the link goes by mail, or is copied. */
export function InviteDialog({ open, onOpenChange, onInvited }: InviteDialogProps) {
  const [invited, setInvited] = useState<InvitedView | null>(null);
  return (
    <>
      <Dialog
        open={open}
        onOpenChange={onOpenChange}
        size="lg"
        title="Invite a person"
        description="They get a single-use link that works for a week."
      >
        {open ? (
          <Form
            onClose={() => onOpenChange(false)}
            onInvited={(made) => {
              onOpenChange(false);
              if (made.link === null) toast.success("The invitation was mailed", { description: MAILED });
              else setInvited(made);
              void onInvited();
            }}
          />
        ) : null}
      </Dialog>
      <ShownOnce
        secret={invited?.link ?? null}
        title="Hand over this link"
        description="Whoever opens it joins. It is shown this once, and does not prove the address."
        noun="link"
        onClose={() => setInvited(null)}
      >
        {invited?.mailProblem ? <Notice kind="warning">{invited.mailProblem}</Notice> : null}
      </ShownOnce>
    </>
  );
}

function Form({ onClose, onInvited }: { onClose: () => void; onInvited: (made: InvitedView) => void }) {
  const trpc = useTRPC();
  const owners = usePermission("owner:manage");
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<Role>("viewer");
  const [wrong, setWrong] = useState<string | undefined>();
  const invite = useMutation(trpc.people.invite.mutationOptions({ onSuccess: onInvited }));
  const submit = () => {
    const parsed = inviteInput.safeParse({ email, role });
    setWrong(parsed.error?.issues[0]?.message);
    if (parsed.success) invite.mutate(parsed.data);
  };
  return (
    <form
      noValidate
      className="flex flex-col gap-4 pb-3"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Field label="E-mail" error={wrong}>
        <Input
          type="email"
          autoFocus
          autoComplete="off"
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
      </Field>
      <Field label="Role" help={ROLE_SAYS[role]}>
        <Select
          value={role}
          onChange={setRole}
          options={ROLE_OPTIONS.map((one) => ({ ...one, disabled: one.value === "owner" && !owners.isGranted }))}
        />
      </Field>
      <details className="rounded-md border px-3 py-2">
        <summary className="cursor-pointer text-sm">Compare roles</summary>
        <div className="mt-2">
          <RoleMatrix of={role} />
        </div>
      </details>
      {invite.error ? <ErrorLine>{failureSentence(invite.error)}</ErrorLine> : null}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="primary" busy={invite.isPending}>
          Make the invitation
        </Button>
      </div>
    </form>
  );
}
