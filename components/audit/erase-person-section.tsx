"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { PermittedButton } from "@/components/access/permitted-button";
import { useTRPC } from "@/components/trpc/client";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { Field } from "@/components/ui/field";
import { plural } from "@/components/ui/format/count";
import { Input } from "@/components/ui/input";
import { Section } from "@/components/ui/section";
import { toast } from "@/components/ui/toast";

/** Takes the names of somebody who left out of the record. */
export function ErasePersonSection() {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [person, setPerson] = useState("");
  const [reason, setReason] = useState("");
  const [isAsked, setAsked] = useState(false);
  const erase = useMutation(trpc.audit.erasePerson.mutationOptions());
  const isReady = person.trim() !== "" && reason.trim() !== "";
  return (
    <Section title="Erase a person" framed>
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady) setAsked(true);
        }}
      >
        <p className="text-muted">
          The record keeps what a former member did, and names “an erased person” for it. Entries from before names were
          kept apart, and texts that people wrote, stay as they are.
        </p>
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label="Person to erase">
            <Input
              value={person}
              placeholder="address, or id in an entry"
              onChange={(event) => setPerson(event.target.value)}
            />
          </Field>
          <Field label="Reason to erase the person">
            <Input
              value={reason}
              placeholder="Request of 2026-11-20"
              onChange={(event) => setReason(event.target.value)}
            />
          </Field>
        </div>
        <PermittedButton to="record:manage" type="submit" className="w-fit" disabled={!isReady}>
          Erase person
        </PermittedButton>
      </form>
      <ConfirmDialog
        open={isAsked}
        onOpenChange={setAsked}
        title="Erase this person's names?"
        confirm="Erase for good"
        typed="erase"
        onConfirm={async () => {
          const { names } = await erase.mutateAsync({ person: person.trim(), reason: reason.trim() });
          toast.success(`Erased the name in ${plural(names, "entry", "entries")}`);
          void queries.invalidateQueries(trpc.audit.pathFilter());
          setPerson("");
          setReason("");
        }}
      >
        Nobody can tell afterwards who acted in the entries of {person.trim()}. It cannot be brought back, except from a
        backup.
      </ConfirmDialog>
    </Section>
  );
}
