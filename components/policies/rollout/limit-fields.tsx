"use client";

import { MEASURE_WORDS } from "@/components/policies/rollout/comparison-text";
import { type LimitsChoice, readLimits } from "@/components/policies/rollout/read-limits";
import { Checkbox } from "@/components/ui/checkbox";
import { ErrorLine } from "@/components/ui/error-state";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { CALLS_MIN, CANARY_MEASURES } from "@/server/policies/canary-watch/limits-schema";

interface LimitFieldsProps {
  value: LimitsChoice;
  onChange: (value: LimitsChoice) => void;
  /** The revision to which a withdrawn canary returns; 0 if no revision is in force. */
  liveRevision: number;
}

/** The limits at which a canary withdraws itself. */
export function LimitFields({ value, onChange, liveRevision }: LimitFieldsProps) {
  const read = readLimits(value);
  const returns = liveRevision === 0 ? "run without this policy" : `return to revision ${liveRevision}`;
  return (
    <div className="flex flex-col gap-3">
      <Checkbox
        checked={value.isOn}
        onChange={(isOn) => onChange({ ...value, isOn })}
        label="Withdraw the canary when it exceeds a limit"
        help={`After a withdrawal, the canary's agents ${returns}, even if more calls are then allowed. Limits apply once the canary and the other agents have ${CALLS_MIN} calls each.`}
      />
      {value.isOn ? (
        <fieldset className="flex flex-col gap-2">
          <legend className="mb-1 font-medium text-sm">Limits, in percentage points above the other agents</legend>
          <div className="grid grid-cols-2 gap-3 sm:grid-cols-3">
            {CANARY_MEASURES.map((measure) => (
              <Field key={measure} label={MEASURE_WORDS[measure].label}>
                <Input
                  inputMode="numeric"
                  maxLength={2}
                  placeholder="No limit"
                  value={value.points[measure]}
                  onChange={(event) =>
                    onChange({ ...value, points: { ...value.points, [measure]: event.target.value } })
                  }
                />
              </Field>
            ))}
            <Field label="Slow after, ms">
              <Input
                inputMode="numeric"
                maxLength={5}
                value={value.slowMs}
                onChange={(event) => onChange({ ...value, slowMs: event.target.value })}
              />
            </Field>
          </div>
          {typeof read === "string" ? <ErrorLine>{read}</ErrorLine> : null}
        </fieldset>
      ) : null}
    </div>
  );
}
