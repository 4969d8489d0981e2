"use client";

import { useQuery } from "@tanstack/react-query";
import { FileCode, FlaskConical, MessagesSquare } from "lucide-react";
import dynamic from "next/dynamic";
import { parseAsInteger, parseAsStringLiteral, useQueryState } from "nuqs";
import { useRef, useState } from "react";
import { PermittedButton } from "@/components/access/permitted-button";
import { useCommands } from "@/components/layout/commands";
import { SaveState } from "@/components/layout/draft/save-state";
import { PageBody } from "@/components/layout/page-body";
import { PageHeader } from "@/components/layout/page-header";
import { useDrawerParam } from "@/components/layout/use-drawer-param";
import { AppliesToDialog } from "@/components/policies/applies-to-dialog";
import { repaired } from "@/components/policies/check/repair";
import { ConflictNotice } from "@/components/policies/conflict-notice";
import { ChangesView } from "@/components/policies/diff/changes-view";
import type { EditorHandle } from "@/components/policies/editor/yaml-editor";
import { InForce } from "@/components/policies/in-force";
import { JudgeNotices } from "@/components/policies/judge/judge-notices";
import { bindingOf } from "@/components/policies/labels";
import { BehindNotice } from "@/components/policies/merge/behind-notice";
import { MergeNotice } from "@/components/policies/merge/merge-notice";
import { Outline } from "@/components/policies/outline";
import { CaseDialog } from "@/components/policies/playground/case-dialog";
import { type CaseDraft, draftOfRun } from "@/components/policies/playground/case-draft";
import { PlaygroundFrame, useRoomForPlayground } from "@/components/policies/playground/playground-frame";
import { TestsView } from "@/components/policies/playground/tests-view";
import { usePlayground } from "@/components/policies/playground/use-playground";
import { PolicyMenu } from "@/components/policies/policy-menu";
import { ProblemsPanel } from "@/components/policies/problems-panel";
import { PublishDialog } from "@/components/policies/publish-dialog";
import { FourEyesDialog } from "@/components/policies/review/four-eyes-dialog";
import { ReviewDrawer } from "@/components/policies/review/review-drawer";
import { ReviewStatus } from "@/components/policies/review/review-status";
import { SendDialog } from "@/components/policies/review/send-dialog";
import { RevisionDrawer } from "@/components/policies/revision-drawer";
import { RevisionsView } from "@/components/policies/revisions-view";
import { untilObservationEnds } from "@/components/policies/rollout/observation-end";
import { PutInForceDialog, type PutInForceDialogProps } from "@/components/policies/rollout/put-in-force-dialog";
import { RolloutStrip } from "@/components/policies/rollout/rollout-strip";
import { useCheck } from "@/components/policies/use-check";
import { useDraft } from "@/components/policies/use-draft";
import { EDITOR_MODES, useEditorMode } from "@/components/policies/use-editor-mode";
import { useTRPC } from "@/components/trpc/client";
import { everyAgent } from "@/components/trpc/every-page";
import { appCodeOf, failureSentence } from "@/components/trpc/failure";
import { useLive } from "@/components/trpc/live";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { ErrorState } from "@/components/ui/error-state";
import { useHotkey } from "@/components/ui/hotkeys/use-hotkey";
import { Link } from "@/components/ui/link";
import { Segmented } from "@/components/ui/segmented";
import { Loading, SkeletonText } from "@/components/ui/skeleton";
import { toast } from "@/components/ui/toast";
import type { Repair } from "@/server/hooks/contract/text/checked";
import type { CaseView } from "@/server/playground/schema";
import type { PolicyDetailView, PolicyProblem } from "@/server/policies/schema";

const YamlEditor = dynamic(() => import("@/components/policies/editor/yaml-editor"), {
  ssr: false,
  loading: () => (
    <Loading label="the editor" className="p-4">
      <SkeletonText lines={12} />
    </Loading>
  ),
});

const PolicyFormView = dynamic(() => import("@/components/policies/form/policy-form"), {
  ssr: false,
  loading: () => (
    <Loading label="the form" className="p-4">
      <SkeletonText lines={12} />
    </Loading>
  ),
});

const BenchPane = dynamic(
  () => import("@/components/policies/playground/playground-pane").then((module) => module.PlaygroundPane),
  {
    ssr: false,
    loading: () => (
      <Loading label="the bench" className="p-4">
        <SkeletonText lines={12} />
      </Loading>
    ),
  },
);

const CRUMBS = [{ label: "Policies", href: "/policies" }];

