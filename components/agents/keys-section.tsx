"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import { usePermission } from "@/components/access/permission";
import { PermittedButton } from "@/components/access/permitted-button";
import { keyStateOf } from "@/components/agents/agent-status";
import { KeyMark, useKeyState } from "@/components/agents/key-state";
import type { NewKey } from "@/components/agents/new-key-dialog";
import { ActDialog } from "@/components/layout/act-dialog";
import { toastWithUndo } from "@/components/layout/undo-toast";
import { useTRPC } from "@/components/trpc/client";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { loadWhenOpened } from "@/components/ui/load-when-opened";
import { Section } from "@/components/ui/section";
import { KEY_SCOPES } from "@/server/access/role-schema";
import type { AgentView, KeyView } from "@/server/agents/schema";

const AddKeyDialog = loadWhenOpened(() => import("@/components/agents/add-key-dialog").then((one) => one.AddKeyDialog));
const RotateKeyDialog = loadWhenOpened(
  () => import("@/components/agents/rotate-key-dialog").then((one) => one.RotateKeyDialog),
  "rotating",
);

/** The keys of an agent: add a key, or revoke one immediately. */
export function KeysSection({ agent, onCreated }: { agent: AgentView; onCreated: (created: NewKey) => void }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [ending, setEnding] = useState<KeyView | null>(null);
  const renew = () => queries.invalidateQueries({ queryKey: trpc.agents.pathKey() });
  const [isAdding, setAdding] = useState(false);
  const [rotating, setRotating] = useState<KeyView | null>(null);
  const made = (key: string) => {
    onCreated({ agentName: agent.name, key });
    return renew();
  };
  const { mutateAsync: undoRevocation } = useMutation(trpc.agents.undoKeyRevocation.mutationOptions());
  const offerUndo = ({ id: keyId, hint }: KeyView) =>
    toastWithUndo({
      title: `Key ${hint}… revoked`,
      undo: async () => {
        await undoRevocation({ agentId: agent.id, keyId });
        await renew();
      },
      undone: `Key ${hint}… works again`,
    });
  const { isGranted: mayWrite } = usePermission("agent:write");
  const isLast = ending !== null && !agent.keys.some((key) => key.id !== ending.id && isLive(key));
  return (
    <Section
      title="Keys"
      actions={
        agent.retiredAt === null ? (
          <PermittedButton to="agent:write" size="sm" onClick={() => setAdding(true)}>
            <Plus aria-hidden /> Add a key
          </PermittedButton>
        ) : null
      }
    >
      <ul className="flex flex-col divide-y divide-line rounded-md border bg-surface">
        {agent.keys.map((key) => (
          <KeyRow
            key={key.id}
            apiKey={key}
            isRetired={agent.retiredAt !== null}
            mayWrite={mayWrite}
            onReplace={() => setRotating(key)}
            onRevoke={() => setEnding(key)}
          />
        ))}
        {agent.keys.length === 0 ? (
          <li className="px-3 py-2 text-muted">The agent has no key, so its requests are refused.</li>
        ) : null}
      </ul>
      <AddKeyDialog agent={agent} open={isAdding} onOpenChange={setAdding} onAdded={made} />
      <RotateKeyDialog agent={agent} rotating={rotating} onClose={() => setRotating(null)} onRotated={made} />
      <ActDialog
        mutation={trpc.agents.revokeKey.mutationOptions()}
        input={ending && { agentId: agent.id, keyId: ending.id }}
        onClose={() => setEnding(null)}
        title={`Revoke key ${ending?.hint ?? ""}… of ${agent.name}?`}
        confirm="Revoke key"
        onDone={() => {
          if (ending !== null) offerUndo(ending);
          return renew();
        }}
      >
        <p>From now on, the gateway refuses all calls with this key. For ten seconds, you can undo the revocation.</p>
        <p>
          {isLast
            ? `This is the only key of ${agent.name}. With the enrolment snippet, every action that can be blocked is blocked until the agent has a new key.`
            : `${agent.name} has other keys, which keep working.`}
        </p>
      </ActDialog>
    </Section>
  );
}

/** One that has ended opens nothing, like one that was revoked. */
const isLive = (key: KeyView): boolean => keyStateOf(key, Date.now()) === "live";

interface KeyRowProps {
  apiKey: KeyView;
  isRetired: boolean;
  mayWrite: boolean;
  onReplace: () => void;
  onRevoke: () => void;
}

/** One key with its actions. An ended key, or one of a retired agent, cannot be replaced. */
function KeyRow({ apiKey, isRetired, mayWrite, onReplace, onRevoke }: KeyRowProps) {
  const { hint, createdAt, expiresAt, revokedAt, lastUsedAt, scopes } = apiKey;
  const state = useKeyState(apiKey);
  return (
    <li className="flex min-h-10 flex-wrap items-center gap-x-3 gap-y-1 px-3 py-1.5">
      <code>{hint}…</code>
      <KeyMark state={state} isRetired={isRetired} />
      <span className="text-muted text-sm">
        created <RelativeTime at={createdAt} />
        {revokedAt ? (
          <>
            , revoked <RelativeTime at={revokedAt} />
          </>
        ) : expiresAt ? (
          <>
            , {state === "expired" ? "ended" : "ends"} <RelativeTime at={expiresAt} />
          </>
        ) : null}
        {lastUsedAt ? (
          <>
            , used <RelativeTime at={lastUsedAt} />
          </>
        ) : (
          ", never used"
        )}
      </span>
      {scopes.length < KEY_SCOPES.length ? scopes.map((scope) => <Badge key={scope}>{scope}</Badge>) : null}
      {revokedAt === null && mayWrite ? (
        <span className="ml-auto flex gap-1">
          {state === "live" && !isRetired ? (
            <Button size="sm" onClick={onReplace} aria-label={`Replace the key ${hint}`}>
              Replace…
            </Button>
          ) : null}
          <Button size="sm" onClick={onRevoke} aria-label={`Revoke the key ${hint}`}>
            Revoke…
          </Button>
        </span>
      ) : null}
    </li>
  );
}
