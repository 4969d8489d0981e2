"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useWatch } from "react-hook-form";
import { usePermission } from "@/components/access/permission";
import { RoleMatrix } from "@/components/settings/role-matrix";
import { ROLE_OPTIONS, ROLE_SAYS } from "@/components/settings/roles";
import { useTRPC } from "@/components/trpc/client";
import { Dialog } from "@/components/ui/dialog";
import { Form, FormField, useForm } from "@/components/ui/form";
import { Input } from "@/components/ui/input";
import { Notice } from "@/components/ui/notice";
import { Select } from "@/components/ui/select";
import { ShownOnce } from "@/components/ui/shown-once";
import { toast } from "@/components/ui/toast";
import { type Invite, type InvitedView, invite as inviteInput } from "@/server/people/schema";

/** Nobody but the reader of the mail has the link, so that opening it proves the address. */
const MAILED = "The link is sent only by e-mail. If it does not arrive, invite the address again.";

export interface InviteDialogProps {
  open: boolean;
  /** The role that is selected first. */
  role: Invite["role"];
  onOpenChange: (open: boolean) => void;
  onInvited: () => Promise<unknown>;
}

/** Invites one address; the link is mailed, or copied. */
export function InviteDialog({ open, role, onOpenChange, onInvited }: InviteDialogProps) {
  const [invited, setInvited] = useState<InvitedView | null>(null);
  return (
    <>
      <Dialog
        open={open}
        onOpenChange={onOpenChange}
        size="lg"
        title="Invite a person"
        description="The person gets a single-use link that works for a week."
      >
        {open ? (
          <InviteForm
            firstRole={role}
            onClose={() => onOpenChange(false)}
            onInvited={(made) => {
              onOpenChange(false);
              if (made.link === null) toast.success("Invitation sent", { description: MAILED });
              else setInvited(made);
              void onInvited();
            }}
          />
        ) : null}
      </Dialog>
      <ShownOnce
        secret={invited?.link ?? null}
        title="Share this link"
        description="Any person who opens the link can join. The link is shown only once and does not verify the address."
        noun="link"
        onClose={() => setInvited(null)}
      >
        {invited?.mailProblem ? <Notice kind="warning">{invited.mailProblem}</Notice> : null}
      </ShownOnce>
    </>
  );
}

interface InviteFormProps {
  firstRole: Invite["role"];
  onClose: () => void;
  onInvited: (made: InvitedView) => void;
}

function InviteForm({ firstRole, onClose, onInvited }: InviteFormProps) {
  const trpc = useTRPC();
  const owners = usePermission("owner:manage");
  const form = useForm(inviteInput, { email: "", role: firstRole });
  const role = useWatch({ control: form.control, name: "role" });
  const invite = useMutation(trpc.people.invite.mutationOptions());
  return (
    <Form
      form={form}
      onSubmit={async (values) => onInvited(await invite.mutateAsync(values))}
      action="Create invitation"
      onCancel={onClose}
    >
      <FormField form={form} name="email" label="E-mail">
        {(field) => <Input {...field} type="email" autoFocus autoComplete="off" />}
      </FormField>
      <FormField form={form} name="role" label="Role" help={ROLE_SAYS[role]}>
        {(field) => (
          <Select
            {...field}
            options={ROLE_OPTIONS.map((one) => ({ ...one, disabled: one.value === "owner" && !owners.isGranted }))}
          />
        )}
      </FormField>
      <details className="rounded-md border px-3 py-2">
        <summary className="cursor-pointer text-sm">Compare roles</summary>
        <div className="mt-2">
          <RoleMatrix of={role} />
        </div>
      </details>
    </Form>
  );
}