/** One policy: its text, what is in force, whom it binds, and everything that was in force before. */
export function PolicyPage({ policyId }: { policyId: string }) {
  useLive(["policies", "reviews", "agents"]);
  const trpc = useTRPC();
  const policy = useQuery({
    ...trpc.policies.get.queryOptions({ policyId }),
    refetchInterval: ({ state }) => untilObservationEnds(state.data ? [state.data] : []),
  });
  if (policy.data) return <Studio key={policyId} policy={policy.data} />;
  const isGone = appCodeOf(policy.error) === "policy_not_found";
  return (
    <>
      <PageHeader title="Policy" crumbs={CRUMBS} />
      <PageBody>
        {policy.error ? (
          <ErrorState
            title={isGone ? "This policy does not exist" : "The policy could not be loaded"}
            reason={isGone ? "It was deleted, or the link is wrong." : failureSentence(policy.error)}
            stillWorks={isGone ? undefined : "What is in force stays in force."}
            {...(isGone ? {} : { onRetry: () => void policy.refetch() })}
            action={
              <Button asChild>
                <Link href="/policies">All policies</Link>
              </Button>
            }
          />
        ) : (
          <Loading label="the policy">
            <SkeletonText lines={12} />
          </Loading>
        )}
      </PageBody>
    </>
  );
}

const VIEWS = ["edit", "tests", "changes", "revisions"] as const;

