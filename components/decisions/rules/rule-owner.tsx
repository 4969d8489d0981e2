"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { z } from "zod";
import { PermittedButton } from "@/components/access/permitted-button";
import { usePeople } from "@/components/decisions/follow-up/use-people";
import { ActDialog } from "@/components/layout/act-dialog";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { ErrorLine } from "@/components/ui/error-state";
import { FormField, useForm } from "@/components/ui/form";
import { Missing } from "@/components/ui/format/missing";
import { Input } from "@/components/ui/input";
import { KeyValue } from "@/components/ui/key-value";
import { Section } from "@/components/ui/section";
import { Select } from "@/components/ui/select";
import type { RuleCard } from "@/server/decisions/rules/schema";
import { type OwnedRule, type RuleOwnerView, ticket } from "@/server/rule-owners/schema";

/** The person who answers for a rule, and the ticket that asked for it. */
export function RuleOwner({ card: { policyId, event, hook } }: { card: RuleCard }) {
  return policyId === null ? null : <OwnerSection rule={{ policyId, event, hook }} />;
}

function OwnerSection({ rule }: { rule: OwnedRule }) {
  const trpc = useTRPC();
  const { data, error } = useQuery(trpc.ruleOwners.get.queryOptions(rule));
  const [isOpen, setOpen] = useState(false);
  return (
    <Section
      title="Owner"
      actions={
        <PermittedButton to="policy:publish" size="sm" disabled={data === undefined} onClick={() => setOpen(true)}>
          Edit owner…
        </PermittedButton>
      }
    >
      {error && !data ? <ErrorLine>{failureSentence(error)}</ErrorLine> : null}
      <KeyValue
        items={[
          { label: "Owner", value: data ? <OwnerName view={data} /> : "" },
          { label: "Ticket", value: data && data.ticket !== "" ? <TicketLink address={data.ticket} /> : undefined },
        ]}
      />
      {data && isOpen ? <OwnerDialog rule={rule} view={data} onClose={() => setOpen(false)} /> : null}
    </Section>
  );
}

function OwnerName({ view: { owner } }: { view: RuleOwnerView }) {
  if (owner === null) return <Missing reason="The rule has no owner." />;
  return owner.name ?? "a former member";
}

const TicketLink = ({ address }: { address: string }) => (
  <a href={address} target="_blank" rel="noreferrer noopener" className="break-all text-accent underline">
    {address}
  </a>
);

const NO_ONE = "none";
const fields = z.strictObject({
  personId: z.string().transform((id) => (id === NO_ONE ? null : id)),
  ticket,
});

interface OwnerDialogProps {
  rule: OwnedRule;
  view: RuleOwnerView;
  onClose: () => void;
}

function OwnerDialog({ rule, view: { owner, ticket }, onClose }: OwnerDialogProps) {
  const trpc = useTRPC();
  const people = usePeople(true);
  const form = useForm(fields, { personId: owner?.id ?? NO_ONE, ticket });
  const isListed = owner === null || people.some(({ id }) => id === owner.id);
  return (
    <ActDialog
      mutation={trpc.ruleOwners.set.mutationOptions()}
      input={rule}
      form={form}
      onClose={onClose}
      title={`Owner of the rule ${rule.hook}`}
      confirm="Save owner"
      danger={false}
      success="Owner saved"
      onDone={onClose}
    >
      <FormField form={form} name="personId" label="Owner" help="Answers for the rule. It changes no decision.">
        {(field) => (
          <Select
            {...field}
            options={[
              { value: NO_ONE, label: "No owner" },
              ...people.map(({ id, name }) => ({ value: id, label: name })),
              ...(isListed ? [] : [{ value: owner.id, label: owner.name ?? "a former member", disabled: true }]),
            ]}
          />
        )}
      </FormField>
      <FormField
        form={form}
        name="ticket"
        label="Ticket"
        help="Optional. The address of the ticket that asked for the rule."
      >
        {(field) => <Input {...field} placeholder="https://tickets.example/SEC-12" />}
      </FormField>
    </ActDialog>
  );
}
