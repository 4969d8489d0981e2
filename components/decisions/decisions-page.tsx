"use client";

import { parseAsString, useQueryState } from "nuqs";
import { ApprovalSourcesView } from "@/components/decisions/approval-sources/approval-sources-view";
import { CallsView } from "@/components/decisions/calls-view";
import { type View, viewOf } from "@/components/decisions/query";
import { RulesView } from "@/components/decisions/rules/rules-view";
import { Segmented } from "@/components/ui/segmented";

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
