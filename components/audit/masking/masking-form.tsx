"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { z } from "zod";
import { PermittedButton } from "@/components/access/permitted-button";
import { FieldRows } from "@/components/audit/masking/field-rows";
import { COUNTRY_LABELS, DETECTOR_LABELS, hitsText } from "@/components/audit/masking/masking-words";
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
  const [draft, setDraft] = useState(view.setting);
  // The rows keep their own state: the form only sends.
  const form = useForm(NO_FIELDS, {});
  const save = useMutation(
    trpc.maskingSettings.save.mutationOptions({
      onSuccess: ({ state }) => {
        if (state === "saved") toast.success("Masking saved", { description: "It applies to new calls." });
        else
          toast.success("Change sent to a second person", { description: "The present masking applies until then." });
        void queries.invalidateQueries(trpc.maskingSettings.pathFilter());
      },
    }),
  );
  const checked = maskingSetting.safeParse(draft);
  const hitsOf = (rule: string) => view.hits.find((one) => one.rule === rule)?.hits ?? 0;
  const isChanged = JSON.stringify(draft) !== JSON.stringify(view.setting) || view.problem !== null;
  const change = (part: Partial<MaskingSetting>) => setDraft({ ...draft, ...part });
  const send = (reason: string | null) =>
    checked.success ? save.mutateAsync({ setting: checked.data, version: view.version, reason }) : Promise.resolve();
  return (
    <Form
      form={form}
      onSubmit={() => send(null)}
      className="gap-5"
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
          <SaveWeaker disabled={!isChanged || !checked.success} onSave={(reason) => send(reason)} />
        </div>
      }
    >
      <PatternRows patterns={draft.patterns} hitsOf={hitsOf} onChange={(patterns) => change({ patterns })} />
      <FieldRows fields={draft.fields} hits={hitsOf("field")} onChange={(fields) => change({ fields })} />
      <fieldset className="flex flex-col gap-2">
        <legend className="pb-1 font-medium">Personal data</legend>
        {DETECTORS.map((name) => (
          <Checkbox
            key={name}
            label={withHits(DETECTOR_LABELS[name].label, hitsOf(name))}
            help={DETECTOR_LABELS[name].help}
            checked={draft.detectors.includes(name)}
            onChange={(isOn) => change({ detectors: toggled(DETECTORS, draft.detectors, name, isOn) })}
          />
        ))}
      </fieldset>
      <fieldset className="grid gap-2 sm:grid-cols-2">
        <legend className="pb-1 font-medium">National ids</legend>
        {ID_COUNTRIES.map((country) => (
          <Checkbox
            key={country}
            label={withHits(COUNTRY_LABELS[country], hitsOf(`id_${country}`))}
            checked={draft.nationalIds.includes(country)}
            onChange={(isOn) => change({ nationalIds: toggled(ID_COUNTRIES, draft.nationalIds, country, isOn) })}
          />
        ))}
      </fieldset>
      <TestText setting={checked.success ? checked.data : null} />
      {checked.success || !isChanged ? null : <ErrorLine>{checked.error.issues[0]?.message}</ErrorLine>}
    </Form>
  );
}

const NO_FIELDS = z.strictObject({});

const withHits = (label: string, hits: number): string => (hits === 0 ? label : `${label} · ${hitsText(hits)}`);

/** The chosen names in the order of all names. */
const toggled = <T,>(all: readonly T[], chosen: readonly T[], one: T, isOn: boolean): T[] =>
  all.filter((name) => (name === one ? isOn : chosen.includes(name)));
