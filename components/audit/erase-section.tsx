"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { PermittedButton } from "@/components/access/permitted-button";
import { ErasureList } from "@/components/audit/erasure-list";
import { useTRPC } from "@/components/trpc/client";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Section } from "@/components/ui/section";
import { toast } from "@/components/ui/toast";

/** Requests to erase the content of a session, or of whoever an agent's name stands for, from every table. */
export function EraseSection() {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [session, setSession] = useState("");
  const [agent, setAgent] = useState("");
  const [reason, setReason] = useState("");
  const [isAsked, setAsked] = useState(false);
  const erase = useMutation(trpc.audit.requestErasure.mutationOptions());
  const isReady = (session.trim() !== "" || agent.trim() !== "") && reason.trim() !== "";
  return (
    <Section title="Erase on request" framed>
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady) setAsked(true);
        }}
      >
        <p className="text-muted">
          Inputs, answers and reasons go, and an agent's name gives way to an alias. Counts, tokens, costs and verdicts
          stay, and so does the proof.
        </p>
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label="Session to erase" aside="optional">
            <Input value={session} placeholder="its id" onChange={(event) => setSession(event.target.value)} />
          </Field>
          <Field label="Agent's name to erase" aside="optional">
            <Input value={agent} placeholder="as it was sent" onChange={(event) => setAgent(event.target.value)} />
          </Field>
        </div>
        <Field label="Reason for erasing">
          <Input
            value={reason}
            placeholder="Request of 2026-11-20"
            onChange={(event) => setReason(event.target.value)}
          />
        </Field>
        <PermittedButton to="record:manage" type="submit" className="w-fit" disabled={!isReady}>
          Erase content
        </PermittedButton>
      </form>
      <div className="mt-6">
        <ErasureList />
      </div>
      <ConfirmDialog
        open={isAsked}
        onOpenChange={setAsked}
        title="Erase this content?"
        confirm="Erase for good"
        typed="erase"
        onConfirm={async () => {
          const asked = { sessionId: session.trim() || null, agentName: agent.trim() || null, reason: reason.trim() };
          await erase.mutateAsync(asked);
          toast.success("Erasing begins within seconds", { description: "Its progress is shown below." });
          void queries.invalidateQueries(trpc.audit.pathFilter());
          setSession("");
          setAgent("");
          setReason("");
        }}
      >
        Everything that was asked, answered and said
        {session.trim() === "" ? "" : ` in the session ${session.trim()}`}
        {agent.trim() === "" ? "" : ` by ${agent.trim()}`} is erased, now and when it is reported later. It cannot be
        brought back, except from a backup; what a legal hold covers stays.
      </ConfirmDialog>
    </Section>
  );
}
