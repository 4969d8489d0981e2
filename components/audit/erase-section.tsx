"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { z } from "zod";
import { PermittedButton } from "@/components/access/permitted-button";
import { ErasureList } from "@/components/audit/erasure-list";
import { ActDialog } from "@/components/layout/act-dialog";
import { useTRPC } from "@/components/trpc/client";
import { Form, FormField, useForm } from "@/components/ui/form";
import { textOrNull } from "@/components/ui/form-texts";
import { Input } from "@/components/ui/input";
import { Section } from "@/components/ui/section";
import { toast } from "@/components/ui/toast";
import { type RequestErasure, requestErasure } from "@/server/record/schema";

const eraseForm = z.object({ sessionId: textOrNull, agentName: textOrNull, reason: z.string() }).pipe(requestErasure);

/** Requests to erase the content of a session, or of an agent by its name, from every table. */
export function EraseSection() {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const form = useForm(eraseForm, { sessionId: "", agentName: "", reason: "" });
  const [asked, setAsked] = useState<RequestErasure | null>(null);
  return (
    <Section title="Erase on request" framed>
      <Form
        form={form}
        onSubmit={setAsked}
        foot={
          <PermittedButton to="record:manage" type="submit" className="w-fit">
            Erase content
          </PermittedButton>
        }
      >
        <p className="text-muted">
          Removes inputs, answers and reasons. An alias replaces the agent's name. Counts, tokens, costs, verdicts and
          the proof stay.
        </p>
        <div className="grid gap-4 sm:grid-cols-2">
          <FormField form={form} name="sessionId" label="Session to erase" aside="optional">
            {(field) => <Input {...field} placeholder="its id" />}
          </FormField>
          <FormField form={form} name="agentName" label="Name of the agent to erase" aside="optional">
            {(field) => <Input {...field} placeholder="as it was sent" />}
          </FormField>
        </div>
        <FormField form={form} name="reason" label="Reason for erasing">
          {(field) => <Input {...field} placeholder="Request of 2026-11-20" />}
        </FormField>
      </Form>
      <div className="mt-6">
        <ErasureList />
      </div>
      <ActDialog
        mutation={trpc.audit.requestErasure.mutationOptions()}
        input={asked}
        onClose={() => setAsked(null)}
        title="Erase this content?"
        confirm="Erase for good"
        typed="erase"
        onDone={() => {
          toast.success("Erasure starts within seconds", { description: "The list of erasures shows how far it is." });
          void queries.invalidateQueries(trpc.audit.pathFilter());
          form.reset();
        }}
      >
        All inputs, answers and texts
        {asked?.sessionId ? ` in the session ${asked.sessionId}` : ""}
        {asked?.agentName ? ` by ${asked.agentName}` : ""} are erased, also those that are reported later. Only a backup
        can restore them. Content under a legal hold is kept.
      </ActDialog>
    </Section>
  );
}
