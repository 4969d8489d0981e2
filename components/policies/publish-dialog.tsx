"use client";

import { skipToken, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useWatch } from "react-hook-form";
import type { DraftAutosave, DraftState } from "@/components/layout/draft/draft-autosave";
import { PublishRemarks } from "@/components/policies/check/publish-remarks";
import { sentence } from "@/components/policies/check/sentence";
import { ChangesView } from "@/components/policies/diff/changes-view";
import { type Binding, counted, eventChanges, eventChangeWords, publishWords } from "@/components/policies/labels";
import { CaseResults } from "@/components/policies/playground/case-results";
import { type PublishValues, publishForm, UNTOUCHED } from "@/components/policies/publish-form";
import { ImpactPanel } from "@/components/policies/review/impact-panel";
import { OverrideFields } from "@/components/policies/review/override-fields";
import { draftToMeasure } from "@/components/policies/review/send-dialog";
import { usePutInForce } from "@/components/policies/rollout/put-in-force-dialog";
import { RolloutChoice, rolloutOf } from "@/components/policies/rollout/rollout-choice";
import { useCanaryAgents } from "@/components/policies/rollout/use-canary-agents";
import { type Checked, useServerCheck } from "@/components/policies/use-check";
import { useTRPC } from "@/components/trpc/client";
import { appCodeOf, failureSentence } from "@/components/trpc/failure";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Form, FormField, useForm } from "@/components/ui/form";
import { Kbd } from "@/components/ui/kbd";
import { Notice } from "@/components/ui/notice";
import { Textarea } from "@/components/ui/textarea";
import { toast } from "@/components/ui/toast";
import type { PolicyDetailView, PolicyProblem } from "@/server/policies/schema";

export interface PublishDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  policy: PolicyDetailView;
  binding: Binding;
  draft: DraftState;
  keeper: DraftAutosave;
  checked: Checked;
  isChecking: boolean;
  onGoTo: (problem: PolicyProblem) => void;
  onSend: () => void;
}

/** The text that will be in force, for whom, and the differences: read before it is so. */
export function PublishDialog(props: PublishDialogProps) {
  const { open, onOpenChange, policy, draft } = props;
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      size="lg"
      title={`Publish revision ${policy.latestRevision + 1} of ${policy.name}`}
    >
      {open ? <Review {...props} key={draft.revision} /> : null}
    </Dialog>
  );
}

