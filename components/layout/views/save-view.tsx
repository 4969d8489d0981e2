"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useSearchParams } from "next/navigation";
import { useWatch } from "react-hook-form";
import { z } from "zod";
import { DisabledWithoutPermission } from "@/components/access/permission";
import { useTRPC } from "@/components/trpc/client";
import { Button } from "@/components/ui/button";
import { Form, FormCheckbox, FormField, useForm } from "@/components/ui/form";
import { Input } from "@/components/ui/input";
import { toast } from "@/components/ui/toast";
import { NAME_CHARS_MAX, saveView, type ViewPage } from "@/server/views/schema";

const viewForm = z.object({ name: saveView.shape.name, isShared: z.boolean() });

/** Saves the page's current filters under a name. */
export function SaveView({ page, onDone }: { page: ViewPage; onDone: () => void }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const params = useSearchParams();
  const form = useForm(viewForm, { name: "", isShared: false });
  const typed = useWatch({ control: form.control, name: "name" });
  const save = useMutation(trpc.views.save.mutationOptions());
  const share = useMutation(trpc.views.share.mutationOptions());
  const submit = async ({ name, isShared }: z.infer<typeof viewForm>) => {
    await (isShared ? share : save).mutateAsync({ page, name, query: params.toString() });
    await queries.invalidateQueries({ queryKey: trpc.views.list.queryKey() });
    toast.success(`The view ${name} is saved`);
    onDone();
  };
  return (
    <Form
      form={form}
      onSubmit={submit}
      className="gap-2 border-line border-t p-3"
      foot={
        <DisabledWithoutPermission to="account:own">
          {(isRefused) => (
            <Button type="submit" busy={form.formState.isSubmitting} disabled={isRefused || typed.trim() === ""}>
              Save view
            </Button>
          )}
        </DisabledWithoutPermission>
      }
    >
      <FormField form={form} name="name" label="View name" help="Saving replaces a view with the same name.">
        {(field) => <Input {...field} maxLength={NAME_CHARS_MAX} />}
      </FormField>
      <DisabledWithoutPermission to="view:share">
        {(isRefused) => (
          <FormCheckbox form={form} name="isShared" disabled={isRefused} label="Share this view with the workspace" />
        )}
      </DisabledWithoutPermission>
    </Form>
  );
}
