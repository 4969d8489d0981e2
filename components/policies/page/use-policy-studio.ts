"use client";

import { NEWEST_PROFILE } from "@quarterdeck/hooks/contract/profiles";
import type { Repair } from "@quarterdeck/hooks/contract/text/text-problems";
import { useQuery } from "@tanstack/react-query";
import { parseAsInteger, parseAsStringLiteral, useQueryState } from "nuqs";
import { useCallback, useRef, useState } from "react";
import { usePermission } from "@/components/access/permission";
import { useDrawerParam } from "@/components/layout/use-drawer-param";
import { withNewestProfile } from "@/components/policies/check/newest-profile";
import { repaired } from "@/components/policies/check/repair";
import { useToleratedFailures } from "@/components/policies/check/use-tolerated-failures";
import type { Edit } from "@/components/policies/document/change";
import type { EditorHandle } from "@/components/policies/editor/yaml-editor";
import { bindingOf } from "@/components/policies/labels";
import type { CaseDraft } from "@/components/policies/playground/case-draft";
import { useRoomForPlayground } from "@/components/policies/playground/playground-frame";
import { usePlayground } from "@/components/policies/playground/use-playground";
import type { PutInForceDialogProps } from "@/components/policies/rollout/put-in-force-dialog";
import { useCheck } from "@/components/policies/use-check";
import { useDraft } from "@/components/policies/use-draft";
import { useEditorMode } from "@/components/policies/use-editor-mode";
import { useTRPC } from "@/components/trpc/client";
import { everyAgent } from "@/components/trpc/every-page";
import { toast } from "@/components/ui/toast";
import type { PolicyDetailView, PolicyProblem } from "@/server/policies/schema";

const VIEWS = ["edit", "tests", "changes", "revisions"] as const;
export type PolicyDialog = "publish" | "move" | "applies" | "send" | "four eyes";

/** The state of one policy's page: its draft, the draft's check, the open view and the open dialog. */
function usePolicyState(policy: PolicyDetailView) {
  const trpc = useTRPC();
  const agents = useQuery(everyAgent(trpc));
  const { draft, keeper } = useDraft(policy);
  const checked = useCheck(draft.text, policy.id);
  const failures = useToleratedFailures(policy.id, policy.liveRevision > 0);
  const [view, setView] = useQueryState("view", parseAsStringLiteral(VIEWS).withDefault("edit"));
  const [revision, setRevision] = useDrawerParam("revision", parseAsInteger);
  const [dialog, setDialog] = useState<PolicyDialog | null>(null);
  const [putting, setPutting] = useState<PutInForceDialogProps["chosen"]>(null);
  const [newCase, setNewCase] = useState<CaseDraft | null>(null);
  const { editor, onEditor, goTo } = useEditorHandle();
  const { hand: chosenHand, setHand, hands } = useEditorMode();
  const bench = usePlayground(
    policy,
    draft.text,
    checked.view?.profile ?? NEWEST_PROFILE,
    checked.view?.events[0]?.event,
  );
  const isBeside = useRoomForPlayground();
  const isTrying = view === "edit" && bench.isOpen;
  const isChecking = checked.text !== draft.text;
  const enrolled = (agents.data ?? []).map(({ id, name, tags }) => ({ id, name, tags }));
  return {
    ...{
      policy,
      draft,
      keeper,
      checked,
      failures,
      isChecking,
      view,
      setView,
      revision,
      setRevision,
      dialog,
      setDialog,
    },
    ...{ putting, setPutting, newCase, setNewCase, editor, setHand, hands, bench, isBeside, isTrying, enrolled },
    ...{ onEditor, goToPlace: goTo },
    // Next to the playground there is room for one editor mode.
    hand: isTrying && chosenHand === "both" ? ("yaml" as const) : chosenHand,
    problems: isChecking ? NO_PROBLEMS : (checked.view?.problems ?? NO_PROBLEMS),
    binding: bindingOf(policy, enrolled.length),
    differs: draft.text !== policy.publishedSource,
    isBehind: policy.draftVersion > 0 && policy.draftBaseRevision < policy.latestRevision,
  };
}

/** The text editor once it is loaded, and a place to go to, then or now. */
function useEditorHandle() {
  const editor = useRef<EditorHandle>(null);
  const wanted = useRef<PolicyProblem>(null);
  const onEditor = useCallback((handle: EditorHandle | null) => {
    editor.current = handle;
    if (!handle || !wanted.current) return;
    handle.goTo(wanted.current.line, wanted.current.column);
    wanted.current = null;
  }, []);
  const goTo = (problem: PolicyProblem) => {
    if (editor.current) editor.current.goTo(problem.line, problem.column);
    else wanted.current = problem;
  };
  return { editor, onEditor, goTo };
}

export const NOTHING_TO_PUBLISH = "The draft is identical to the revision in force.";

/** The page's state and everything that a person can do on it. */
export function usePolicyStudio(policy: PolicyDetailView) {
  const state = usePolicyState(policy);
  const mayPublish = usePermission("policy:publish").isGranted;
  const { draft, keeper, editor, bench, hand, hands, setHand, setView, setRevision, setDialog, differs } = state;
  const save = () => {
    void keeper.saveNow().then((isSaved) => {
      if (isSaved) toast.success("Draft saved", { id: "draft-saved", duration: 1_500 });
    });
  };
  const review = () => {
    if (!differs) {
      toast("Nothing to publish", { id: "nothing-to-publish", description: NOTHING_TO_PUBLISH });
      return;
    }
    void keeper.saveNow();
    setDialog("publish");
  };
  const goTo = (problem: PolicyProblem) => {
    if (state.isTrying && !state.isBeside) bench.setOpen(false);
    if (hand === "form") setHand(hands.includes("both") ? "both" : "yaml");
    void setView("edit").then(() =>
      // The editor may have to be drawn first.
      requestAnimationFrame(() => state.goToPlace(problem)),
    );
  };
  const change = (make: (text: string) => Edit): boolean => {
    let edit = editor.current?.edit(make, false) ?? null;
    if (edit === null) {
      edit = make(draft.text);
      if (edit.ok) keeper.type(edit.text);
    }
    if (!edit.ok) toast.error("The draft was not changed", { description: edit.why });
    return edit.ok;
  };
  const repair = (one: Repair) => void change((text) => repaired(text, one));
  const moveToNewest = () => {
    if (!change(withNewestProfile) || !mayPublish) return;
    void keeper.saveNow();
    setDialog("move");
  };
  const takeUp = (source: string, number: number) => {
    const before = draft.text;
    keeper.type(source);
    void setRevision(null);
    void setView("edit");
    toast(`The editor now shows revision ${number}`, {
      description: "Publish the draft to create a new revision.",
      action: { label: "Undo", onClick: () => keeper.type(before) },
    });
  };
  const openBench = () => {
    void setView("edit");
    bench.setOpen(true);
  };
  return { ...state, save, review, goTo, repair, moveToNewest, takeUp, openBench };
}
export type PolicyStudio = ReturnType<typeof usePolicyStudio>;

const NO_PROBLEMS: readonly PolicyProblem[] = [];
