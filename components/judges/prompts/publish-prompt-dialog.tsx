"use client";

import { templateProblem } from "@quarterdeck/go-template/syntax/parse";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { z } from "zod";
import { draftText, judgedOf } from "@/components/judges/prompts/draft-text";
import { InjectionSection } from "@/components/judges/prompts/injection-section";
import type { PolicyRollout } from "@/components/judges/prompts/policy-rollout";
import { ScoreSection, useTextScore } from "@/components/judges/prompts/score-section";
import type { DraftAutosave } from "@/components/layout/draft/draft-autosave";
import { useTRPC } from "@/components/trpc/client";
import { DiffBlock } from "@/components/ui/code/diff-block";
import { Dialog } from "@/components/ui/dialog";
import { Form, FormField, useForm } from "@/components/ui/form";
import { Notice } from "@/components/ui/notice";
import { Textarea } from "@/components/ui/textarea";
import { toast } from "@/components/ui/toast";
import { type JudgedText, type PromptDetailView, publishPrompt } from "@/server/prompts/schema";

interface PublishPromptDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  prompt: PromptDetailView;
  text: JudgedText;
  keeper: DraftAutosave;
  rollout: PolicyRollout;
}

/** Publishes the text as an immutable revision. Policies keep the revision they reference. */
export function PublishPromptDialog(props: PublishPromptDialogProps) {
  const { open, onOpenChange, prompt } = props;
  const { name, latestRevision, usedBy } = prompt;
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      size="lg"
      title={`Publish ${name}@${latestRevision + 1}`}
      description={
        usedBy.length === 0
          ? "No policy uses this prompt yet, so agents are not affected."
          : "Policies that use this prompt change only if you choose so below."
      }
    >
      {open ? <PublishForm {...props} /> : null}
    </Dialog>
  );
}

const noteForm = z.object({ note: publishPrompt.shape.note });

function PublishForm({ onOpenChange, prompt, text, keeper, rollout }: PublishPromptDialogProps) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const form = useForm(noteForm, { note: "" });
  const [isAccepted, setAccepted] = useState(false);
  const publish = useMutation(trpc.prompts.publish.mutationOptions());
  const score = useTextScore(prompt.id, text);
  const injection = score.data?.injection;
  const isHeld = (score.data?.isWorse === true && !isAccepted) || injection?.isMet === false || rollout.isHeld;
  const { published, latestRevision } = prompt;
  const wrong = refusalOf(text, published);
  const act = async ({ note }: z.infer<typeof noteForm>) => {
    if (!(await keeper.saveNow())) return;
    const { text: source, version, revision } = keeper.state;
    const made = await publish.mutateAsync({
      promptId: prompt.id,
      ...judgedOf(source),
      note,
      ...(isAccepted ? { acceptsWorse: true } : {}),
      baseRevision: revision,
      draftVersion: version,
    });
    keeper.published(made.number);
    const { template, model, schema } = judgedOf(source);
    const label = { name: prompt.name, revision: made.number };
    const put = await rollout.put({ label, prompt: template, model, schema });
    onOpenChange(false);
    await queries.invalidateQueries({ queryKey: trpc.prompts.pathKey() });
    notify(`${prompt.name}@${made.number} is published`, put);
  };
  return (
    <Form
      form={form}
      onSubmit={act}
      action={`Publish revision ${latestRevision + 1}${rollout.action === null ? "" : ` and ${rollout.action}`}`}
      onCancel={() => onOpenChange(false)}
      disabled={wrong !== null || isHeld}
      pinsButtons
    >
      {wrong === null ? null : <Notice kind="warning">{wrong}</Notice>}
      {published ? (
        <DiffBlock
          before={draftText(published)}
          after={draftText(text)}
          label={`Changes from revision ${latestRevision} to ${latestRevision + 1}: model, schema, template`}
          maxHeight={300}
        />
      ) : null}
      {published ? <ScoreSection score={score} isAccepted={isAccepted} onAccept={setAccepted} /> : null}
      {injection ? <InjectionSection promptId={prompt.id} text={text} injection={injection} /> : null}
      {rollout.fields}
      <FormField
        form={form}
        name="note"
        label="Note"
        aside="optional"
        help="Describe the change. The note is stored with the revision."
      >
        {(field) => <Textarea {...field} maxLength={2_000} />}
      </FormField>
    </Form>
  );
}

/** The publication, and what became of each policy. A refusal stays until a person closes it. */
function notify(title: string, policies: Awaited<ReturnType<PolicyRollout["put"]>>): void {
  const description = policies.map(({ says }) => says).join(" ");
  if (policies.every(({ isDone }) => isDone)) toast.success(title, { description });
  else toast.error(`${title}, but a policy was not updated`, { description, duration: Number.POSITIVE_INFINITY });
}

function refusalOf(text: JudgedText, published: JudgedText | null): string | null {
  if (text.model.trim() === "") return "Before you publish, choose a model.";
  if (text.template.trim() === "") return "Before you publish, enter the prompt text.";
  const problem = templateProblem(text.template);
  if (problem !== undefined) return `The prompt text has a syntax error: ${problem}.`;
  return published && draftText(published) === draftText(text) ? "The draft equals the latest revision." : null;
}
