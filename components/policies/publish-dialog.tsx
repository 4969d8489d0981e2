"use client";

import { skipToken, useQuery } from "@tanstack/react-query";
import { useWatch } from "react-hook-form";
import { usePermission } from "@/components/access/permission";
import { TextBacktest } from "@/components/backtest/text-backtest";
import type { DraftAutosave, DraftState } from "@/components/layout/draft/draft-autosave";
import { PublishRemarks } from "@/components/policies/check/publish-remarks";
import { sentence } from "@/components/policies/check/sentence";
import { ChangesView } from "@/components/policies/diff/changes-view";
import { type Binding, counted, eventChanges, eventChangeWords, publishWords } from "@/components/policies/labels";
import { CaseResults } from "@/components/policies/playground/case-results";
import { type PublishFormState, publishForm, UNTOUCHED } from "@/components/policies/publish-form";
import { FourEyesNotice, MoveNotice, TightenedNotice } from "@/components/policies/publish-notices";
import { ImpactPanel } from "@/components/policies/review/impact-panel";
import { JudgeScores } from "@/components/policies/review/judge-scores";
import { OverrideFields } from "@/components/policies/review/override-fields";
import { draftToMeasure } from "@/components/policies/review/send-dialog";
import { RolloutChoice, rolloutOf } from "@/components/policies/rollout/rollout-choice";
import { useCanaryAgents } from "@/components/policies/rollout/use-canary-agents";
import { useFreeze } from "@/components/policies/rollout/use-rollout";
import { type Checked, useServerCheck } from "@/components/policies/use-check";
import { usePublish } from "@/components/policies/use-publish";
import { useTRPC } from "@/components/trpc/client";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Form, FormField, useForm } from "@/components/ui/form";
import { useNow } from "@/components/ui/format/clock";
import { Kbd } from "@/components/ui/kbd";
import { Notice } from "@/components/ui/notice";
import { Textarea } from "@/components/ui/textarea";
import type { ToleratedFailuresView } from "@/server/decisions/rules/tolerated-failures-schema";
import type { FreezeView } from "@/server/policies/assignments/assignment-schema";
import { freezeEndText } from "@/server/policies/publishing/freeze-window-schema";
import type { CheckView, PolicyDetailView, PolicyProblem } from "@/server/policies/schema";

export interface PublishDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  policy: PolicyDetailView;
  binding: Binding;
  draft: DraftState;
  keeper: DraftAutosave;
  checked: Checked;
  /** The gates in force that allow when they fail, with how often they did. */
  failures: ToleratedFailuresView | undefined;
  /** It was opened by the move to the newest profile: the backtest begins by itself. */
  isMove: boolean;
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

function Review(props: PublishDialogProps) {
  const { onOpenChange, policy, checked, onSend } = props;
  const trpc = useTRPC();
  const form = useForm(publishForm, UNTOUCHED);
  const [chosen, override] = useWatch({ control: form.control, name: ["rollout", "override"] });
  const canary = useCanaryAgents(policy.id, chosen.kind === "canary" ? chosen : null);
  const { publish, isPublishing, hasFailingCases, blockingRules } = usePublish({ ...props, view: checked.view });
  const mayOverride = usePermission("policy:govern").isGranted;
  const isOverride = hasFailingCases || blockingRules.length > 0;
  const inForce = useServerCheck(policy.publishedSource);
  const reviewStatus = useQuery(trpc.reviews.ofPolicy.queryOptions({ policyId: policy.id })).data;
  const profile = checked.view?.profile;
  const neighbours = useQuery(
    trpc.policies.tightenedBy.queryOptions(profile ? { policyId: policy.id, profile } : skipToken),
  );
  const frozen = windowRefusal(useFreeze(), useNow(10_000));
  const refusal = refusalOf(props) ?? frozen;
  const isHeld =
    refusal !== null ||
    typeof rolloutOf(chosen) === "string" ||
    canary.isEmpty ||
    (blockingRules.length > 0 && !mayOverride) ||
    (isOverride && (override.typed !== policy.name || override.reason.trim() === ""));
  return (
    <Form
      form={form}
      className="pb-3"
      onSubmit={(values) => (isHeld ? undefined : publish(values))}
      onKeyDown={(event) => {
        if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        if (!isHeld) event.currentTarget.requestSubmit();
      }}
      foot={
        <>
          {refusal === null ? <PressText policy={policy} isCanary={chosen.kind === "canary"} /> : null}
          <div className="flex flex-wrap items-center justify-end gap-2">
            <Button onClick={() => onOpenChange(false)}>Cancel</Button>
            <Button type="submit" variant="primary" disabled={isHeld} busy={isPublishing}>
              Publish revision {policy.latestRevision + 1}
              <Kbd keys="mod+enter" inverse className="max-sm:hidden" />
            </Button>
          </div>
        </>
      }
    >
      <MoveNotice isMove={props.isMove} failures={props.failures} />
      <TightenedNotice view={checked.view} tightened={neighbours.data ?? []} />
      <Effect {...props} refusal={refusal} inForce={inForce.view} isForEveryone={chosen.kind === "everyone"} />
      <TextToPublish {...props} refusal={refusal} />
      <RolloutChoice policy={policy} value={chosen} onChange={(next) => form.setValue("rollout", next)} />
      <FormField
        form={form}
        name="note"
        label="Note"
        aside="optional"
        help="Reason for the change, shown with the revision."
      >
        {(field) => <Textarea {...field} rows={2} maxLength={2000} />}
      </FormField>
      <FourEyesNotice status={reviewStatus} isRefused={refusal !== null} onSend={onSend} />
      {isOverride ? (
        <Overriding
          name={policy.name}
          form={form}
          hasFailingCases={hasFailingCases}
          isBlocked={blockingRules.length > 0}
          mayOverride={mayOverride}
        />
      ) : null}
    </Form>
  );
}

