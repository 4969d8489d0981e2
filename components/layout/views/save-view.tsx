"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useSearchParams } from "next/navigation";
import { type FormEvent, useState } from "react";
import { DisabledWithoutPermission } from "@/components/access/permission";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { toast } from "@/components/ui/toast";
import { NAME_CHARS_MAX, type ViewPage } from "@/server/views/schema";

/** Gives what the page shows now a name. */
export function SaveView({ page, onDone }: { page: ViewPage; onDone: () => void }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const params = useSearchParams();
  const [name, setName] = useState("");
  const [isShared, setShared] = useState(false);
  const saved = {
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: trpc.views.list.queryKey() });
      toast.success(`The view ${name.trim()} is saved`);
      onDone();
    },
  };
  const save = useMutation(trpc.views.save.mutationOptions(saved));
  const share = useMutation(trpc.views.share.mutationOptions(saved));
  const asked = isShared ? share : save;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() !== "") asked.mutate({ page, name, query: params.toString() });
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-2 border-line border-t p-3">
      <Field
        label="Save what is shown now as"
        help="A name in use is given the new view."
        error={asked.isError ? failureSentence(asked.error) : undefined}
      >
        <Input value={name} maxLength={NAME_CHARS_MAX} onChange={(event) => setName(event.target.value)} />
      </Field>
      <DisabledWithoutPermission to="view:share">
        {(isRefused) => (
          <Checkbox checked={isShared} onChange={setShared} disabled={isRefused} label="Share with everybody here" />
        )}
      </DisabledWithoutPermission>
      <DisabledWithoutPermission to="account:own">
        {(isRefused) => (
          <Button type="submit" busy={asked.isPending} disabled={isRefused || name.trim() === ""}>
            Save view
          </Button>
        )}
      </DisabledWithoutPermission>
    </form>
  );
}
