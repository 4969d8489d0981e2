"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useWatch } from "react-hook-form";
import { PermittedButton } from "@/components/access/permitted-button";
import { commandText, judgeText, timeText } from "@/components/backtest/forecast-text";
import { DAYS, FRESH, readStart, type StartDraft, type StartInput } from "@/components/backtest/start-form";
import { useTRPC } from "@/components/trpc/client";
import { Dialog } from "@/components/ui/dialog";
import { Form, FormCheckbox, FormField, useForm } from "@/components/ui/form";
import { readBy } from "@/components/ui/form-texts";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import type { BacktestForecast } from "@/server/backtest/sampling/forecast-schema";

const DAY_OPTIONS = DAYS.map((value) => ({ value, label: value === "1" ? "1 day" : `${value} days` }));

interface StartProps {
  policyId: string;
  draftVersion: number | undefined;
  hrefOf: (runId: string) => string;
}

/** The button that opens the settings of a backtest. */
export function StartBacktest(props: StartProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="flex flex-wrap items-center gap-2">
      <PermittedButton
        to="policy:write"
        variant="primary"
        disabled={(props.draftVersion ?? 0) === 0}
        onClick={() => setOpen(true)}
      >
        Start a backtest
      </PermittedButton>
      <p className="text-muted text-sm">
        {props.draftVersion === 0
          ? "The policy has no draft. Change its text to run it on recorded calls."
          : "The draft runs on recorded calls, together with all other policies in force. Agents are not affected."}
      </p>
      <Dialog
        open={isOpen}
        onOpenChange={setOpen}
        title="Start a backtest"
        description="The draft runs on recorded calls. Commands and judges run only if you choose them."
      >
        {isOpen && props.draftVersion !== undefined ? (
          <StartForm {...props} draftVersion={props.draftVersion} onCancel={() => setOpen(false)} />
        ) : null}
      </Dialog>
    </div>
  );
}

/** The settings, then the forecast of exactly these settings, then the start. */
function StartForm(props: StartProps & { draftVersion: number; onCancel: () => void }) {
  const { policyId, draftVersion, hrefOf, onCancel } = props;
  const trpc = useTRPC();
  const router = useRouter();
  const form = useForm(readBy(readStart), FRESH);
  const values = useWatch({ control: form.control });
  const settings = JSON.stringify(values);
  const [known, setKnown] = useState<{ settings: string; forecast: BacktestForecast } | null>(null);
  const forecast = known?.settings === settings ? known.forecast : null;
  const foresee = useMutation(trpc.backtest.forecast.mutationOptions());
  const start = useMutation(trpc.backtest.start.mutationOptions({ onSuccess: ({ id }) => router.push(hrefOf(id)) }));
  const submit = async ({ days, sample }: StartInput) => {
    if (forecast) return start.mutateAsync({ policyId, draftVersion, days, sample });
    const { commands, judges } = sample;
    const asked = { policyId, draftVersion, days, commands, judges: judges?.calls ?? null };
    setKnown({ settings, forecast: await foresee.mutateAsync(asked) });
  };
  return (
    <Form
      form={form}
      onSubmit={submit}
      action={forecast ? "Start the backtest" : "Show the forecast"}
      onCancel={onCancel}
      pinsButtons
    >
      <FormField form={form} name="days" label="Recorded calls of">
        {(field) => <Select {...field} options={DAY_OPTIONS} />}
      </FormField>
      <FormCheckbox
        form={form}
        name="runsCommands"
        label="Run command hooks"
        help="They run in the sandbox, on an even sample of the calls that need them. Hooks with network access do not run."
      />
      {values.runsCommands ? (
        <FormField form={form} name="commands" label="Calls with commands" help="At most 2,000.">
          {(field) => <Input {...field} inputMode="numeric" />}
        </FormField>
      ) : null}
      <FormCheckbox
        form={form}
        name="asksJudges"
        label="Ask judges"
        help="Your provider bills each judge call as usual. Reused answers to equal calls cost nothing."
      />
      {values.asksJudges ? <JudgeFields form={form} /> : null}
      {forecast ? <Forecast forecast={forecast} /> : null}
    </Form>
  );
}

function JudgeFields({ form }: { form: ReturnType<typeof useForm<StartDraft, StartInput>> }) {
  return (
    <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
      <FormField form={form} name="judges" label="Calls with judges" help="At most 2,000.">
        {(field) => <Input {...field} inputMode="numeric" />}
      </FormField>
      <FormField form={form} name="dollars" label="Budget ($)" help="Maximum cost of all judge calls together.">
        {(field) => <Input {...field} inputMode="decimal" placeholder="0.50" />}
      </FormField>
    </div>
  );
}

function Forecast({ forecast }: { forecast: BacktestForecast }) {
  const lines = [timeText(forecast), commandText(forecast), judgeText(forecast)].filter((line) => line !== null);
  return (
    <section aria-label="Forecast" role="status" className="rounded-md border bg-surface px-3 py-2">
      <h3 className="text-muted text-sm">Forecast</h3>
      <ul className="flex flex-col gap-1">
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </section>
  );
}
