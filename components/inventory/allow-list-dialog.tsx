"use client";

import { useQuery } from "@tanstack/react-query";
import type { AllowListOf } from "@/components/inventory/use-allow-list";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code/code-block";
import { Dialog } from "@/components/ui/dialog";
import { ErrorState } from "@/components/ui/error-state";
import { plural } from "@/components/ui/format/count";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { Loading, SkeletonText } from "@/components/ui/skeleton";
import type { AllowListView } from "@/server/inventory/schema";

/** A rule that allows the tools that were seen and denies others: opened in a policy of the agent, or copied. */
export function AllowListDialog({ of, onClose }: { of: AllowListOf | null; onClose: () => void }) {
  return (
    <Dialog
      open={of !== null}
      onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}
      title="Allow-list rule"
      description="The rule allows the tools that the agent called in the last 30 days, and denies all others."
    >
      {of === null ? null : <Proposal of={of} />}
    </Dialog>
  );
}

function Proposal({ of }: { of: AllowListOf }) {
  const trpc = useTRPC();
  const { data, error, refetch, isFetching } = useQuery(trpc.inventory.allowList.queryOptions(of));
  if (error)
    return (
      <ErrorState
        compact
        title="The allow-list rule could not be created"
        reason={failureSentence(error)}
        onRetry={() => void refetch()}
        retrying={isFetching}
      />
    );
  if (data === undefined)
    return (
      <Loading label="the rule">
        <SkeletonText lines={8} />
      </Loading>
    );
  return (
    <div className="flex flex-col gap-4">
      <p className="text-sm">{scopeText(data)}</p>
      <LeftOut list={data} />
      <Policies of={of} />
      <CodeBlock code={data.yaml} language="yaml" label="Rule as YAML" titled numbers={false} maxHeight={260} />
    </div>
  );
}

function scopeText({ agent, server, names }: AllowListView): string {
  const are = names.length === 1 ? "is" : "are";
  const tools = plural(names.length, "tool");
  if (server === null) return `${tools} of ${agent} ${are} on the list. Every other tool is denied.`;
  if (server === "")
    return `${tools} of MCP servers, called by ${agent}, ${are} on the list. Every other MCP tool is denied.`;
  return `${tools} of the MCP server ${server}, called by ${agent}, ${are} on the list. Every other tool of this server is denied.`;
}

function LeftOut({ list: { leftOut } }: { list: AllowListView }) {
  if (leftOut === 0) return null;
  return (
    <Notice kind="warning">
      {plural(leftOut, "name")} cannot be listed: too many, too long, or would be read as a pattern. Add them manually
      if needed.
    </Notice>
  );
}

/** The policies that reach the agent: a rule in one of them applies to every agent of the policy. */
function Policies({ of }: { of: AllowListOf }) {
  const trpc = useTRPC();
  const { data, error } = useQuery(trpc.policies.applying.queryOptions({ agentId: of.agentId }));
  const query = new URLSearchParams({ allow: of.agentId, ...(of.server !== undefined && { server: of.server }) });
  if (error) return <Notice kind="warning">{failureSentence(error)} Copy the rule into a policy.</Notice>;
  if (data === undefined) return <SkeletonText lines={2} />;
  if (data.policies.length === 0)
    return <Notice kind="info">No policy is assigned to this agent. Copy the rule into a policy and assign it.</Notice>;
  return (
    <div className="flex flex-col gap-2">
      <p className="text-muted text-sm">
        Add the rule to a policy. The rule then applies to every agent that the policy binds.
      </p>
      <ul className="flex flex-col gap-1">
        {data.policies.map(({ id, name }) => (
          <li key={id}>
            <Button asChild size="sm">
              <Link href={`/policies/${id}?${query}`}>Open {name}</Link>
            </Button>
          </li>
        ))}
      </ul>
    </div>
  );
}
