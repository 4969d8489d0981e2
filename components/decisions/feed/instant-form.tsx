"use client";

import { z } from "zod";
import { Form, FormField, useForm } from "@/components/ui/form";
import { dateTimeInputInstant, dateTimeInputText } from "@/components/ui/format/zone";
import { Input } from "@/components/ui/input";

const chosenInstant = z.object({
  at: z
    .string()
    .transform((text) => dateTimeInputInstant(text))
    .refine((instant) => !Number.isNaN(instant.getTime()), "Enter a date and time.")
    .refine((instant) => !(instant.getTime() > Date.now()), "This time is in the future. Enter a past time."),
});

/** The instant to show the list at; `at` is the one that is shown. */
export function InstantForm({ at, onChosen }: { at: Date; onChosen: (instant: Date) => void }) {
  const form = useForm(chosenInstant, { at: dateTimeInputText(at, "second") }, "onChange");
  return (
    <Form form={form} action="Go there" className="gap-2" onSubmit={(chosen) => onChosen(chosen.at)}>
      <FormField form={form} name="at" label="Show the list as of this time">
        {(field) => <Input type="datetime-local" step={1} {...field} />}
      </FormField>
    </Form>
  );
}
