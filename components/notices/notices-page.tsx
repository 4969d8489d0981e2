"use client";

import { parseAsStringLiteral, useQueryState } from "nuqs";
import { NotifyButton } from "@/components/layout/notices/notify-button";
import { PageBody } from "@/components/layout/page-body";
import { PageHeader } from "@/components/layout/page-header";
import { ChoicesView } from "@/components/notices/choices-view";
import { ListView } from "@/components/notices/list-view";
import { RoutesView } from "@/components/notices/routes-view";
import { Segmented } from "@/components/ui/segmented";

const VIEWS = ["latest", "choices", "routes"] as const;
const OPTIONS = [
  { value: "latest", label: "Latest" },
  { value: "choices", label: "My choices" },
  { value: "routes", label: "Alert routes" },
] as const;

/** The notices of the person who looks, their choices, and the routes of alerts to teams. */
export function NoticesPage() {
  const [view, setView] = useQueryState("view", parseAsStringLiteral(VIEWS).withDefault("latest"));
  return (
    <>
      <PageHeader title="Notices" primary={<NotifyButton />} />
      <PageBody className="max-w-260">
        <div className="-m-1 overflow-x-auto p-1">
          <Segmented label="Notices" value={view} onChange={(next) => void setView(next)} options={OPTIONS} />
        </div>
        {view === "latest" ? <ListView /> : view === "choices" ? <ChoicesView /> : <RoutesView />}
      </PageBody>
    </>
  );
}
