"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { PermittedButton } from "@/components/access/permitted-button";
import { ActDialog } from "@/components/layout/act-dialog";
import { useTRPC } from "@/components/trpc/client";
import { Form, FormField, useForm } from "@/components/ui/form";
import { needed } from "@/components/ui/form-texts";
import { plural } from "@/components/ui/format/count";
import { Input } from "@/components/ui/input";
import { Section } from "@/components/ui/section";
import { type ErasePerson, erasePerson } from "@/server/record/schema";

const eraseForm = erasePerson.extend({
  person: needed("Enter the person's e-mail address or ID.").pipe(erasePerson.shape.person),
});

/** Removes the names of a former member from the record. */
export function ErasePersonSection() {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const form = useForm(eraseForm, { person: "", reason: "" });
  const [asked, setAsked] = useState<ErasePerson | null>(null);
  return (
    <Section title="Erase a person" framed>
      <Form
        form={form}
        onSubmit={setAsked}
        foot={
          <PermittedButton to="record:manage" type="submit" className="w-fit">
            Erase person
          </PermittedButton>
        }
      >
        <p className="text-muted">
          The record keeps what a former member did, under the name “an erased person”. Very old entries, and texts that
          people wrote, keep the real name.
        </p>
        <div className="grid gap-4 sm:grid-cols-2">
          <FormField form={form} name="person" label="Person to erase">
            {(field) => <Input {...field} placeholder="address, or id in an entry" />}
          </FormField>
          <FormField form={form} name="reason" label="Reason to erase the person">
            {(field) => <Input {...field} placeholder="Request of 2026-11-20" />}
          </FormField>
        </div>
      </Form>
      <ActDialog
        mutation={trpc.audit.erasePerson.mutationOptions()}
        input={asked}
        onClose={() => setAsked(null)}
        title="Erase this person's name from the audit log?"
        confirm="Erase for good"
        typed="erase"
        success={({ names }) => `Erased the name in ${plural(names, "entry", "entries")}`}
        onDone={() => {
          void queries.invalidateQueries(trpc.audit.pathFilter());
          form.reset();
        }}
      >
        The entries of {asked?.person} no longer show who acted. Only a backup can restore the name.
      </ActDialog>
    </Section>
  );
}
