"use client";

import { NEWEST_PROFILE } from "@quarterdeck/hooks/contract/profiles";
import dynamic from "next/dynamic";
import { useState } from "react";
import { Outline } from "@/components/policies/outline";
import type { PolicyStudio } from "@/components/policies/page/use-policy-studio";
import { draftOfRun } from "@/components/policies/playground/case-draft";
import { PlaygroundFrame } from "@/components/policies/playground/playground-frame";
import { ProblemsPanel } from "@/components/policies/problems-panel";
import { cn } from "@/components/ui/cn";
import { Loading, SkeletonText } from "@/components/ui/skeleton";

const Skeleton = ({ label }: { label: string }) => (
  <Loading label={label} className="p-4">
    <SkeletonText lines={12} />
  </Loading>
);

const YamlEditor = dynamic(() => import("@/components/policies/editor/yaml-editor"), {
  ssr: false,
  loading: () => <Skeleton label="the editor" />,
});
const PolicyFormView = dynamic(() => import("@/components/policies/form/policy-form"), {
  ssr: false,
  loading: () => <Skeleton label="the form" />,
});
const BenchPane = dynamic(
  () => import("@/components/policies/playground/playground-pane").then((module) => module.PlaygroundPane),
  { ssr: false, loading: () => <Skeleton label="the playground" /> },
);

/** The draft as a form, as text, or both, with its problems, next to the playground or an outline. */
export function EditView({ studio }: { studio: PolicyStudio }) {
  const { policy, draft, keeper, checked, isChecking, hand, bench, isBeside, isTrying, editor } = studio;
  const text = useTextEditor(draft.text, hand !== "form");
  const { problems, goTo, repair, save, review, setNewCase } = studio;
  const panel = <ProblemsPanel checked={checked} isChecking={isChecking} onGoTo={goTo} onRepair={repair} />;
  const isCovered = isTrying && !isBeside;
  return (
    <div className="flex min-h-0 flex-1">
      {hand === "yaml" || isCovered ? null : (
        <aside
          aria-label="Outline"
          className={cn(
            "flex min-h-0 min-w-0 flex-col", // Both are rendered until the width of the page is known.
            hand === "both" ? "w-1/2 border-line border-r max-[1199px]:hidden" : "flex-1",
          )}
        >
          <div className="min-h-0 flex-1 overflow-y-auto" onPointerDownCapture={text.load} onFocusCapture={text.load}>
            <PolicyFormView
              policy={policy}
              text={draft.text}
              problems={problems}
              editor={editor}
              onText={(next) => keeper.type(next)}
            />
          </div>
          {hand === "form" ? panel : null}
        </aside>
      )}
      {/* Hidden, not unmounted: its history is the undo of both editor modes. */}
      <div className={cn("flex min-w-0 flex-1 flex-col", (hand === "form" || isCovered) && "hidden")}>
        <div className="min-h-0 flex-1">
          {text.isLoaded ? (
            <YamlEditor
              ref={studio.onEditor}
              text={draft.text}
              firstText={text.first}
              onChange={(next) => keeper.type(next)}
              checked={checked}
              onSave={save}
              onPublish={isTrying ? bench.run : review}
            />
          ) : null}
        </div>
        {hand === "form" ? null : panel}
      </div>
      {isTrying ? (
        <PlaygroundFrame isBeside={isBeside}>
          {/* The check names the first event of the text, with which the playground begins. */}
          {checked.view === null && checked.failure === null ? (
            <Skeleton label="the playground" />
          ) : (
            <BenchPane
              policy={policy}
              bench={bench}
              profile={checked.view?.profile ?? NEWEST_PROFILE}
              judges={draft.text.match(/type:\s*["']?model/g)?.length ?? 0}
              onSaveCase={(side) => setNewCase(draftOfRun(side))}
            />
          )}
        </PlaygroundFrame>
      ) : hand === "yaml" ? (
        <aside aria-label="Outline" className="w-72 shrink-0 overflow-y-auto border-line border-l p-4 max-lg:hidden">
          <h2 className="mb-3 text-md">Outline</h2>
          <Outline view={checked.view} />
        </aside>
      ) : null}
    </div>
  );
}

/** The text editor is loaded when it is shown, and in the form with the first touch or change. */
function useTextEditor(text: string, isShown: boolean) {
  const [first] = useState(text);
  const [isWanted, setWanted] = useState(false);
  const isLoaded = isWanted || isShown || text !== first;
  if (isLoaded && !isWanted) setWanted(true);
  return { first, isLoaded, load: () => setWanted(true) };
}
