"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { z } from "zod";
import { PermittedButton } from "@/components/access/permitted-button";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { ErrorLine } from "@/components/ui/error-state";
import { Form, FormField, useForm } from "@/components/ui/form";
import { said, wholeFrom } from "@/components/ui/form-texts";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { Input } from "@/components/ui/input";
import { Notice } from "@/components/ui/notice";
import { Section } from "@/components/ui/section";
import { RAW_HOURS_MAX, setRawCapture } from "@/server/record/schema";

const rawForm = z.object({
  hours: said(wholeFrom(1, RAW_HOURS_MAX), `Enter a whole number up to ${RAW_HOURS_MAX}.`),
  reason: setRawCapture.shape.reason,
});

/** The switch that stores inputs with their secrets, for a while and for a reason. */
export function RawSection() {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const raw = useQuery(trpc.audit.raw.queryOptions());
  const form = useForm(rawForm, { hours: "1", reason: "" }, "onChange");
  const set = useMutation(
    trpc.audit.setRaw.mutationOptions({ onSuccess: () => void queries.invalidateQueries(trpc.audit.pathFilter()) }),
  );
  const until = raw.data?.until ?? null;
  return (
    <Section title="Raw capture" framed>
      <div className="flex flex-col gap-4">
        <p className="text-muted">
          Secrets in inputs and answers are masked before storage. While raw capture is on, they are stored unmasked.
        </p>
        {until === null ? (
          <Form
            form={form}
            onSubmit={async (values) => {
              await set.mutateAsync(values);
              form.reset();
            }}
            foot={
              <PermittedButton to="record:manage" type="submit" className="w-fit" busy={form.formState.isSubmitting}>
                Store inputs unmasked
              </PermittedButton>
            }
          >
            <div className="grid gap-4 sm:grid-cols-[120px_1fr]">
              <FormField form={form} name="hours" label="Hours">
                {(field) => <Input {...field} inputMode="numeric" />}
              </FormField>
              <FormField form={form} name="reason" label="Reason for raw capture">
                {(field) => <Input {...field} />}
              </FormField>
            </div>
          </Form>
        ) : (
          <Notice
            kind="danger"
            action={
              <PermittedButton
                to="record:manage"
                size="sm"
                busy={set.isPending}
                onClick={() => set.mutate({ hours: null, reason: "switched off" })}
              >
                Mask again
              </PermittedButton>
            }
          >
            Secrets in stored inputs are not masked until <RelativeTime at={until} look="clock" />. Inputs stored before
            then keep their secrets. Reason: {raw.data?.reason}
          </Notice>
        )}
        {until !== null && set.isError ? <ErrorLine>{failureSentence(set.error)}</ErrorLine> : null}
      </div>
    </Section>
  );
}