function Studio({ policy }: { policy: PolicyDetailView }) {
  const trpc = useTRPC();
  const agents = useQuery(everyAgent(trpc));
  const { draft, keeper } = useDraft(policy);
  const checked = useCheck(draft.text);
  const isChecking = checked.text !== draft.text;
  const [view, setView] = useQueryState("view", parseAsStringLiteral(VIEWS).withDefault("edit"));
  const [revision, setRevision] = useDrawerParam("revision", parseAsInteger);
  const [dialog, setDialog] = useState<"publish" | "applies" | "send" | "four eyes" | null>(null);
  const [putting, setPutting] = useState<PutInForceDialogProps["chosen"]>(null);
  const editor = useRef<EditorHandle>(null);
  const { hand: chosenHand, setHand, hands } = useEditorMode();
  const bench = usePlayground(policy, draft.text, checked.view?.profile ?? "2026-07", checked.view?.events[0]?.event);
  const cases = useQuery(trpc.bench.cases.queryOptions({ policyId: policy.id }));
  const [newCase, setNewCase] = useState<CaseDraft | null>(null);
  const isBeside = useRoomForPlayground();
  const isTrying = view === "edit" && bench.isOpen;
  // Beside the bench there is room for one hand.
  const hand = isTrying && chosenHand === "both" ? "yaml" : chosenHand;
  const problems = isChecking ? NO_PROBLEMS : (checked.view?.problems ?? NO_PROBLEMS);
  const enrolled = (agents.data ?? []).map(({ id, name }) => ({ id, name }));
  const binding = bindingOf(policy, enrolled.length);
  const differs = draft.text !== policy.publishedSource;
  const isBehind = policy.draftVersion > 0 && policy.draftBaseRevision < policy.latestRevision;

  const save = () => {
    void keeper.saveNow().then((isSaved) => {
      if (isSaved) toast.success("The draft is saved", { id: "draft-saved", duration: 1_500 });
    });
  };
  const review = () => {
    void keeper.saveNow();
    setDialog("publish");
  };
  const goTo = (problem: PolicyProblem) => {
    if (isTrying && !isBeside) bench.setOpen(false);
    if (hand === "form") setHand(hands.includes("both") ? "both" : "yaml");
    void setView("edit").then(() =>
      // The editor may have to be drawn first.
      requestAnimationFrame(() => editor.current?.goTo(problem.line, problem.column)),
    );
  };
  const repair = (one: Repair) => {
    const edit = editor.current?.edit((text) => repaired(text, one), false);
    if (edit && !edit.ok) toast.error("The text was not changed", { description: edit.why });
  };
  const takeUp = (source: string, number: number) => {
    const before = draft.text;
    keeper.type(source);
    void setRevision(null);
    void setView("edit");
    toast(`The editor holds the text of revision ${number}`, {
      description: "Publish it, and it is a revision of its own.",
      action: { label: "Undo", onClick: () => keeper.type(before) },
    });
  };
  useHotkey("mod+s", save, { label: "Save the draft", group: "This policy", anywhere: true });
  const tryOrReview = isTrying ? bench.run : review;
  useHotkey("mod+enter", tryOrReview, {
    label: isTrying ? "Run on the bench" : "Review and publish",
    group: "This policy",
    anywhere: true,
    enabled: dialog === null && newCase === null,
  });
  useCommands([
    { id: "policy.publish", label: "Review and publish this policy", icon: FileCode, keys: "mod+enter", run: review },
    {
      id: "policy.review",
      label: "Send this policy for review",
      icon: MessagesSquare,
      run: () => setDialog("send"),
    },
    { id: "policy.save", label: "Save the draft", icon: FileCode, keys: "mod+s", run: save },
    {
      id: "policy.try",
      label: "Try this policy on the bench",
      icon: FlaskConical,
      run: () => {
        void setView("edit");
        bench.setOpen(true);
      },
    },
    { id: "policy.applies", label: "Change whom this policy binds", icon: FileCode, run: () => setDialog("applies") },
  ]);

  const panel = <ProblemsPanel checked={checked} isChecking={isChecking} onGoTo={goTo} onRepair={repair} />;
  return (
    <>
      <PageHeader
        title={policy.name}
        crumbs={CRUMBS}
        aside={
          <>
            {policy.isDemo ? <Badge>demo</Badge> : null}
            <SaveState draft={draft} onRetry={save} />
          </>
        }
        actions={
          <>
            <PolicyMenu
              policy={policy}
              binding={binding}
              draft={draft}
              keeper={keeper}
              onFourEyes={() => setDialog("four eyes")}
            />
            <PermittedButton to="policy:write" onClick={() => setDialog("send")}>
              <MessagesSquare aria-hidden /> <span className="max-md:sr-only">Send for review…</span>
            </PermittedButton>
          </>
        }
        primary={
          <PermittedButton to="policy:publish" variant="primary" onClick={review}>
            Publish…
          </PermittedButton>
        }
      />
      <div className="flex shrink-0 flex-wrap items-center gap-x-4 gap-y-2 border-line border-b px-4 py-2 md:px-6">
        <Segmented
          label="What to see of this policy"
          value={view}
          onChange={(next) => void setView(next)}
          options={[
            { value: "edit", label: "Edit" },
            { value: "tests", ...testsLabel(cases.data) },
            {
              value: "changes",
              label: differs && policy.latestRevision > 0 ? "Changes •" : "Changes",
              name: differs ? "Changes, there are some" : "Changes, none",
            },
            { value: "revisions", label: `Revisions ${policy.latestRevision}` },
          ]}
        />
        {view === "edit" ? (
          <Segmented
            label="How to edit"
            value={hand}
            onChange={setHand}
            options={EDITOR_MODES.filter(({ value }) => hands.includes(value))}
          />
        ) : null}
        {view === "edit" ? (
          <Button aria-pressed={bench.isOpen} onClick={() => bench.setOpen(!bench.isOpen)}>
            <FlaskConical aria-hidden />
            {bench.isOpen && !isBeside ? "Back to the text" : "Bench"}
          </Button>
        ) : null}
        <InForce policy={policy} binding={binding} onChange={() => setDialog("applies")} />
        {policy.latestRevision > 0 ? (
          <Link
            className="link text-sm"
            href={`/decisions?${new URLSearchParams({ view: "rules", range: "30d", policy: policy.name })}`}
          >
            Rule performance
          </Link>
        ) : null}
        <div className="basis-full sm:hidden">
          <SaveState draft={draft} onRetry={save} />
        </div>
      </div>
      <RolloutStrip policy={policy} binding={binding} />
      <ReviewStatus policyId={policy.id} onFourEyes={() => setDialog("four eyes")} />
      {draft.conflict ? <ConflictNotice conflict={draft.conflict} text={draft.text} keeper={keeper} /> : null}
      {draft.merged ? <MergeNotice merged={draft.merged} text={draft.text} keeper={keeper} /> : null}
      {isBehind && !draft.conflict ? <BehindNotice policy={policy} keeper={keeper} /> : null}
      <JudgeNotices text={draft.text} editor={editor} onText={(text) => keeper.type(text)} />
      {view === "edit" ? (
        <div className="flex min-h-0 flex-1">
          {hand === "yaml" || (isTrying && !isBeside) ? null : (
            <aside
              aria-label="What this text does"
              className={cn("flex min-h-0 min-w-0 flex-col", hand === "both" ? "w-1/2 border-line border-r" : "flex-1")}
            >
              <div className="min-h-0 flex-1 overflow-y-auto">
                <PolicyFormView
                  text={draft.text}
                  problems={problems}
                  editor={editor}
                  onText={(text) => keeper.type(text)}
                />
              </div>
              {hand === "form" ? panel : null}
            </aside>
          )}
          {/* Hidden, not gone: its history is the undo of both hands. */}
          <div className={cn("flex min-w-0 flex-1 flex-col", (hand === "form" || (isTrying && !isBeside)) && "hidden")}>
            <div className="min-h-0 flex-1">
              <YamlEditor
                ref={editor}
                text={draft.text}
                onChange={(text) => keeper.type(text)}
                checked={checked}
                onSave={save}
                onPublish={tryOrReview}
              />
            </div>
            {hand === "form" ? null : panel}
          </div>
          {isTrying ? (
            <PlaygroundFrame isBeside={isBeside}>
              <BenchPane
                policy={policy}
                bench={bench}
                profile={checked.view?.profile ?? "2026-07"}
                judges={draft.text.match(/type:\s*["']?model/g)?.length ?? 0}
                onSaveCase={(side) => setNewCase(draftOfRun(side))}
              />
            </PlaygroundFrame>
          ) : hand === "yaml" ? (
            <aside
              aria-label="What this text does"
              className="w-72 shrink-0 overflow-y-auto border-line border-l p-4 max-lg:hidden"
            >
              <h2 className="mb-3 text-md">What this text does</h2>
              <Outline view={checked.view} />
            </aside>
          ) : null}
        </div>
      ) : view === "tests" ? (
        <PageBody>
          <TestsView
            policy={policy}
            draftText={draft.text}
            onBench={() => {
              void setView("edit");
              bench.setOpen(true);
            }}
            onOpen={(one) => {
              void setView("edit");
              bench.setOpen(true);
              bench.setEvent(one.event);
              bench.setLane(one.lane);
              bench.setText(one.input);
            }}
          />
        </PageBody>
      ) : view === "changes" ? (
        <PageBody>
          <ChangesView
            before={policy.publishedSource}
            after={draft.text}
            beforeLabel={policy.liveRevision > 0 ? `Revision ${policy.liveRevision}, in force` : "Nothing in force"}
            afterLabel="Your text"
            same="The text is the same as what is in force. Edit it, and the changes are shown here."
          />
        </PageBody>
      ) : (
        <PageBody width="fill">
          <RevisionsView
            policyId={policy.id}
            live={policy.liveRevision}
            canary={policy.canary?.revision ?? null}
            openNumber={revision}
            onOpen={(number) => void setRevision(number)}
          />
        </PageBody>
      )}
      <PublishDialog
        open={dialog === "publish"}
        onOpenChange={(isOpen) => setDialog(isOpen ? "publish" : null)}
        policy={policy}
        binding={binding}
        draft={draft}
        keeper={keeper}
        checked={checked}
        isChecking={isChecking}
        onGoTo={goTo}
        onSend={() => setDialog("send")}
      />
      <SendDialog
        open={dialog === "send"}
        onOpenChange={(isOpen) => setDialog(isOpen ? "send" : null)}
        policy={policy}
        draft={draft}
        keeper={keeper}
      />
      <FourEyesDialog
        open={dialog === "four eyes"}
        onOpenChange={(isOpen) => setDialog(isOpen ? "four eyes" : null)}
        policy={policy}
      />
      <ReviewDrawer />
      <AppliesToDialog
        open={dialog === "applies"}
        onOpenChange={(isOpen) => setDialog(isOpen ? "applies" : null)}
        policy={policy}
        binding={binding}
        agents={enrolled}
      />
      <CaseDialog policyId={policy.id} draft={newCase} onClose={() => setNewCase(null)} />
      <RevisionDrawer
        policyId={policy.id}
        policyName={policy.name}
        latest={policy.latestRevision}
        live={policy.liveRevision}
        number={revision !== null && revision >= 1 && revision <= policy.latestRevision ? revision : null}
        draftText={draft.text}
        onShow={(number) => void setRevision(number)}
        onTakeUp={takeUp}
        onPutInForce={(chosen) => {
          // The way back appears where the drawer would cover it.
          void setRevision(null);
          setPutting(chosen);
        }}
      />
      <PutInForceDialog policy={policy} binding={binding} chosen={putting} onClose={() => setPutting(null)} />
    </>
  );
}

/** "Tests 4", and for those who listen or look closer how the last run went. */
function testsLabel(cases: readonly CaseView[] | undefined): { label: string; name: string } {
  const count = cases?.length ?? 0;
  const failed = cases?.filter(({ last }) => last?.passed === false).length ?? 0;
  if (count === 0) return { label: "Tests", name: "Tests" };
  if (failed === 0) return { label: `Tests ${count}`, name: `Tests ${count}` };
  return { label: `Tests ${count} · ${failed} failed`, name: `Tests ${count}, ${failed} failed` };
}

const NO_PROBLEMS: readonly PolicyProblem[] = [];
