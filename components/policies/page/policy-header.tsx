"use client";

import { useQuery } from "@tanstack/react-query";
import { FlaskConical, MessagesSquare } from "lucide-react";
import type { ReactNode } from "react";
import { PermittedButton } from "@/components/access/permitted-button";
import { SaveState } from "@/components/layout/draft/save-state";
import { PageHeader } from "@/components/layout/page-header";
import { NOTHING_TO_PUBLISH, type PolicyStudio } from "@/components/policies/page/use-policy-studio";
import { PolicyMenu } from "@/components/policies/policy-menu";
import { EDITOR_MODES } from "@/components/policies/use-editor-mode";
import { useTRPC } from "@/components/trpc/client";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { Segmented } from "@/components/ui/segmented";
import { Tooltip } from "@/components/ui/tooltip";
import type { CaseView } from "@/server/playground/schema";

export const POLICY_CRUMBS = [{ label: "Policies", href: "/policies" }];

/** The policy's name, the state of its draft, and the ways to publish it. */
export function PolicyHeader({ studio, confinement }: { studio: PolicyStudio; confinement: ReactNode }) {
  const { policy, draft, keeper, binding, save, setDialog } = studio;
  return (
    <PageHeader
      title={policy.name}
      crumbs={POLICY_CRUMBS}
      aside={
        <>
          {policy.isDemo ? <Badge>demo</Badge> : null}
          {confinement}
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
      primary={<PublishButton studio={studio} />}
    />
  );
}

/** Without changes the button does nothing and gives the reason. */
function PublishButton({ studio: { differs, review } }: { studio: PolicyStudio }) {
  return (
    <Tooltip content={differs ? null : NOTHING_TO_PUBLISH}>
      <PermittedButton to="policy:publish" variant="primary" onClick={review} aria-disabled={!differs || undefined}>
        Publish…
      </PermittedButton>
    </Tooltip>
  );
}

/** The views of the policy and the ways to edit it. */
export function PolicyToolbar({ studio }: { studio: PolicyStudio }) {
  const { policy, draft, view, setView, hand, setHand, hands, bench, isBeside, differs, save } = studio;
  const trpc = useTRPC();
  const cases = useQuery(trpc.playground.cases.queryOptions({ policyId: policy.id }));
  return (
    <div className="flex shrink-0 flex-wrap items-center gap-x-4 gap-y-2 border-line border-b px-4 py-2 md:px-6">
      <Segmented
        label="Views of this policy"
        value={view}
        onChange={(next) => void setView(next)}
        options={[
          { value: "edit", label: "Edit" },
          { value: "tests", ...testsLabel(cases.data) },
          {
            value: "changes",
            label: differs && policy.latestRevision > 0 ? "Changes •" : "Changes",
            name: differs ? "Changes, with differences" : "Changes, none",
          },
          { value: "revisions", label: `Revisions ${policy.latestRevision}` },
        ]}
      />
      {view === "edit" ? (
        <>
          <Segmented
            label="How to edit"
            value={hand}
            onChange={setHand}
            options={EDITOR_MODES.filter(({ value }) => hands.includes(value))}
          />
          <Button aria-pressed={bench.isOpen} onClick={() => bench.setOpen(!bench.isOpen)}>
            <FlaskConical aria-hidden />
            {bench.isOpen && !isBeside ? "Back to the editor" : "Playground"}
          </Button>
        </>
      ) : null}
      {policy.latestRevision > 0 ? (
        <Link
          className="link text-sm"
          href={`/policies/performance?${new URLSearchParams({ range: "30d", policy: policy.name })}`}
        >
          Rule performance
        </Link>
      ) : null}
      <div className="basis-full sm:hidden">
        <SaveState draft={draft} onRetry={save} />
      </div>
    </div>
  );
}

/** The label "Tests 4", and an accessible name with the result of the last run. */
function testsLabel(cases: readonly CaseView[] | undefined): { label: string; name: string } {
  const count = cases?.length ?? 0;
  const failed = cases?.filter(({ last }) => last?.passed === false).length ?? 0;
  if (count === 0) return { label: "Tests", name: "Tests" };
  if (failed === 0) return { label: `Tests ${count}`, name: `Tests ${count}` };
  return { label: `Tests ${count} · ${failed} failed`, name: `Tests ${count}, ${failed} failed` };
}
