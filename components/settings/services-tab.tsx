"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { KeySquare, Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { DisabledWithoutPermission } from "@/components/access/permission";
import { PermittedButton } from "@/components/access/permitted-button";
import { RequestLog } from "@/components/access/request-log";
import { UnknownKeysLog } from "@/components/access/unknown-keys-log";
import { ActDialog } from "@/components/layout/act-dialog";
import { Loaded } from "@/components/settings/loaded";
import { useTRPC } from "@/components/trpc/client";
import { everyService } from "@/components/trpc/every-page";
import { failureSentence } from "@/components/trpc/failure";
import { Badge } from "@/components/ui/badge";
import { EmptyState } from "@/components/ui/empty-state";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { IconButton } from "@/components/ui/icon-button";
import { loadWhenOpened } from "@/components/ui/load-when-opened";
import { Section } from "@/components/ui/section";
import { ShownOnce } from "@/components/ui/shown-once";
import { toast } from "@/components/ui/toast";
import type { ServiceView } from "@/server/people/schema";

const CreateServiceDialog = loadWhenOpened(() =>
  import("@/components/settings/create-service-dialog").then((one) => one.CreateServiceDialog),
);

const TOKEN_DAYS = 90;

/** The service accounts of CI jobs: each with a role, and tokens that expire. */
export function ServicesTab() {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const services = useQuery(everyService(trpc));
  const [isCreating, setCreating] = useState(false);
  const renew = () => queries.invalidateQueries({ queryKey: trpc.serviceAccounts.list.queryKey() });
  const add = (
    <PermittedButton to="people:manage" variant="primary" onClick={() => setCreating(true)}>
      <Plus aria-hidden /> New service account
    </PermittedButton>
  );
  return (
    <div className="flex flex-col gap-4">
      <header className="flex flex-wrap items-center justify-between gap-2">
        <p className="max-w-140 text-muted">
          A service account is for a pipeline that publishes or tests policies. Authenticate with{" "}
          <code>Authorization: Bearer qds_…</code>, or set QUARTERDECK_TOKEN for the command line.
        </p>
        {services.data?.length ? add : null}
      </header>
      <Loaded query={services} what="The service accounts">
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState icon={KeySquare} title="No service accounts yet" action={add}>
              Create a service account, for example, for a pipeline that publishes policies reviewed elsewhere.
            </EmptyState>
          ) : (
            rows.map((service) => <Service key={service.id} service={service} onChanged={renew} />)
          )
        }
      </Loaded>
      <UnknownKeysLog />
      <CreateServiceDialog open={isCreating} onOpenChange={setCreating} onCreated={renew} />
    </div>
  );
}

function Service({ service, onChanged }: { service: ServiceView; onChanged: () => Promise<unknown> }) {
  const trpc = useTRPC();
  const [token, setToken] = useState<string | null>(null);
  const [isRemoving, setRemoving] = useState(false);
  const refused = useQuery(trpc.requestLog.ofService.queryOptions({ ownerId: service.id }));
  const onError = (error: unknown) => toast.error("Nothing was changed", { description: failureSentence(error) });
  const create = useMutation(
    trpc.serviceAccounts.createToken.mutationOptions({
      onError,
      onSuccess: async (made) => {
        setToken(made.token);
        await onChanged();
      },
    }),
  );
  const revoke = useMutation(
    trpc.serviceAccounts.revokeToken.mutationOptions({ onError, onSuccess: () => void onChanged() }),
  );
  return (
    <Section
      title={
        <span className="flex items-center gap-2">
          {service.name} <Badge>{service.role}</Badge>
        </span>
      }
      framed
      flush
      actions={
        <>
          <PermittedButton
            to="people:manage"
            size="sm"
            busy={create.isPending}
            onClick={() => create.mutate({ serviceId: service.id, days: TOKEN_DAYS })}
          >
            <Plus aria-hidden /> Add a token
          </PermittedButton>
          <DisabledWithoutPermission to="people:manage">
            {(isRefused) => (
              <IconButton
                icon={Trash2}
                label={`Remove ${service.name}`}
                size="sm"
                disabled={isRefused}
                onClick={() => setRemoving(true)}
              />
            )}
          </DisabledWithoutPermission>
        </>
      }
    >
      <ul className="flex flex-col divide-y divide-line" aria-label={`Tokens of ${service.name}`}>
        {service.tokens.length === 0 ? (
          <li className="px-3 py-2 text-muted">No token. The account cannot be used.</li>
        ) : null}
        {service.tokens.map((one) => (
          <TokenLine
            key={one.id}
            token={one}
            onRevoke={() => revoke.mutate({ serviceId: service.id, tokenId: one.id })}
          />
        ))}
      </ul>
      <div className="border-line border-t p-3">
        <RequestLog query={refused} of={service.name} />
      </div>
      <ShownOnce
        secret={token}
        title={`Token for ${service.name}`}
        description={`The token expires in ${TOKEN_DAYS} days and is shown only once.`}
        noun="token"
        onClose={() => setToken(null)}
      />
      <RemoveDialog service={service} open={isRemoving} onClose={() => setRemoving(false)} onRemoved={onChanged} />
    </Section>
  );
}

interface TokenLineProps {
  token: ServiceView["tokens"][number];
  onRevoke: () => void;
}

function TokenLine({ token, onRevoke }: TokenLineProps) {
  return (
    <li className="flex min-h-10 flex-wrap items-center gap-x-3 gap-y-1 px-3 py-1.5">
      <code>{token.hint}…</code>
      <span className="text-muted text-sm">
        {token.revokedAt ? (
          <>
            revoked <RelativeTime at={token.revokedAt} />
          </>
        ) : (
          <>
            ends <RelativeTime at={token.expiresAt} />
          </>
        )}
        {token.lastUsedAt ? (
          <>
            , used <RelativeTime at={token.lastUsedAt} />
          </>
        ) : (
          ", never used"
        )}
      </span>
      {token.revokedAt ? null : (
        <PermittedButton
          to="people:manage"
          size="sm"
          className="ml-auto"
          aria-label={`Revoke the token ${token.hint}`}
          onClick={onRevoke}
        >
          Revoke
        </PermittedButton>
      )}
    </li>
  );
}

interface RemoveDialogProps {
  service: ServiceView;
  open: boolean;
  onClose: () => void;
  onRemoved: () => Promise<unknown>;
}

function RemoveDialog({ service, open, onClose, onRemoved }: RemoveDialogProps) {
  const trpc = useTRPC();
  return (
    <ActDialog
      mutation={trpc.serviceAccounts.remove.mutationOptions()}
      input={open && { serviceId: service.id }}
      onClose={onClose}
      title={`Remove ${service.name}?`}
      confirm="Remove"
      onDone={onRemoved}
    >
      <p>Pipelines that use this account's tokens are refused from now on.</p>
    </ActDialog>
  );
}
