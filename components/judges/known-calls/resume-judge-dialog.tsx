"use client";

import { z } from "zod";
import { ActDialog } from "@/components/layout/act-dialog";
import { useTRPC } from "@/components/trpc/client";
import { FormField, useForm } from "@/components/ui/form";
import { needed } from "@/components/ui/form-texts";
import { Textarea } from "@/components/ui/textarea";
import { resumeJudge } from "@/server/prompts/known-calls/schema";
import type { PromptDetailView } from "@/server/prompts/schema";

const resumeForm = z.object({ reason: needed("Enter a one-line reason.").pipe(resumeJudge.shape.reason) });

/** Asks for the reason, and then ends the halt of a judge. Null: closed. */
export function ResumeJudgeDialog({ prompt, onClose }: { prompt: PromptDetailView | null; onClose: () => void }) {
  const trpc = useTRPC();
  const form = useForm(resumeForm, { reason: "" });
  return (
    <ActDialog
      mutation={trpc.knownCalls.resume.mutationOptions()}
      input={prompt && { promptId: prompt.id }}
      form={form}
      onClose={onClose}
      title={prompt ? `Resume ${prompt.name}?` : ""}
      confirm="Resume"
      success="Resumed"
    >
      <p>
        From the next call, the judge's hooks ask the model again. The next run that passes a limit halts the judge
        again.
      </p>
      <FormField form={form} name="reason" label="Reason for resuming">
        {(field) => <Textarea {...field} rows={2} maxLength={500} />}
      </FormField>
    </ActDialog>
  );
}