function Review({
  onOpenChange,
  policy,
  binding,
  draft,
  keeper,
  checked,
  isChecking,
  onGoTo,
  onSend,
}: PublishDialogProps) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const form = useForm(publishForm, UNTOUCHED);
  const [chosen, override] = useWatch({ control: form.control, name: ["rollout", "override"] });
  const canary = useCanaryAgents(policy.id, chosen.kind === "canary" ? chosen : null);
  const putInForce = usePutInForce();
  const inForce = useServerCheck(policy.publishedSource);
  const next = policy.latestRevision + 1;
  const publish = useMutation(trpc.policies.publish.mutationOptions());
  const hasFailingCases = appCodeOf(publish.error) === "cases_failing";
  const reviewStatus = useQuery(trpc.reviews.ofPolicy.queryOptions({ policyId: policy.id })).data;
  const needsReview = reviewStatus?.fourEyes === true && reviewStatus.current?.state !== "approved";
  const profile = checked.view?.profile;
  const neighbours = useQuery(
    trpc.policies.tightenedBy.queryOptions(profile ? { policyId: policy.id, profile } : skipToken),
  );
  const tightened = neighbours.data ?? [];
  const problems = checked.view?.problems ?? [];
  const refusal = refusalOf({ problems: problems.length, isChecking, checked, draft, policy });
  const changes =
    checked.view && inForce.view
      ? eventChanges(policy.liveRevision > 0 ? inForce.view.events : [], checked.view.events)
      : [];
  const guardsNothing =
    checked.view !== null && problems.length === 0 && checked.view.events.every(({ hooks }) => hooks === 0);
  const isHeld =
    refusal !== null ||
    typeof rolloutOf(chosen) === "string" ||
    canary.isEmpty ||
    (hasFailingCases && (override.typed !== policy.name || override.reason.trim() === ""));

  const renew = () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: trpc.policies.pathKey() }),
      queries.invalidateQueries({ queryKey: trpc.agents.pathKey() }),
    ]);
  const act = async ({ note, rollout, override }: PublishValues) => {
    if (isHeld || !(await keeper.saveNow())) return;
    const { text, version } = keeper.state;
    const asked = { policyId: policy.id, source: text, note, rollout, ...(hasFailingCases && { override }) };
    const published = await publish
      .mutateAsync({ ...asked, baseRevision: policy.latestRevision, draftVersion: version })
      .catch((error: unknown) => {
        if (appCodeOf(error) !== "policy_moved_on") throw error;
        throw new Error(`${failureSentence(error)} Close this and compare the texts; nothing was published.`);
      });
    keeper.published(published.number);
    onOpenChange(false);
    await renew();
    if (rollout.kind === "canary") {
      toast.success(`Revision ${published.number} of ${published.name} is in canary`, {
        description: `${counted(published.agents, "agent")} ${published.agents === 1 ? "has" : "have"} it now.`,
      });
      return;
    }
    const back = { policyId: policy.id, number: policy.liveRevision, expectedLive: published.number };
    const undo = () =>
      putInForce(back).catch((error: unknown) => {
        toast.error("Nothing was undone", { description: failureSentence(error) });
      });
    toast.success(`Revision ${published.number} of ${published.name} is in force`, {
      description: `It binds ${counted(published.agents, "agent")}.`,
      duration: 15_000,
      ...(policy.liveRevision > 0 ? { action: { label: "Undo", onClick: () => void undo() } } : {}),
    });
  };
  return (
    <Form
      form={form}
      className="pb-3"
      onSubmit={act}
      onKeyDown={(event) => {
        if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        if (!isHeld) event.currentTarget.requestSubmit();
      }}
      foot={
        <>
          {refusal === null ? (
            <PressText next={next} isCanary={chosen.kind === "canary"} live={policy.liveRevision} />
          ) : null}
          <div className="flex flex-wrap items-center justify-end gap-2">
            <Button onClick={() => onOpenChange(false)}>Cancel</Button>
            <Button type="submit" variant="primary" disabled={isHeld} busy={publish.isPending}>
              Publish revision {next}
              <Kbd keys="mod+enter" inverse className="max-sm:hidden" />
            </Button>
          </div>
        </>
      }
    >
      {tightened.length > 0 && checked.view ? (
        <Notice kind="warning">
          This text follows profile {checked.view.profile}, and an agent's policies all follow the newest:{" "}
          {tightened.join(", ")} will be read by it too. More of their failures then deny.
        </Notice>
      ) : null}
      {refusal === null ? (
        <div className="flex flex-col gap-1">
          {(chosen.kind === "everyone" ? publishWords(next, binding, policy.liveRevision) : []).map((words) => (
            <p key={words}>{words}</p>
          ))}
          {changes.length > 0 ? (
            <ul className="list-disc pl-4 text-muted">
              {changes.map((change) => (
                <li key={change.event}>
                  <code>{eventChangeWords(change)}</code>
                </li>
              ))}
            </ul>
          ) : null}
        </div>
      ) : (
        <Notice kind={problems.length > 0 ? "danger" : "warning"}>{refusal}</Notice>
      )}
      {guardsNothing ? (
        <Notice kind="warning">
          This text has no hooks. Published, it guards nothing: whatever it stopped will run.
        </Notice>
      ) : null}
      {problems.length === 0 && checked.view ? <PublishRemarks findings={checked.view.findings} /> : null}
      {problems.length > 0 ? (
        <ul className="flex flex-col divide-y divide-line rounded-md border">
          {problems.map((problem) => (
            <li key={`${problem.line}:${problem.column}:${problem.message}`}>
              <button
                type="button"
                className="inset-focus flex w-full gap-2 px-3 py-1.5 text-left hover:bg-hover"
                onClick={() => {
                  onOpenChange(false);
                  onGoTo(problem);
                }}
              >
                <span className="w-14 shrink-0 text-faint text-sm leading-5">line {problem.line}</span>
                <span className="min-w-0">{sentence(problem.message)}</span>
              </button>
            </li>
          ))}
        </ul>
      ) : (
        <ChangesView
          before={policy.publishedSource}
          after={draft.text}
          beforeLabel={policy.liveRevision > 0 ? `Revision ${policy.liveRevision}, in force` : "Nothing in force"}
          afterLabel={`Revision ${next}`}
          same="The text is the same as what is in force."
        />
      )}
      {problems.length === 0 ? <CaseResults policyId={policy.id} source={draft.text} /> : null}
      {problems.length === 0 ? <ImpactPanel prepare={() => draftToMeasure(policy.id, keeper)} /> : null}
      <RolloutChoice policy={policy} value={chosen} onChange={(next) => form.setValue("rollout", next)} />
      <FormField
        form={form}
        name="note"
        label="Note"
        aside="optional"
        help="Why, for those who read the revisions later."
      >
        {(field) => <Textarea {...field} rows={2} maxLength={2000} />}
      </FormField>
      {needsReview && refusal === null && reviewStatus.current?.state === "open" ? (
        <Notice kind="warning">
          This policy asks for four eyes, and this text waits for review: another person has to approve it first.
        </Notice>
      ) : needsReview && refusal === null ? (
        <Notice
          kind="warning"
          action={
            <Button size="sm" onClick={onSend}>
              Send for review…
            </Button>
          }
        >
          This policy asks for four eyes: another person has to approve exactly this text first, also when it was
          published before.
        </Notice>
      ) : null}
      {reviewStatus?.current?.state === "approved" ? (
        <Notice>{reviewStatus.current.decidedName} approved the draft. It is published as exactly that text.</Notice>
      ) : null}
      {hasFailingCases ? <OverrideFields name={policy.name} form={form} /> : null}
    </Form>
  );
}

