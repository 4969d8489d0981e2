"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { PermittedButton } from "@/components/access/permitted-button";
import { problemText, ruleLabel } from "@/components/audit/masking/masking-words";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { ErrorLine } from "@/components/ui/error-state";
import { Field } from "@/components/ui/field";
import { plural } from "@/components/ui/format/count";
import { Textarea } from "@/components/ui/textarea";
import type { MaskingSetting } from "@/server/hooks/contract/masking-setting";
import { type MaskingPreview, SAMPLE_CHARS_MAX } from "@/server/masking-settings/schema";

/** Tries the rules on a text of the reader, which is not stored, and on recorded inputs. */
export function TestText({ setting }: { setting: MaskingSetting | null }) {
  const trpc = useTRPC();
  const [sample, setSample] = useState("");
  const preview = useMutation(trpc.maskingSettings.preview.mutationOptions());
  return (
    <div className="flex flex-col gap-2">
      <Field label="Test text" help="It is masked by the rules above and not stored.">
        <Textarea
          value={sample}
          rows={3}
          maxLength={SAMPLE_CHARS_MAX}
          onChange={(event) => setSample(event.target.value)}
        />
      </Field>
      <PermittedButton
        to="record:manage"
        className="w-fit"
        disabled={setting === null}
        busy={preview.isPending}
        onClick={() => (setting === null ? undefined : preview.mutate({ setting, sample }))}
      >
        Test rules
      </PermittedButton>
      {preview.isError ? <ErrorLine>{failureSentence(preview.error)}</ErrorLine> : null}
      {preview.data && setting ? <Result result={preview.data} setting={setting} /> : null}
    </div>
  );
}

function Result({ result, setting }: { result: MaskingPreview; setting: MaskingSetting }) {
  const { masked, hits, problems, recorded } = result;
  if (masked === null)
    return (
      <ul className="flex flex-col gap-1">
        {problems.map(({ part, index, says }) => (
          <li key={`${part} ${index}`}>
            <ErrorLine>{problemText(part, index, says)}</ErrorLine>
          </li>
        ))}
      </ul>
    );
  return (
    <div role="status" className="flex flex-col gap-1">
      <pre className="overflow-x-auto whitespace-pre-wrap rounded-md bg-sunken p-2 font-mono text-xs">{masked}</pre>
      <p className="text-muted">
        {hits.length === 0
          ? "No rule matches the test text."
          : hits.map((one) => `${ruleLabel(one.rule, setting.patterns)}: ${plural(one.hits, "hit")}`).join(", ")}
      </p>
      <p className="text-muted">{recordedSentence(recorded)}</p>
    </div>
  );
}

function recordedSentence({ tried, changed }: MaskingPreview["recorded"]): string {
  if (tried === 0) return "No recorded inputs to try yet.";
  const share = `${changed} of the ${plural(tried, "newest recorded input")}`;
  const isWide = tried >= 10 && changed / tried > 0.5;
  return `These rules would hide a part of ${share} that is stored today.${isWide ? " That is most of them: check the patterns." : ""}`;
}
