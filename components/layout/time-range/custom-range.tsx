"use client";

import { z } from "zod";
import { customRangeText } from "@/components/layout/time-range/range";
import { cn } from "@/components/ui/cn";
import { Form, FormField, useForm } from "@/components/ui/form";
import { dateTimeInputInstant, dateTimeInputText } from "@/components/ui/format/zone";
import { Input } from "@/components/ui/input";

interface CustomRangeProps {
  from: Date;
  to: Date;
  chosen: boolean;
  onApply: (text: string) => void;
}

const customRange = z
  .object({
    start: z.string().min(1, "Enter a start time."),
    end: z.string().min(1, "Enter an end time."),
  })
  .refine(({ start, end }) => start < end, { path: ["end"], message: "The end must be after the start." });

/** Two instants chosen by the person, in the viewer's zone. */
export function CustomRange({ from, to, chosen, onApply }: CustomRangeProps) {
  const form = useForm(customRange, { start: dateTimeInputText(from), end: dateTimeInputText(to) }, "onChange");
  return (
    <Form
      form={form}
      action="Show this range"
      className={cn("gap-2 border-line border-t p-3", chosen && "bg-selected")}
      onSubmit={({ start, end }) => onApply(customRangeText(dateTimeInputInstant(start), dateTimeInputInstant(end)))}
    >
      <FormField form={form} name="start" label="From">
        {(field) => <Input type="datetime-local" {...field} />}
      </FormField>
      <FormField form={form} name="end" label="To">
        {(field) => <Input type="datetime-local" {...field} />}
      </FormField>
    </Form>
  );
}
