"use client";

import { useQuery } from "@tanstack/react-query";
import { Plus, ScrollText } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { usePermission } from "@/components/access/permission";
import { PermittedButton } from "@/components/access/permitted-button";
import { useCommands } from "@/components/layout/commands";
import { useStaleSentence } from "@/components/layout/connection-state";
import { GatewayStatus } from "@/components/layout/gateway-status";
import { PageBody } from "@/components/layout/page-body";
import { PageHeader } from "@/components/layout/page-header";
import { useRequestedAct } from "@/components/layout/use-requested-act";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { useLiveQueries } from "@/components/trpc/live-queries";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Missing } from "@/components/ui/format/missing";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { useHotkey } from "@/components/ui/hotkeys/use-hotkey";
import { Link } from "@/components/ui/link";
import { loadWhenOpened } from "@/components/ui/load-when-opened";
import { DataTable } from "@/components/ui/table/data-table";
import type { Column } from "@/components/ui/table/types";
import type { PromptView } from "@/server/prompts/schema";

const CreatePromptDialog = loadWhenOpened(() =>
  import("@/components/judges/prompts/create-prompt-dialog").then((one) => one.CreatePromptDialog),
);

const CRUMBS = [{ label: "Judges", href: "/policies/judges" }];

/** Every judge prompt: what judges are asked, in which revision, and which policies ask it. */
export function PromptsPage() {
  useLiveQueries(["prompts", "policies"]);
  const trpc = useTRPC();
  const router = useRouter();
  const prompts = useQuery(trpc.prompts.list.queryOptions());
  const [isCreating, setCreating] = useState(false);
  const stale = useStaleSentence();
  const create = () => setCreating(true);
  const enabled = usePermission("policy:write").isGranted;
  useHotkey("c", create, { label: "New judge prompt", group: "Judge prompts", enabled });
  useRequestedAct({ create });
  useCommands([{ id: "prompt.new", label: "New judge prompt", icon: ScrollText, keys: "c", run: create }]);
  return (
    <>
      <PageHeader
        title="Prompts"
        crumbs={CRUMBS}
        live
        primary={
          <PermittedButton to="policy:write" variant="primary" onClick={create}>
            <Plus aria-hidden /> New prompt
          </PermittedButton>
        }
      />
      <PageBody width="fill">
        <DataTable
          id="prompts"
          label="judge prompts"
          columns={columns}
          rows={prompts.data ?? NONE}
          getRowId={(row) => row.id}
          status={prompts.status}
          error={prompts.error ? failureSentence(prompts.error) : null}
          stillWorks={<GatewayStatus />}
          onRetry={() => void prompts.refetch()}
          stale={stale}
          onOpen={(row) => router.push(`/policies/prompts/${row.id}`)}
          rowHeight={40}
          empty={
            <EmptyState
              icon={ScrollText}
              title="No judge prompts yet"
              action={
                <Button onClick={create}>
                  <Plus aria-hidden /> New prompt
                </Button>
              }
            >
              A prompt is the question for a judge, with its model and schema. Try it on recorded calls, label its
              answers, publish a revision, and add it to a policy.
            </EmptyState>
          }
        />
      </PageBody>
      <CreatePromptDialog open={isCreating} onOpenChange={setCreating} />
    </>
  );
}

const NONE: readonly PromptView[] = [];

const columns: readonly Column<PromptView>[] = [
  {
    id: "name",
    header: "Prompt",
    width: 220,
    grow: true,
    priority: 1,
    fixed: true,
    value: (row) => row.name,
    cell: (row) => (
      <span className="flex min-w-0 items-center gap-2">
        <Link href={`/policies/prompts/${row.id}`} tabIndex={-1} className="truncate font-medium hover:underline">
          {row.name}
        </Link>
        {row.hasDraft ? <Badge look="accent">draft</Badge> : null}
      </span>
    ),
  },
  {
    id: "revision",
    header: "Revision",
    width: 90,
    priority: 1,
    value: (row) => row.latestRevision,
    cell: (row) => (row.latestRevision === 0 ? <Missing reason="Not published yet." /> : row.latestRevision),
  },
  {
    id: "model",
    header: "Model",
    width: 200,
    value: (row) => row.model,
    cell: (row) =>
      row.model === "" ? (
        <Missing reason="No model yet." />
      ) : (
        <span className="truncate font-mono text-sm">{row.model}</span>
      ),
  },
  {
    id: "used",
    header: "Used by",
    width: 220,
    value: (row) => row.usedBy.map(({ policy }) => policy).join(", "),
    cell: ({ usedBy }) =>
      usedBy.length === 0 ? (
        <Missing reason="No policy uses this prompt." />
      ) : (
        <span className="truncate">
          {usedBy
            .map(({ policy, revisions }) => `${policy} (${revisions.map((one) => `@${one}`).join(", ")})`)
            .join(", ")}
        </span>
      ),
  },
  {
    id: "published",
    header: "Published",
    width: 150,
    value: (row) => row.publishedAt,
    cell: (row) =>
      row.publishedAt === null ? (
        <Missing reason="Not published yet." />
      ) : (
        <span className="truncate">
          <RelativeTime at={row.publishedAt} /> by {row.publishedBy}
        </span>
      ),
  },
];
