"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { PermittedButton } from "@/components/access/permitted-button";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { ErrorLine } from "@/components/ui/error-state";
import { Field } from "@/components/ui/field";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { Input } from "@/components/ui/input";
import { Notice } from "@/components/ui/notice";
import { Section } from "@/components/ui/section";
import { RAW_HOURS_MAX } from "@/server/evidence/schema";

/** The switch that stores inputs with their secrets, for a while and for a reason. */
export function RawSection() {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const raw = useQuery(trpc.audit.raw.queryOptions());
  const [hours, setHours] = useState("1");
  const [reason, setReason] = useState("");
  const set = useMutation(
    trpc.audit.setRaw.mutationOptions({ onSuccess: () => void queries.invalidateQueries(trpc.audit.pathFilter()) }),
  );
  const until = raw.data?.until ?? null;
  const wanted = /^[1-9]\d{0,2}$/.test(hours) && Number(hours) <= RAW_HOURS_MAX ? Number(hours) : null;
  return (
    <Section title="Raw capture" framed>
      <div className="flex flex-col gap-4">
        <p className="text-muted">
          Secrets in inputs and answers are masked before they are stored, unless this is on.
        </p>
        {until === null ? (
          <form
            noValidate
            className="flex flex-col gap-4"
            onSubmit={(event) => {
              event.preventDefault();
              if (wanted !== null) set.mutate({ hours: wanted, reason: reason.trim() });
            }}
          >
            <div className="grid gap-4 sm:grid-cols-[120px_1fr]">
              <Field label="Hours" error={wanted === null ? `Write a whole number up to ${RAW_HOURS_MAX}.` : undefined}>
                <Input inputMode="numeric" value={hours} onChange={(event) => setHours(event.target.value)} />
              </Field>
              <Field label="Reason for raw capture">
                <Input value={reason} onChange={(event) => setReason(event.target.value)} />
              </Field>
            </div>
            <PermittedButton
              to="record:manage"
              type="submit"
              className="w-fit"
              busy={set.isPending}
              disabled={wanted === null || reason.trim() === ""}
            >
              Store inputs unmasked
            </PermittedButton>
          </form>
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
            Inputs are stored with their secrets, until <RelativeTime at={until} look="clock" />: {raw.data?.reason}
          </Notice>
        )}
        {set.isError ? <ErrorLine>{failureSentence(set.error)}</ErrorLine> : null}
      </div>
    </Section>
  );
}
