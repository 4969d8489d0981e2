"use client";

import { useMutation } from "@tanstack/react-query";
import { z } from "zod";
import { useTRPC } from "@/components/trpc/client";
import { Dialog } from "@/components/ui/dialog";
import { Form, FormField, useForm } from "@/components/ui/form";
import { emptyOr, said, wholeFrom } from "@/components/ui/form-texts";
import { Input } from "@/components/ui/input";
import { toast } from "@/components/ui/toast";

interface RequirementDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  promptId: string;
  min: number | null;
}

/** The dialog for the injection score that a text needs to be published. */
export function RequirementDialog(props: RequirementDialogProps) {
  return (
    <Dialog
      open={props.open}
      onOpenChange={props.onOpenChange}
      size="sm"
      title="Required injection score"
      description="A draft whose injection score is lower cannot be published. Published revisions are not affected."
    >
      {props.open ? <RequirementForm {...props} /> : null}
    </Dialog>
  );
}

const requirementForm = z.object({
  injectionMin: said(emptyOr(wholeFrom(1, 100)), "Enter a whole number from 1 to 100."),
});

function RequirementForm({ onOpenChange, promptId, min }: RequirementDialogProps) {
  const trpc = useTRPC();
  const form = useForm(requirementForm, { injectionMin: min?.toString() ?? "" }, "onChange");
  const set = useMutation(trpc.prompts.setRequirement.mutationOptions());
  const submit = async (requirement: z.infer<typeof requirementForm>) => {
    await set.mutateAsync({ promptId, ...requirement });
    toast.success(requirement.injectionMin === null ? "Requirement removed" : "Requirement saved");
    onOpenChange(false);
  };
  return (
    <Form form={form} onSubmit={submit} action="Save requirement" onCancel={() => onOpenChange(false)}>
      <FormField
        form={form}
        name="injectionMin"
        label="Refused calls, percent"
        aside="optional"
        help="Least share of the injection pack's 60 calls that the judge must refuse."
      >
        {(field) => <Input {...field} inputMode="numeric" placeholder="no requirement" />}
      </FormField>
    </Form>
  );
}
