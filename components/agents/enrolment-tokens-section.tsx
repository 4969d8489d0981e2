"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Plus, Ticket } from "lucide-react";
import { useState } from "react";
import { PermittedButton } from "@/components/access/permitted-button";
import { agentHref } from "@/components/agents/columns";
import { type NewToken, NewTokenDialog } from "@/components/agents/new-token-dialog";
import { ActDialog } from "@/components/layout/act-dialog";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { Badge } from "@/components/ui/badge";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorState } from "@/components/ui/error-state";
import { plural } from "@/components/ui/format/count";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { Link } from "@/components/ui/link";
import { loadWhenOpened } from "@/components/ui/load-when-opened";
import { Section } from "@/components/ui/section";
import { Loading, SkeletonText } from "@/components/ui/skeleton";
import type { EnrolmentTokenView } from "@/server/agents/enrolment-token-schema";

const EnrolmentTokenDialog = loadWhenOpened(() =>
  import("@/components/agents/enrolment-token-dialog").then((one) => one.EnrolmentTokenDialog),
);

/** The tokens that machines join with, each with the agents that it made. */
export function EnrolmentTokensSection() {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const tokens = useQuery(trpc.agents.enrolmentTokens.queryOptions());
  const [isCreating, setCreating] = useState(false);
  const [created, setCreated] = useState<NewToken | null>(null);
  const [revoking, setRevoking] = useState<EnrolmentTokenView | null>(null);
  const refresh = () => queries.invalidateQueries({ queryKey: trpc.agents.enrolmentTokens.queryKey() });
  const rows = tokens.data ?? [];
  const create = (
    <PermittedButton to="agent:write" size="sm" onClick={() => setCreating(true)}>
      <Plus aria-hidden /> New token
    </PermittedButton>
  );
  return (
    <Section title="Enrolment tokens" id="enrolment-tokens" actions={rows.length > 0 ? create : null}>
      {tokens.error && !tokens.data ? (
        <ErrorState
          compact
          title="The enrolment tokens could not be loaded"
          reason={failureSentence(tokens.error)}
          stillWorks="Machines can still join with existing tokens."
          onRetry={() => void tokens.refetch()}
        />
      ) : tokens.data === undefined ? (
        <Loading label="the enrolment tokens">
          <SkeletonText lines={2} />
        </Loading>
      ) : rows.length === 0 ? (
        <EmptyState icon={Ticket} compact title="No enrolment tokens yet" action={create}>
          With a token, team machines and CI runners can enrol themselves. Each machine gets its own agent and key.
        </EmptyState>
      ) : (
        <ul
          aria-label="Enrolment tokens"
          className="flex max-h-64 flex-col divide-y divide-line overflow-y-auto rounded-md border bg-surface"
        >
          {rows.map((token) => (
            <TokenRow key={token.id} token={token} onRevoke={() => setRevoking(token)} />
          ))}
        </ul>
      )}
      <EnrolmentTokenDialog
        open={isCreating}
        onOpenChange={setCreating}
        onCreated={(token) => {
          setCreated(token);
          return refresh();
        }}
      />
      <NewTokenDialog created={created} onClose={() => setCreated(null)} />
      <ActDialog
        mutation={trpc.agents.revokeEnrolmentToken.mutationOptions()}
        input={revoking && { tokenId: revoking.id }}
        onClose={() => setRevoking(null)}
        title={`Revoke the enrolment token ${revoking?.name ?? ""}?`}
        confirm="Revoke token"
        success={`Token ${revoking?.name} revoked`}
        onDone={refresh}
      >
        <p>
          Machines can no longer join with this token. Agents that joined keep their keys. To revoke a key, open the
          agent&apos;s page.
        </p>
      </ActDialog>
    </Section>
  );
}

function TokenRow({ token, onRevoke }: { token: EnrolmentTokenView; onRevoke: () => void }) {
  const { name, hint, state, groupName, tags, owner, uses, usesMax, madeBy, expiresAt, agents } = token;
  return (
    <li className="flex min-h-10 flex-wrap items-center gap-x-3 gap-y-1 px-3 py-1.5">
      <span className="font-medium">{name}</span>
      <code>{hint}…</code>
      <Badge>{state}</Badge>
      <span className="min-w-0 text-muted text-sm">
        {uses} of {plural(usesMax, "machine")} joined
        {groupName === null ? null : `, into the group ${groupName}`}
        {tags.length === 0 ? null : `, tagged ${tags.join(", ")}`}
        {owner === null ? null : `, for ${owner.name}${owner.hasLeft ? " (left)" : ""}`}, made by {madeBy}
        {state === "revoked" ? null : (
          <>
            , {state === "ended" ? "ended" : "ends"} <RelativeTime at={expiresAt} />
          </>
        )}
        {agents.length > 0 ? ": " : null}
        {agents.map((agent, at) => (
          <span key={agent.id}>
            {at > 0 ? ", " : null}
            <Link className="link" href={agentHref(agent)}>
              {agent.name}
            </Link>
          </span>
        ))}
        {uses > agents.length && agents.length > 0 ? " and others" : null}
      </span>
      {state === "open" ? (
        <PermittedButton
          to="agent:write"
          size="sm"
          place="ml-auto"
          onClick={onRevoke}
          aria-label={`Revoke the token ${name}`}
        >
          Revoke…
        </PermittedButton>
      ) : null}
    </li>
  );
}
