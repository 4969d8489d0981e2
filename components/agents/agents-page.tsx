"use client";

import { useQuery } from "@tanstack/react-query";
import { Bot, Plus } from "lucide-react";
import { parseAsString } from "nuqs";
import { useState } from "react";
import { PermittedButton } from "@/components/access/permitted-button";
import { AgentDrawer } from "@/components/agents/agent-drawer";
import { agentColumns } from "@/components/agents/columns";
import { CreateAgentDialog } from "@/components/agents/create-agent-dialog";
import { GroupsSection } from "@/components/agents/groups-section";
import { type NewKey, NewKeyDialog } from "@/components/agents/new-key-dialog";
import { useCommands } from "@/components/layout/commands";
import { useStaleSentence } from "@/components/layout/connection-state";
import { PageBody } from "@/components/layout/page-body";
import { PageHeader } from "@/components/layout/page-header";
import { useDrawerParam } from "@/components/layout/use-drawer-param";
import { useRequestedAct } from "@/components/layout/use-requested-act";
import { useTRPC } from "@/components/trpc/client";
import { everyAgent } from "@/components/trpc/every-page";
import { failureSentence } from "@/components/trpc/failure";
import { useLive } from "@/components/trpc/live";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { plural } from "@/components/ui/format/count";
import { useHotkey } from "@/components/ui/hotkeys/use-hotkey";
import { DataTable } from "@/components/ui/table/data-table";
import { neighbours } from "@/components/ui/table/hold-rows";
import type { AgentView } from "@/server/agents/schema";

const NONE: readonly AgentView[] = [];
const idOf = (row: AgentView) => row.id;

/** Every agent: when it was here, whether it lives under what is in force, and its keys. */
export function AgentsPage() {
  useLive(["agents", "policies"]);
  const trpc = useTRPC();
  const agents = useQuery(everyAgent(trpc));
  const [open, setOpen] = useDrawerParam("open", parseAsString);
  const [isCreating, setCreating] = useState(false);
  const [created, setCreated] = useState<NewKey | null>(null);
  const stale = useStaleSentence();
  const rows = agents.data ?? NONE;
  const near = neighbours(rows, idOf, open);
  const step = (id: string | null) => (id === null ? undefined : () => void setOpen(id));
  useHotkey("c", () => setCreating(true), { label: "New agent", group: "Agents" });
  useRequestedAct({ create: () => setCreating(true) });
  useCommands([{ id: "agent.new", label: "New agent", icon: Bot, keys: "c", run: () => setCreating(true) }]);
  return (
    <>
      <PageHeader
        title="Agents"
        live
        primary={
          <PermittedButton to="agent:write" variant="primary" onClick={() => setCreating(true)}>
            <Plus aria-hidden /> New agent
          </PermittedButton>
        }
      />
      <PageBody width="fill">
        <DataTable
          id="agents"
          label="agents"
          columns={agentColumns}
          rows={rows}
          getRowId={idOf}
          status={agents.status}
          error={agents.error ? failureSentence(agents.error) : null}
          stillWorks="Agents are still answered; their keys still open."
          onRetry={() => void agents.refetch()}
          stale={stale}
          onOpen={(row) => void setOpen(row.id)}
          openId={open}
          rowHeight={40}
          summary={rows.length > 0 ? plural(rows.length, "agent") : null}
          empty={
            <EmptyState
              icon={Bot}
              title="No agents yet"
              command="npm run -s quarterdeck -- key create --agent NAME"
              action={
                <Button onClick={() => setCreating(true)}>
                  <Plus aria-hidden /> Create an agent
                </Button>
              }
            >
              An agent gets a key, and a few lines to paste that send its hook events here. Everything it does is then
              judged and recorded. The command prints a key alone, for scripts.
            </EmptyState>
          }
        />
      </PageBody>
      <div className="shrink-0 px-4 pb-4 max-sm:px-3 md:px-6">
        <GroupsSection agents={rows} />
      </div>
      <AgentDrawer
        agent={rows.find((row) => row.id === open) ?? null}
        onClose={() => void setOpen(null)}
        onPrevious={step(near.previous)}
        onNext={step(near.next)}
        onCreated={setCreated}
      />
      <CreateAgentDialog
        open={isCreating}
        onOpenChange={setCreating}
        onCreated={(key) => {
          setCreated(key);
          void agents.refetch();
        }}
      />
      <NewKeyDialog created={created} onClose={() => setCreated(null)} />
    </>
  );
}
