"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { useWatch } from "react-hook-form";
import { PermittedButton } from "@/components/access/permitted-button";
import { Loaded } from "@/components/settings/loaded";
import { useTRPC } from "@/components/trpc/client";
import { Form, FormField, useForm } from "@/components/ui/form";
import { formatDay } from "@/components/ui/format/day";
import { Notice } from "@/components/ui/notice";
import { SearchSelect } from "@/components/ui/search-select";
import { Section } from "@/components/ui/section";
import { toast } from "@/components/ui/toast";
import { type CalendarView, type SetTimeZone, setTimeZone, TIME_ZONES } from "@/server/calendar/schema";

/** The time zone in which the workspace counts days and months. */
export function CalendarTab() {
  const trpc = useTRPC();
  const calendar = useQuery(trpc.calendar.view.queryOptions());
  return (
    <Loaded query={calendar} what="The calendar">
      {(view) => <ZoneForm key={view.next?.timeZone ?? view.timeZone} view={view} onSaved={() => calendar.refetch()} />}
    </Loaded>
  );
}

function ZoneForm({ view, onSaved }: { view: CalendarView; onSaved: () => Promise<unknown> }) {
  const trpc = useTRPC();
  const { timeZone, next } = view;
  const before = next?.timeZone ?? timeZone;
  const form = useForm(setTimeZone, { timeZone: before });
  const chosen = useWatch({ control: form.control, name: "timeZone" });
  const save = useMutation(trpc.calendar.setTimeZone.mutationOptions());
  const submit = async (values: SetTimeZone) => {
    await save.mutateAsync(values);
    toast.success("Time zone saved");
    await onSaved();
  };
  return (
    <Section title="Days and months" framed>
      <Form
        form={form}
        className="max-w-130"
        onSubmit={submit}
        foot={
          <PermittedButton
            to="calendar:write"
            type="submit"
            variant="primary"
            busy={form.formState.isSubmitting}
            disabled={chosen === before}
            className="self-start"
          >
            Save time zone
          </PermittedButton>
        }
      >
        <p className="text-muted">
          Days of budgets, costs and statements begin at midnight in{" "}
          <strong className="font-medium text-text">{timeZone}</strong>. Clock times use each viewer’s own time zone.
        </p>
        {next ? (
          <Notice>
            {next.setBy} changed the time zone: from {formatDay(next.fromDay)}, days begin at midnight in{" "}
            {next.timeZone}. To undo the change before then, choose {timeZone}.
          </Notice>
        ) : null}
        <FormField
          form={form}
          name="timeZone"
          label="Time zone"
          help="A change takes effect the next day. The current month keeps its start date and ends at midnight in the new time zone. Closed statements do not change."
        >
          {(field) => (
            <SearchSelect
              {...field}
              options={TIME_ZONES}
              label="Time zones"
              placeholder="Search by city or continent"
              empty="No matching time zone."
              className="w-full max-w-80"
            />
          )}
        </FormField>
        <p className="text-faint text-sm">Judge limits, retention and verification always use UTC days.</p>
      </Form>
    </Section>
  );
}