interface OverridingProps {
  name: string;
  form: PublishFormState;
  hasFailingCases: boolean;
  isBlocked: boolean;
  mayOverride: boolean;
}

function Overriding({ name, form, hasFailingCases, isBlocked, mayOverride }: OverridingProps) {
  if (isBlocked && !mayOverride)
    return <Notice kind="danger">Findings block this draft. Only an admin can override the findings.</Notice>;
  const despite = [...(isBlocked ? ["findings"] : []), ...(hasFailingCases ? ["failing test cases"] : [])];
  return <OverrideFields name={name} form={form} despite={despite.join(" and ")} />;
}

interface EffectProps extends Pick<PublishDialogProps, "policy" | "binding" | "checked"> {
  refusal: string | null;
  /** The check of the text in force. */
  inForce: CheckView | null;
  isForEveryone: boolean;
}

/** The effect of publishing, or the reason that it is refused now. */
function Effect({ policy, binding, checked: { view }, refusal, inForce, isForEveryone }: EffectProps) {
  const { latestRevision, liveRevision } = policy;
  const problems = view?.problems ?? [];
  const changes = view && inForce ? eventChanges(liveRevision > 0 ? inForce.events : [], view.events) : [];
  const words = isForEveryone ? publishWords(latestRevision + 1, binding, liveRevision) : [];
  const guardsNothing = view !== null && problems.length === 0 && view.events.every(({ hooks }) => hooks === 0);
  return (
    <>
      {refusal === null ? (
        <div className="flex flex-col gap-1 empty:hidden">
          {words.map((line) => (
            <p key={line}>{line}</p>
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
          This draft has no hooks. If you publish the draft, the policy stops blocking calls.
        </Notice>
      ) : null}
    </>
  );
}

/** The problems of the text; without any, its remarks, differences, test cases and backtest. */
function TextToPublish(props: PublishDialogProps & { refusal: string | null }) {
  const { onOpenChange, policy, draft, keeper, failures, isMove, onGoTo, refusal } = props;
  const { view } = props.checked;
  const problems = view?.problems ?? [];
  if (problems.length > 0)
    return (
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
    );
  return (
    <>
      {view ? <PublishRemarks findings={view.findings} failures={failures} waits={view.waits} /> : null}
      <ChangesView
        before={policy.publishedSource}
        after={draft.text}
        beforeLabel={policy.liveRevision > 0 ? `Revision ${policy.liveRevision}, in force` : "No revision in force"}
        afterLabel={`Revision ${policy.latestRevision + 1}`}
        same="The draft is identical to the revision in force."
      />
      <JudgeScores key={draft.version} policyId={policy.id} />
      <CaseResults policyId={policy.id} source={draft.text} />
      {refusal === null ? (
        <TextBacktest prepare={() => draftToMeasure(policy.id, keeper)}>
          {({ tally }) =>
            // A backtest runs no command; the impact runs them in the sandbox.
            (tally.unknown.command ?? 0) > 0 ? (
              <ImpactPanel isImmediate={isMove} prepare={() => draftToMeasure(policy.id, keeper)} />
            ) : null
          }
        </TextBacktest>
      ) : null}
    </>
  );
}

/** The effect of publishing, and everything that has not been checked. */
function PressText({ policy, isCanary }: { policy: PolicyDetailView; isCanary: boolean }) {
  const live = policy.liveRevision;
  const back =
    live > 0
      ? `You can roll back to revision ${live} at any time.`
      : "You can undo the publication for ten seconds, or publish another revision later.";
  return (
    <div className="flex flex-col gap-1 text-sm">
      <p>
        Publishing runs the test cases. If all pass, revision {policy.latestRevision + 1}{" "}
        {isCanary ? "applies to the agents of the canary" : "takes effect"} immediately. {back}
      </p>
      <p className="text-muted">
        Not checked: calls without a similar test case or recorded event, judges' answers, and hooks that use the
        network or run on the agent&apos;s machine.
      </p>
    </div>
  );
}

/** Within a freeze window: when it ends, and why it is. */
function windowRefusal(freeze: FreezeView | null | undefined, nowMs: number | null): string | null {
  if (!freeze?.until) return null;
  return `The workspace is frozen until ${freezeEndText(freeze.until.at, freeze.until.timeZone, nowMs ?? 0)}: ${freeze.reason}`;
}

/** The reason that this cannot be published now; null when it can. */
function refusalOf({ isChecking, checked, draft, policy }: PublishDialogProps): string | null {
  const problems = checked.view?.problems.length ?? 0;
  const stays =
    policy.liveRevision > 0 ? ` Revision ${policy.liveRevision} stays in force.` : " No revision is in force yet.";
  if (draft.phase === "conflict")
    return `Another person saved or published this policy. Compare the versions first.${stays}`;
  if (draft.phase === "failed") return `The draft could not be saved: ${draft.failure ?? ""}${stays}`;
  if (checked.failure !== null) return `The draft could not be checked: ${checked.failure}${stays}`;
  if (isChecking) return "The draft is being checked.";
  if (problems > 0) return `${counted(problems, "problem")} to fix before publishing.${stays}`;
  if (policy.liveRevision > 0 && draft.text === policy.publishedSource)
    return `The draft is identical to revision ${policy.liveRevision}, which is in force.`;
  return null;
}
