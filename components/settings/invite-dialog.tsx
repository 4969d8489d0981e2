"use client";

import { useMutation } from "@tanstack/react-query";
import { useId, useState } from "react";
import { type UseFormReturn, useWatch } from "react-hook-form";
import { z } from "zod";
import { accessWords } from "@/components/access/access-days";
import { usePermission } from "@/components/access/permission";
import { RoleMatrix } from "@/components/settings/role-matrix";
import { ROLE_SAYS } from "@/components/settings/roles";
import { useTRPC } from "@/components/trpc/client";
import { Dialog } from "@/components/ui/dialog";
import { Form, FormField, useForm } from "@/components/ui/form";
import { Input } from "@/components/ui/input";
import { Notice } from "@/components/ui/notice";
import { Select } from "@/components/ui/select";
import { ShownOnce } from "@/components/ui/shown-once";
import { toast } from "@/components/ui/toast";
import { ROLES } from "@/server/access/role-schema";
import { type Invite, type InvitedView, invite as inviteInput } from "@/server/people/schema";

/** Nobody but the reader of the mail has the link, so that opening it proves the address. */
const MAILED = "The link is sent only by e-mail. If the e-mail does not arrive, invite the address again.";

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
        description="The person gets a single-use link that expires in 7 days."
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

const ENDS = ["1", "7", "30"] as const;
const NEVER = "never";
const inviteForm = z.object({
  email: inviteInput.shape.email,
  role: inviteInput.shape.role,
  ends: z.enum([...ENDS, NEVER]),
});
type Ends = z.infer<typeof inviteForm>["ends"];
const END_OPTIONS = [
  { value: NEVER, label: "never" },
  ...ENDS.map((value) => ({ value, label: `after ${accessWords(Number(value))}` })),
] as const;
/** An audit takes a while and then ends; members stay. */
const endOf = (role: Invite["role"]): Ends => (role === "auditor" ? "7" : NEVER);

function InviteForm({ firstRole, onClose, onInvited }: InviteFormProps) {
  const trpc = useTRPC();
  const form = useForm(inviteForm, { role: firstRole, ends: endOf(firstRole), email: "" });
  const role = useWatch({ control: form.control, name: "role" });
  const invite = useMutation(trpc.people.invite.mutationOptions());
  const submit = async ({ ends, ...asked }: z.infer<typeof inviteForm>) =>
    onInvited(await invite.mutateAsync({ ...asked, ...(ends !== NEVER && { accessDays: Number(ends) }) }));
  return (
    <Form form={form} onSubmit={submit} action="Create invitation" onCancel={onClose} pinsButtons>
      <RoleField role={role} onChange={(next) => choose(form, next)} />
      <FormField
        form={form}
        name="ends"
        label="Access ends"
        help={
          role === "owner" ? "An owner's access has no end." : "The access period starts on the day the person joins."
        }
      >
        {(field) => <Select {...field} disabled={role === "owner"} options={END_OPTIONS} className="sm:w-60" />}
      </FormField>
      <FormField form={form} name="email" label="E-mail">
        {(field) => <Input {...field} type="email" autoComplete="off" />}
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

type InviteFormState = UseFormReturn<z.input<typeof inviteForm>, unknown, z.infer<typeof inviteForm>>;

/** Sets the role and the end that suits it. */
function choose(form: InviteFormState, role: Invite["role"]): void {
  form.setValue("role", role);
  form.setValue("ends", endOf(role));
}

function RoleField({ role, onChange }: { role: Invite["role"]; onChange: (role: Invite["role"]) => void }) {
  const owners = usePermission("owner:manage");
  const name = useId();
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="mb-1 font-medium text-sm">Role</legend>
      <div className="flex flex-wrap gap-x-4 gap-y-1.5">
        {ROLES.map((one) => (
          <label key={one} className="flex cursor-pointer items-center gap-2 max-sm:min-h-8">
            <input
              type="radio"
              name={name}
              className="accent-accent"
              checked={one === role}
              disabled={one === "owner" && !owners.isGranted}
              onChange={() => onChange(one)}
            />
            {one}
          </label>
        ))}
      </div>
      <p className="text-faint text-sm">{ROLE_SAYS[role]}</p>
    </fieldset>
  );
}