/** The effect of pressing the button, and all that nobody has checked by then. */
function PressText({ next, isCanary, live }: { next: number; isCanary: boolean; live: number }) {
  const back =
    live > 0 ? `Revision ${live} can be put back in force at any time.` : "It can be taken back by publishing another.";
  return (
    <div className="flex flex-col gap-1 text-sm">
      <p>
        When you press Publish, the server reads the text once more and runs the policy&apos;s test cases. Unless one
        fails, revision {next} {isCanary ? "binds the agents of the canary" : "is in force"} at once, without a further
        question. {back}
      </p>
      <p className="text-muted">
        Not checked: calls that no test case and no recorded event resembles, the answers of judges, and hooks that use
        the network or run beside the agent.
      </p>
    </div>
  );
}

interface Refusable {
  problems: number;
  isChecking: boolean;
  checked: Checked;
  draft: DraftState;
  policy: PolicyDetailView;
}

/** The reason that this cannot be published now; null when it can. */
function refusalOf({ problems, isChecking, checked, draft, policy }: Refusable): string | null {
  const stays =
    policy.liveRevision > 0 ? ` Revision ${policy.liveRevision} stays in force.` : " Nothing is in force yet.";
  if (draft.phase === "conflict")
    return `Another person saved or published this policy meanwhile. Compare the texts and choose first.${stays}`;
  if (draft.phase === "failed") return `The text could not be saved: ${draft.failure ?? ""}${stays}`;
  if (checked.failure !== null) return `The text could not be checked: ${checked.failure}${stays}`;
  if (isChecking) return "The text is being checked.";
  if (problems > 0) return `${counted(problems, "problem")} must be solved before this can be published.${stays}`;
  if (policy.liveRevision > 0 && draft.text === policy.publishedSource)
    return `The text is the same as revision ${policy.liveRevision}, which is in force. There is nothing to publish.`;
  return null;
}
