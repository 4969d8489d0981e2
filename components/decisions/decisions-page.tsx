"use client";

import dynamic from "next/dynamic";
import { parseAsString, useQueryState } from "nuqs";
import { CallsView } from "@/components/decisions/calls-view";
import { type View, viewOf } from "@/components/decisions/query";
import { Segmented } from "@/components/ui/segmented";
import { Loading, SkeletonText } from "@/components/ui/skeleton";

const loading = () => (
  <Loading label="the decisions">
    <SkeletonText lines={4} />
  </Loading>
);
/** The other views are loaded when they are opened. */
const ApprovalSourcesView = dynamic(
  () => import("@/components/decisions/approval-sources/approval-sources-view").then((one) => one.ApprovalSourcesView),
  { loading },
);
const RulesView = dynamic(() => import("@/components/decisions/rules/rules-view").then((one) => one.RulesView), {
  loading,
});

const VIEWS = [
  { value: "calls", label: "Calls" },
  { value: "settled", label: "Approval paths" },
  { value: "rules", label: "Rules" },
] as const satisfies readonly { value: View; label: string }[];

/** Every decision over a tool call: one by one, by what settled it, and by the rule that spoke. */
export function DecisionsPage() {
  const [text, setView] = useQueryState("view", parseAsString.withOptions({ history: "push" }));
  const [, setSort] = useQueryState("sort", parseAsString);
  const view = viewOf(text);
  const choose = (next: View) => {
    // Each view has columns of its own.
    void setSort(null);
    void setView(next === "calls" ? null : next);
  };
  const tabs = <Segmented label="View" value={view} onChange={choose} options={VIEWS} className="w-fit" />;
  if (view === "settled") return <ApprovalSourcesView tabs={tabs} />;
  if (view === "rules") return <RulesView tabs={tabs} />;
  return <CallsView tabs={tabs} />;
}
