"use client";

import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";

const HOUR_MS = 3_600_000;
const SPANS = [
  { value: "1", label: "1 hour" },
  { value: "24", label: "1 day" },
  { value: "72", label: "3 days" },
  { value: "168", label: "7 days" },
  { value: "336", label: "14 days" },
  { value: "720", label: "30 days (maximum)" },
] as const;

/** Hours. */
export type MonitorSpan = (typeof SPANS)[number]["value"];
export const USUAL_SPAN: MonitorSpan = "24";

export const endOfSpan = (span: MonitorSpan, fromMs: number): Date => new Date(fromMs + Number(span) * HOUR_MS);

export function MonitorSpanField({ span, onChange }: { span: MonitorSpan; onChange: (span: MonitorSpan) => void }) {
  return (
    <Field label="For">
      <Select<MonitorSpan> value={span} onChange={onChange} options={SPANS} />
    </Field>
  );
}
