"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { usePrincipals } from "@/components/principals/use-principals";
import { useTRPC } from "@/components/trpc/client";
import { Dialog } from "@/components/ui/dialog";
import { Form, FormField, useForm } from "@/components/ui/form";
import { Notice } from "@/components/ui/notice";
import { Select } from "@/components/ui/select";
import { toast } from "@/components/ui/toast";
import { type MergePeople, mergePeople, type PersonView } from "@/server/principals/schema";

export interface MergeDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  person: PersonView;
}

/** Merges a person into another one that turned out to be the same. */
export function MergeDialog({ open, onOpenChange, person }: MergeDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      size="sm"
      title={`Merge ${person.name}`}
      description="Agents, calls and costs of both are shown under the person that you choose. Records keep their ids. There is no undo."
    >
      {open ? <MergeForm person={person} onClose={() => onOpenChange(false)} /> : null}
    </Dialog>
  );
}

function MergeForm({ person, onClose }: { person: PersonView; onClose: () => void }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const { all } = usePrincipals();
  const form = useForm(mergePeople, { personId: person.id, intoId: "" });
  const merge = useMutation(trpc.principals.merge.mutationOptions());
  const submit = async (values: MergePeople) => {
    await merge.mutateAsync(values);
    toast.success(`${person.name} merged`);
    void queries.invalidateQueries({ queryKey: trpc.principals.pathKey() });
    onClose();
  };
  const options = all
    .filter(({ id, kind, isErased }) => id !== person.id && kind === person.kind && !isErased)
    .map(({ id, name }) => ({ value: id, label: name }));
  if (options.length === 0)
    return (
      <Notice>
        This workspace has no other {person.kind} to merge with {person.name}.
      </Notice>
    );
  return (
    <Form form={form} onSubmit={submit} action="Merge" onCancel={onClose}>
      <FormField form={form} name="intoId" label="Merge into">
        {(field) => <Select {...field} options={options} />}
      </FormField>
    </Form>
  );
}
