"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useWatch } from "react-hook-form";
import type { z } from "zod";
import { PermittedButton } from "@/components/access/permitted-button";
import { FieldRows } from "@/components/audit/masking/field-rows";
import { COUNTRY_LABELS, DETECTOR_LABELS, hitsText, problemText } from "@/components/audit/masking/masking-words";
import { PatternRows } from "@/components/audit/masking/pattern-rows";
import { SaveWeaker } from "@/components/audit/masking/save-weaker";
import { TestText } from "@/components/audit/masking/test-text";
import { useTRPC } from "@/components/trpc/client";
import { Checkbox } from "@/components/ui/checkbox";
import { ErrorLine } from "@/components/ui/error-state";
import { Form, useForm } from "@/components/ui/form";
import { toast } from "@/components/ui/toast";
import { DETECTORS, ID_COUNTRIES, type MaskingSetting, maskingSetting } from "@/server/hooks/contract/masking-setting";
import type { MaskingView } from "@/server/masking-settings/schema";

/** The rules as they are edited. Nothing applies before they are saved. */
export function MaskingForm({ view }: { view: MaskingView }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const form = useForm(maskingSetting, view.setting);
  const [patterns = [], fields = [], detectors = [], nationalIds = []] = useWatch({
    control: form.control,
    name: ["patterns", "fields", "detectors", "nationalIds"],
  });
  const draft: MaskingSetting = { patterns, fields, detectors, nationalIds };
  const save = useMutation(
    trpc.maskingSettings.save.mutationOptions({
      onSuccess: ({ state }) => {
        if (state === "saved") toast.success("Masking saved", { description: "It applies to new calls." });
        else {
          form.reset(view.setting);
          toast.success("Change sent to a second person", { description: "The present masking applies until then." });
        }
        void queries.invalidateQueries(trpc.maskingSettings.pathFilter());
      },
    }),
  );
  const checked = maskingSetting.safeParse(draft);
  const hitsOf = (rule: string) => view.hits.find((one) => one.rule === rule)?.hits ?? 0;
  const isChanged = JSON.stringify(draft) !== JSON.stringify(view.setting) || view.problem !== null;
  /** A refusal of the former rules goes with the change. */
  const change = (part: Partial<MaskingSetting>) => form.reset({ ...draft, ...part });
  const send = (setting: MaskingSetting, reason: string | null) =>
    save.mutateAsync({ setting, version: view.version, reason });
  return (
    <Form
      form={form}
      className="gap-5"
      onSubmit={(setting) => send(setting, null)}
      foot={
        <div className="flex flex-wrap gap-2">
          <PermittedButton
            to="record:manage"
            type="submit"
            variant="primary"
            disabled={!isChanged || !checked.success}
            busy={save.isPending}
          >
            Save masking
          </PermittedButton>
          <SaveWeaker
            disabled={!isChanged || !checked.success}
            onSave={(reason) => (checked.success ? send(checked.data, reason) : Promise.resolve())}
          />
        </div>
      }
    >
      <PatternRows patterns={patterns} hitsOf={hitsOf} onChange={(next) => change({ patterns: next })} />
      <FieldRows fields={fields} hits={hitsOf("field")} onChange={(next) => change({ fields: next })} />
      <fieldset className="flex flex-col gap-2">
        <legend className="pb-1 font-medium">Personal data</legend>
        {DETECTORS.map((name) => (
          <Checkbox
            key={name}
            label={withHits(DETECTOR_LABELS[name].label, hitsOf(name))}
            help={DETECTOR_LABELS[name].help}
            checked={detectors.includes(name)}
            onChange={(isOn) => change({ detectors: toggled(DETECTORS, detectors, name, isOn) })}
          />
        ))}
      </fieldset>
      <fieldset className="grid gap-2 sm:grid-cols-2">
        <legend className="pb-1 font-medium">National ids</legend>
        {COUNTRIES_BY_LABEL.map((country) => (
          <Checkbox
            key={country}
            label={withHits(COUNTRY_LABELS[country], hitsOf(`id_${country}`))}
            checked={nationalIds.includes(country)}
            onChange={(isOn) => change({ nationalIds: toggled(ID_COUNTRIES, nationalIds, country, isOn) })}
          />
        ))}
      </fieldset>
      <TestText setting={checked.success ? checked.data : null} />
      {checked.success || !isChanged ? null : <ErrorLine>{firstProblem(checked.error)}</ErrorLine>}
    </Form>
  );
}

function firstProblem({ issues: [first] }: z.ZodError): string {
  const [part, index] = first?.path ?? [];
  return problemText(part, index, first?.message ?? "A rule is not complete.");
}

const COUNTRIES_BY_LABEL = ID_COUNTRIES.toSorted((a, b) => COUNTRY_LABELS[a].localeCompare(COUNTRY_LABELS[b], "en"));

const withHits = (label: string, hits: number): string => (hits === 0 ? label : `${label} · ${hitsText(hits)}`);

/** The chosen names in the order of all names. */
const toggled = <T,>(all: readonly T[], chosen: readonly T[], one: T, isOn: boolean): T[] =>
  all.filter((name) => (name === one ? isOn : chosen.includes(name)));
