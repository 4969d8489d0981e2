import type { SavedView, ViewPage } from "@/server/views/schema";

const PAGES: Readonly<Record<ViewPage, string>> = {
  decisions: "/activity",
  "approval-paths": "/activity/approval-paths",
  rules: "/policies/performance",
  costs: "/spend",
  compactions: "/activity/compactions",
  sessions: "/activity/sessions",
  audit: "/audit",
  judges: "/policies/judges",
  agents: "/agents",
};

/** Pages that were a view of another page when views of them were saved, by `?view=`. */
const FORMER: Partial<Readonly<Record<ViewPage, Readonly<Record<string, string>>>>> = {
  decisions: { settled: PAGES["approval-paths"], rules: PAGES.rules },
  costs: { prices: "/spend/prices" },
};

/** The address that shows a saved view. */
export function viewAddress({ page, query }: Pick<SavedView, "page" | "query">): string {
  const params = new URLSearchParams(query);
  const former = FORMER[page]?.[params.get("view") ?? ""];
  if (former !== undefined) params.delete("view");
  const search = former === undefined ? query : params.toString();
  return `${former ?? PAGES[page]}${search === "" ? "" : `?${search}`}`;
}
