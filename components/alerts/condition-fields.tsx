"use client";

import { useQuery } from "@tanstack/react-query";
import type { AlertDraft, Wrongs } from "@/components/alerts/alert-draft";
import { COMPARISON_WORDS, isChange, spanWords, unitWord } from "@/components/alerts/labels";
import { useTRPC } from "@/components/trpc/client";
import { everyAgent } from "@/components/trpc/every-page";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import { isCounted, MEASURE_NAMES, MEASURES, measureOf } from "@/server/alerts/measure-schema";
import { COMPARISONS, WINDOWS_MINUTES } from "@/server/alerts/schema";

interface ConditionFieldsProps {
  draft: AlertDraft;
  wrongs: Wrongs;
  onChange: (part: Partial<AlertDraft>) => void;
}

const MEASURE_OPTIONS = MEASURE_NAMES.map((value) => ({ value, label: MEASURES[value].label }));
const WINDOW_OPTIONS = WINDOWS_MINUTES.map((minutes) => ({ value: String(minutes), label: spanWords(minutes) }));
const ANY = "any";

/** The fields of a condition: the measure, whose it is, over how long, and when it is too much. */
export function ConditionFields({ draft, wrongs, onChange }: ConditionFieldsProps) {
  const trpc = useTRPC();
  const { filters, help, unit, source } = measureOf(draft.measure);
  const agents = useQuery(everyAgent(trpc));
  const groups = useQuery(trpc.agents.groups.queryOptions());
  const isOver = !isCounted(source);
  const comparisons = COMPARISONS.filter((comparison) => isOver || !isChange(comparison));
  const named = (rows: readonly { readonly id: string; readonly name: string }[] | undefined) => [
    { value: ANY, label: "all" },
    ...(rows ?? []).map(({ id, name }) => ({ value: id, label: name })),
  ];
  const word = unitWord(unit, draft.comparison);
  return (
    <>
      <Field label="Measure" help={help} error={wrongs.measure}>
        <Select
          value={draft.measure}
          onChange={(measure) => onChange({ measure, comparison: "above" })}
          options={MEASURE_OPTIONS}
        />
      </Field>
      {filters.length > 0 ? (
        <div className="grid gap-4 sm:grid-cols-3">
          <Field label="Agent" error={wrongs.agentId}>
            <Select
              value={draft.agentId ?? ANY}
              onChange={(id) => onChange({ agentId: id === ANY ? null : id })}
              options={named(agents.data)}
            />
          </Field>
          <Field label="Group" error={wrongs.groupId}>
            <Select
              value={draft.groupId ?? ANY}
              onChange={(id) => onChange({ groupId: id === ANY ? null : id })}
              options={named(groups.data)}
            />
          </Field>
          {filters.includes("model") ? (
            <Field label="Model" aside="optional" error={wrongs.modelId}>
              <Input
                value={draft.modelId}
                placeholder="openai/gpt-5"
                autoComplete="off"
                onChange={(event) => onChange({ modelId: event.target.value })}
              />
            </Field>
          ) : null}
        </div>
      ) : null}
      <div className="grid items-start gap-4 sm:grid-cols-4">
        <Field label="Fires when it" error={wrongs.comparison}>
          <Select
            value={draft.comparison}
            onChange={(comparison) => onChange({ comparison })}
            options={comparisons.map((value) => ({ value, label: COMPARISON_WORDS[value] }))}
          />
        </Field>
        <Field label="Limit" aside={word} error={wrongs.threshold}>
          <Input
            value={draft.threshold}
            inputMode="decimal"
            autoComplete="off"
            onChange={(event) => onChange({ threshold: event.target.value })}
          />
        </Field>
        <Field
          label={isChange(draft.comparison) ? "Against the" : "Within"}
          aside={isChange(draft.comparison) ? "before" : undefined}
        >
          <Select
            value={String(draft.windowMinutes)}
            onChange={(text) =>
              onChange({ windowMinutes: WINDOWS_MINUTES.find((minutes) => String(minutes) === text) ?? 15 })
            }
            options={WINDOW_OPTIONS}
          />
        </Field>
        <Field label="For at least" aside="minutes" error={wrongs.forMinutes}>
          <Input
            value={draft.forMinutes}
            inputMode="numeric"
            autoComplete="off"
            onChange={(event) => onChange({ forMinutes: event.target.value })}
          />
        </Field>
      </div>
    </>
  );
}
