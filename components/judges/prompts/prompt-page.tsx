"use client";

import { useQuery } from "@tanstack/react-query";
import { ScrollText } from "lucide-react";
import { parseAsStringLiteral, useQueryState } from "nuqs";
import { useMemo, useState } from "react";
import { PermittedButton } from "@/components/access/permitted-button";
import { KnownCallsView } from "@/components/judges/known-calls/known-calls-view";
import { ChecksView } from "@/components/judges/prompts/checks-view";
import { CompareView } from "@/components/judges/prompts/compare-view";
import { ConflictNotice } from "@/components/judges/prompts/conflict-notice";
import { draftText, judgedOf } from "@/components/judges/prompts/draft-text";
import { NewTrialButton } from "@/components/judges/prompts/new-trial-button";
import type { PolicyRollout } from "@/components/judges/prompts/policy-rollout";
import { PromptMenu } from "@/components/judges/prompts/prompt-menu";
import { RevisionsView } from "@/components/judges/prompts/revisions-view";
import { TrialsView } from "@/components/judges/prompts/trials-view";
import { usePromptDraft } from "@/components/judges/prompts/use-prompt-draft";
import { WriteView } from "@/components/judges/prompts/write-view";
import { useCommands } from "@/components/layout/commands";
import { SaveState } from "@/components/layout/draft/save-state";
import { GatewayStatus } from "@/components/layout/gateway-status";
import { PageBody } from "@/components/layout/page-body";
import { PageHeader } from "@/components/layout/page-header";
import { useTRPC } from "@/components/trpc/client";
import { appCodeOf, failureSentence } from "@/components/trpc/failure";
import { useLiveQueries } from "@/components/trpc/live-queries";
import { Button } from "@/components/ui/button";
import { ErrorState } from "@/components/ui/error-state";
import { useHotkey } from "@/components/ui/hotkeys/use-hotkey";
import { Link } from "@/components/ui/link";
import { loadWhenOpened } from "@/components/ui/load-when-opened";
import { Segmented } from "@/components/ui/segmented";
import { Loading, SkeletonText } from "@/components/ui/skeleton";
import { toast } from "@/components/ui/toast";
import type { PromptDetailView } from "@/server/prompts/schema";

const PublishPromptDialog = loadWhenOpened(() =>
  import("@/components/judges/prompts/publish-prompt-dialog").then((one) => one.PublishPromptDialog),
);
const UseInPolicyDialog = loadWhenOpened(() =>
  import("@/components/judges/prompts/use-in-policy-dialog").then((one) => one.UseInPolicyDialog),
);

const CRUMBS = [
  { label: "Judges", href: "/policies/judges" },
  { label: "Prompts", href: "/policies/prompts" },
];

/** One judge prompt: its text, its trials, the labels of its answers, and its revisions. */
export function PromptPage({ promptId, rollout }: { promptId: string; rollout: PolicyRollout }) {
  useLiveQueries(["prompts", "judges", "policies"]);
  const trpc = useTRPC();
  const prompt = useQuery(trpc.prompts.get.queryOptions({ promptId }));
  if (prompt.data) return <Studio key={promptId} prompt={prompt.data} rollout={rollout} />;
  const isGone = appCodeOf(prompt.error) === "prompt_not_found";
  return (
    <>
      <PageHeader title="Prompt" crumbs={CRUMBS} />
      <PageBody>
        {prompt.error ? (
          <ErrorState
            title={isGone ? "This judge prompt does not exist" : "The prompt could not be loaded"}
            reason={isGone ? "The prompt was deleted, or the link is incorrect." : failureSentence(prompt.error)}
            stillWorks={isGone ? undefined : <GatewayStatus />}
            {...(isGone ? {} : { onRetry: () => void prompt.refetch() })}
            action={
              <Button asChild>
                <Link href="/policies/prompts">All prompts</Link>
              </Button>
            }
          />
        ) : (
          <Loading label="the prompt">
            <SkeletonText lines={12} />
          </Loading>
        )}
      </PageBody>
    </>
  );
}

const VIEWS = ["write", "trials", "compare", "checks", "known", "revisions"] as const;

