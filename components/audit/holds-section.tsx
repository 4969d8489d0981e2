"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import { z } from "zod";
import { PermittedButton } from "@/components/access/permitted-button";
import { ActDialog } from "@/components/layout/act-dialog";
import { useRequestedAct } from "@/components/layout/use-requested-act";
import { useTRPC } from "@/components/trpc/client";
import { everyAgent } from "@/components/trpc/every-page";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Form, FormField, useForm } from "@/components/ui/form";
import { textOrNull } from "@/components/ui/form-texts";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { Input } from "@/components/ui/input";
import { Section } from "@/components/ui/section";
import { Select } from "@/components/ui/select";
import { toast } from "@/components/ui/toast";
import { addHold, type HoldView } from "@/server/record/schema";

/** The legal holds: the data they cover cannot be dropped or erased while they last. */
export function HoldsSection({ holds }: { holds: readonly HoldView[] }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [isPlacing, setPlacing] = useState(false);
  const [releasing, setReleasing] = useState<HoldView | null>(null);
  useRequestedAct({ hold: () => setPlacing(true) });
  const refetch = () => void queries.invalidateQueries(trpc.audit.pathFilter());
  return (
    <Section
      title="Legal hold"
      actions={
        <PermittedButton to="record:manage" onClick={() => setPlacing(true)}>
          <Plus aria-hidden />
          Place a hold
        </PermittedButton>
      }
      framed
      flush
    >
      {holds.length === 0 ? (
        <p className="p-4 text-muted">
          No active legal holds. Retention and erasure do not delete data under a legal hold.
        </p>
      ) : (
        <ul aria-label="Legal holds">
          {holds.map((hold) => (
            <li
              key={hold.id}
              className="flex flex-wrap items-center gap-x-4 gap-y-1 border-line px-4 py-2 [&:not(:first-child)]:border-t"
            >
              <span className="min-w-0 flex-1">
                <span className="font-medium">{hold.reason}</span>{" "}
                <span className="text-muted">
                  {coverage(hold)} · {hold.createdBy}, <RelativeTime at={hold.createdAt} />
                </span>
              </span>
              <PermittedButton
                to="record:manage"
                size="sm"
                onClick={() => setReleasing(hold)}
                aria-label={`Release ${hold.reason}`}
              >
                Release
              </PermittedButton>
            </li>
          ))}
        </ul>
      )}
      <Dialog
        open={isPlacing}
        onOpenChange={setPlacing}
        size="sm"
        title="Place a legal hold"
        description="Data that the hold covers is not deleted until a person releases the hold. Each field that you fill in narrows the hold. If all fields are empty, the hold covers all data."
      >
        <HoldForm
          onPlaced={() => {
            setPlacing(false);
            refetch();
          }}
        />
      </Dialog>
      <ActDialog
        mutation={trpc.audit.releaseHold.mutationOptions()}
        input={releasing && { id: releasing.id }}
        onClose={() => setReleasing(null)}
        title="Release this hold?"
        confirm="Release hold"
        onDone={refetch}
      >
        {releasing
          ? `Data under this hold (${coverage(releasing)}) whose retention period is over is deleted within an hour.`
          : null}
      </ActDialog>
    </Section>
  );
}

function coverage({ agentName, agentId, sessionId, from, to }: HoldView): string {
  const parts = [
    agentId === null ? null : `agent ${agentName ?? agentId}`,
    sessionId === null ? null : `session ${sessionId}`,
    from === null ? null : `from ${from.toISOString().slice(0, 10)}`,
    to === null ? null : `to ${to.toISOString().slice(0, 10)}`,
  ].filter((part) => part !== null);
  return parts.length === 0 ? "everything" : parts.join(", ");
}

const ANY = "any";
const dayOf = (text: string): Date | null => (/^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : null);

const holdForm = z
  .object({
    reason: z.string(),
    agentId: z.string().transform((id) => (id === ANY ? null : id)),
    sessionId: textOrNull,
    from: z.string().transform(dayOf),
    to: z.string().transform(dayOf),
  })
  .pipe(addHold);

function HoldForm({ onPlaced }: { onPlaced: () => void }) {
  const trpc = useTRPC();
  const agents = useQuery(everyAgent(trpc));
  const form = useForm(holdForm, { reason: "", agentId: ANY, sessionId: "", from: "", to: "" });
  const place = useMutation(
    trpc.audit.placeHold.mutationOptions({
      onSuccess: () => {
        toast.success("The legal hold is placed");
        onPlaced();
      },
    }),
  );
  return (
    <Form
      form={form}
      className="pb-3"
      onSubmit={(values) => place.mutateAsync(values)}
      foot={
        <Button type="submit" variant="primary" className="w-fit" busy={form.formState.isSubmitting}>
          Place hold
        </Button>
      }
    >
      <FormField form={form} name="reason" label="Reason">
        {(field) => <Input {...field} placeholder="Case 2026-114" />}
      </FormField>
      <FormField form={form} name="agentId" label="Agent" aside="optional">
        {(field) => (
          <Select
            {...field}
            options={[
              { value: ANY, label: "Any agent" },
              ...(agents.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
            ]}
          />
        )}
      </FormField>
      <FormField form={form} name="sessionId" label="Session" aside="optional">
        {(field) => <Input {...field} placeholder="its id" />}
      </FormField>
      <div className="grid grid-cols-2 gap-4">
        <FormField form={form} name="from" label="From" aside="optional">
          {(field) => <Input {...field} type="date" />}
        </FormField>
        <FormField form={form} name="to" label="To" aside="optional">
          {(field) => <Input {...field} type="date" />}
        </FormField>
      </div>
    </Form>
  );
}
