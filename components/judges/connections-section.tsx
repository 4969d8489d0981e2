"use client";

import { Plug, Plus } from "lucide-react";
import { useState } from "react";
import { PermittedButton } from "@/components/access/permitted-button";
import { PROVIDER_NAMES } from "@/components/judges/labels";
import { RemoveConnection } from "@/components/judges/remove-connection";
import { UseOfCap } from "@/components/judges/use-of-cap";
import { Badge } from "@/components/ui/badge";
import { EmptyState } from "@/components/ui/empty-state";
import { plural } from "@/components/ui/format/count";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { loadWhenOpened } from "@/components/ui/load-when-opened";
import { Card, Section } from "@/components/ui/section";
import { Loading, Skeleton } from "@/components/ui/skeleton";
import type { ConnectionView } from "@/server/judges/schema";

const TestDialog = loadWhenOpened(
  () => import("@/components/judges/test-dialog").then((one) => one.TestDialog),
  "connection",
);

interface ConnectionsSectionProps {
  connections: readonly ConnectionView[] | undefined;
  onAdd: () => void;
  onEdit: (connection: ConnectionView) => void;
}

/** The connections with today's use, and the actions to test, edit and remove them. */
export function ConnectionsSection({ connections, onAdd, onEdit }: ConnectionsSectionProps) {
  const [testing, setTesting] = useState<ConnectionView | null>(null);
  const [removing, setRemoving] = useState<ConnectionView | null>(null);
  return (
    <Section title="Connections" aside={connections?.length ? plural(connections.length, "connection") : null}>
      {connections === undefined ? (
        <Loading label="the connections" className="flex flex-col gap-3 rounded-md border bg-surface p-4">
          <Skeleton className="h-5 w-2/3" />
          <Skeleton className="h-5 w-1/2" />
        </Loading>
      ) : connections.length === 0 ? (
        <Card className="p-0">
          <EmptyState
            icon={Plug}
            title="No connections yet"
            compact
            action={
              <PermittedButton to="judge:write" onClick={onAdd}>
                <Plus aria-hidden /> Connect a model
              </PermittedButton>
            }
          >
            A hook with <code>type: model</code> asks a model before a tool runs. Until a model is connected, these
            hooks fail and the calls they gate are denied.
          </EmptyState>
        </Card>
      ) : (
        <ul
          aria-label="Connections"
          className="flex flex-col divide-y divide-line overflow-hidden rounded-md border bg-surface"
        >
          {connections.map((connection) => (
            <ConnectionRow
              key={connection.id}
              connection={connection}
              onTest={() => setTesting(connection)}
              onEdit={() => onEdit(connection)}
              onRemove={() => setRemoving(connection)}
            />
          ))}
        </ul>
      )}
      <TestDialog connection={testing} onClose={() => setTesting(null)} />
      <RemoveConnection connection={removing} onClose={() => setRemoving(null)} />
    </Section>
  );
}

interface ConnectionRowProps {
  connection: ConnectionView;
  onTest: () => void;
  onEdit: () => void;
  onRemove: () => void;
}

function ConnectionRow({ connection, onTest, onEdit, onRemove }: ConnectionRowProps) {
  return (
    <li className="grid grid-cols-1 items-center gap-x-6 gap-y-2 px-3 py-2.5 md:grid-cols-[minmax(0,2fr)_minmax(0,1.2fr)_minmax(0,1.4fr)_auto]">
      <div className="flex min-w-0 flex-col">
        <span className="flex items-center gap-2">
          <span className="truncate font-medium font-mono">{connection.name}</span>
          <Badge>{PROVIDER_NAMES[connection.provider]}</Badge>
        </span>
        <span className="truncate text-muted text-sm">{connection.baseUrl}</span>
        {connection.problem === null ? null : (
          <span className="break-words text-deny text-sm">
            This connection cannot be read ({connection.problem}), so its judges are not called. Save the connection
            again.
          </span>
        )}
      </div>
      <div className="flex min-w-0 flex-col text-sm">
        <Credential connection={connection} />
        <span className="text-muted">
          {connection.prices.length === 0 ? "no prices: calls are unpriced" : plural(connection.prices.length, "price")}
        </span>
      </div>
      <div className="min-w-0 text-sm">
        <span className="text-faint text-xs">Today</span>
        <UseOfCap cap={connection} today={connection.today} />
      </div>
      <div className="flex items-center gap-1">
        <PermittedButton to="judge:write" size="sm" onClick={onTest} aria-label={`Test ${connection.name}`}>
          Test…
        </PermittedButton>
        <PermittedButton to="judge:write" size="sm" onClick={onEdit} aria-label={`Edit ${connection.name}`}>
          Edit…
        </PermittedButton>
        <PermittedButton
          to="judge:write"
          size="sm"
          variant="ghost"
          onClick={onRemove}
          aria-label={`Remove ${connection.name}`}
        >
          Remove…
        </PermittedButton>
      </div>
    </li>
  );
}

function Credential({ connection: { credential, provider } }: { connection: ConnectionView }) {
  if (credential)
    return (
      <span>
        key {credential.lastFour === null ? "set" : <code>…{credential.lastFour}</code>}
        <span className="text-muted">
          , set <RelativeTime at={credential.setAt} />
        </span>
      </span>
    );
  return provider === "openai-compatible" ? (
    <span className="text-muted">no key</span>
  ) : (
    <span className="font-medium text-deny">no key: judges cannot be asked</span>
  );
}