function Studio({ prompt, rollout }: { prompt: PromptDetailView; rollout: PolicyRollout }) {
  const { draft, keeper } = usePromptDraft(prompt);
  const [view, setView] = useQueryState("view", parseAsStringLiteral(VIEWS).withDefault("write"));
  const [dialog, setDialog] = useState<"publish" | "use" | null>(null);
  const text = useMemo(() => judgedOf(draft.text), [draft.text]);
  const isPublished = prompt.published !== null && draft.text === draftText(prompt.published);
  const save = () =>
    void keeper.saveNow().then((isSaved) => {
      if (isSaved) toast.success("Draft saved", { id: "draft-saved", duration: 1_500 });
    });
  const publish = () => {
    void keeper.saveNow();
    setDialog("publish");
  };
  const use = () => setDialog("use");
  useActKeys({ save, publish, use, canPublish: dialog === null && !isPublished });
  return (
    <>
      <PageHeader
        title={prompt.name}
        crumbs={CRUMBS}
        aside={<SaveState noun="prompt" draft={draft} onRetry={save} />}
        actions={
          <>
            {view === "write" ? <NewTrialButton prompt={prompt} text={text} className="max-sm:hidden" /> : null}
            <PromptMenu prompt={prompt} draft={draft} onUse={use} />
          </>
        }
        primary={
          <PermittedButton to="policy:publish" variant="primary" disabled={isPublished} onClick={publish}>
            Publish…
          </PermittedButton>
        }
      />
      <div className="flex shrink-0 flex-wrap items-center gap-x-4 gap-y-2 border-line border-b px-4 py-2 md:px-6">
        <Segmented
          label="Views of this prompt"
          value={view}
          onChange={(next) => void setView(next)}
          options={[
            { value: "write", label: "Write" },
            { value: "trials", label: "Trials" },
            { value: "compare", label: "Compare" },
            { value: "checks", label: "Checks" },
            { value: "known", label: "Known calls" },
            { value: "revisions", label: `Revisions ${prompt.latestRevision}` },
          ]}
        />
        <span className="text-muted text-sm">{revisionText(prompt, isPublished)}</span>
        <div className="basis-full sm:hidden">
          <SaveState noun="prompt" draft={draft} onRetry={save} />
        </div>
      </div>
      {draft.conflict ? <ConflictNotice conflict={draft.conflict} text={draft.text} keeper={keeper} /> : null}
      {view === "write" ? (
        <WriteView
          prompt={prompt}
          text={text}
          onText={(next) => keeper.type(draftText(next))}
          onSave={save}
          onPublish={publish}
        />
      ) : view === "trials" ? (
        <TrialsView prompt={prompt} text={text} />
      ) : view === "compare" ? (
        <CompareView prompt={prompt} text={text} />
      ) : view === "checks" ? (
        <ChecksView prompt={prompt} text={text} />
      ) : view === "known" ? (
        <KnownCallsView prompt={prompt} />
      ) : (
        <RevisionsView prompt={prompt} />
      )}
      <PublishPromptDialog
        open={dialog === "publish"}
        onOpenChange={(isOpen) => {
          setDialog(isOpen ? "publish" : null);
          if (!isOpen) rollout.reset();
        }}
        prompt={prompt}
        text={text}
        keeper={keeper}
        rollout={rollout}
      />
      <UseInPolicyDialog
        prompt={prompt}
        open={dialog === "use"}
        onOpenChange={(isOpen) => setDialog(isOpen ? "use" : null)}
      />
    </>
  );
}

interface StudioActs {
  save: () => void;
  publish: () => void;
  use: () => void;
  canPublish: boolean;
}

/** The keys and commands of a prompt's page. */
function useActKeys({ save, publish, use, canPublish }: StudioActs): void {
  useHotkey("mod+s", save, { label: "Save the draft", group: "This prompt", anywhere: true });
  useHotkey("mod+enter", publish, {
    label: "Publish a revision",
    group: "This prompt",
    anywhere: true,
    enabled: canPublish,
  });
  useCommands([
    {
      id: "prompt.publish",
      label: "Publish a revision of this prompt",
      icon: ScrollText,
      keys: "mod+enter",
      run: publish,
    },
    { id: "prompt.use", label: "Use this prompt in a policy", icon: ScrollText, run: use },
  ]);
}

function revisionText({ latestRevision, usedBy }: PromptDetailView, isPublished: boolean): string {
  const users = usedBy.length > 0 ? `, used by ${usedBy.map(({ policy }) => policy).join(", ")}` : "";
  if (latestRevision === 0) return `Not published yet${users}`;
  return `${isPublished ? "As" : "Differs from"} revision ${latestRevision}${users}`;
}
