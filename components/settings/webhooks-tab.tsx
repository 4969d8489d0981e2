"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { Ellipsis, Plus, Webhook } from "lucide-react";
import { useState } from "react";
import { PermittedButton } from "@/components/access/permitted-button";
import { ActDialog } from "@/components/layout/act-dialog";
import { useRequestedAct } from "@/components/layout/use-requested-act";
import { DeliveriesSection } from "@/components/settings/deliveries-section";
import { Loaded } from "@/components/settings/loaded";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { useLiveQueries } from "@/components/trpc/live-queries";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { IconButton } from "@/components/ui/icon-button";
import { loadWhenOpened } from "@/components/ui/load-when-opened";
import { Mark } from "@/components/ui/mark";
import { Menu } from "@/components/ui/menu";
import { ShownOnce } from "@/components/ui/shown-once";
import { toast } from "@/components/ui/toast";
import type { WebhookView } from "@/server/webhooks/schema";

const WebhookDialog = loadWhenOpened(() =>
  import("@/components/settings/webhook-dialog").then((one) => one.WebhookDialog),
);

const OVERLAP_HOURS = 24;

/** The receivers of events, over HTTP and signed. */
export function WebhooksTab() {
  useLiveQueries(["webhooks"]);
  const trpc = useTRPC();
  const webhooks = useQuery(trpc.webhooks.list.queryOptions());
  const [edited, setEdited] = useState<WebhookView | "new" | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  useRequestedAct({ create: () => setEdited("new") });
  const add = (
    <PermittedButton to="webhook:manage" variant="primary" onClick={() => setEdited("new")}>
      <Plus aria-hidden /> New webhook
    </PermittedButton>
  );
  const dead = webhooks.data?.reduce((sum, one) => sum + one.dead, 0) ?? 0;
  return (
    <div className="flex flex-col gap-4">
      <header className="flex flex-wrap items-center justify-between gap-2">
        <p className="max-w-140 text-muted">
          A webhook posts alerts, publications and key changes to your address, signed by the Standard Webhooks
          specification. Failed deliveries are retried for one day, then kept until you resend them.
        </p>
        {webhooks.data?.length ? add : null}
      </header>
      <Loaded query={webhooks} what="The webhooks">
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState icon={Webhook} title="No webhooks yet" action={add}>
              Connect a chat, a pager or a log collector.
            </EmptyState>
          ) : (
            <>
              <ul className="flex flex-col divide-y divide-line rounded-md border bg-surface" aria-label="Webhooks">
                {rows.map((one) => (
                  <Row key={one.id} webhook={one} onEdit={() => setEdited(one)} onSecret={setSecret} />
                ))}
              </ul>
              <DeliveriesSection dead={dead} />
            </>
          )
        }
      </Loaded>
      <WebhookDialog
        key={edited === null ? "none" : edited === "new" ? "new" : edited.id}
        open={edited !== null}
        webhook={edited === "new" ? null : edited}
        onClose={() => setEdited(null)}
        onSaved={setSecret}
      />
      <ShownOnce
        secret={secret}
        title="The webhook's secret"
        description="The receiver verifies signatures with this secret. The secret is shown only once."
        noun="secret"
        onClose={() => setSecret(null)}
      />
    </div>
  );
}

interface RowProps {
  webhook: WebhookView;
  onEdit: () => void;
  onSecret: (secret: string) => void;
}

function Row({ webhook, onEdit, onSecret }: RowProps) {
  const trpc = useTRPC();
  const [asked, setAsked] = useState<"rotate" | "remove" | null>(null);
  const onError = (error: unknown) => toast.error("Nothing was changed", { description: failureSentence(error) });
  const test = useMutation(
    trpc.webhooks.test.mutationOptions({
      onError,
      onSuccess: ({ status, error }) =>
        error === null
          ? toast.success(`Test delivered: HTTP ${status}`)
          : toast.error("The test failed", { description: error }),
    }),
  );
  const { id, url, kinds, shape, isEnabled, dead, waiting, formerUntil } = webhook;
  const { host } = new URL(url);
  const close = () => setAsked(null);
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2">
      <span className="w-16 shrink-0">
        <Mark tone={isEnabled ? "allow" : "canceled"} label={isEnabled ? "On" : "Off"} />
      </span>
      <div className="min-w-0 flex-1 basis-60">
        <p className="truncate font-medium" title={url}>
          {url}
        </p>
        <p className="flex flex-wrap gap-1 text-muted text-sm">
          {shape === "json" ? null : <span>{shape === "slack" ? "Slack:" : "Teams:"}</span>}
          {kinds.map((kind) => (
            <code key={kind}>{kind}</code>
          ))}
        </p>
        {formerUntil ? (
          <p className="text-faint text-sm">
            The previous secret also signs messages until <RelativeTime at={formerUntil} />
          </p>
        ) : null}
      </div>
      {waiting > 0 ? <Badge>{waiting} waiting</Badge> : null}
      {dead > 0 ? <Mark tone="error" label={`${dead} failed`} /> : null}
      <Button size="sm" busy={test.isPending} onClick={() => test.mutate({ id })}>
        Send test
      </Button>
      <Menu
        trigger={<IconButton icon={Ellipsis} label={`More about ${host}`} size="sm" />}
        items={[
          { label: "Edit", onSelect: onEdit },
          { label: "New secret", onSelect: () => setAsked("rotate") },
          { label: "Remove", danger: true, onSelect: () => setAsked("remove") },
        ]}
      />
      <ActDialog
        mutation={trpc.webhooks.rotate.mutationOptions()}
        input={asked === "rotate" && { id, overlapHours: OVERLAP_HOURS }}
        onClose={close}
        title={`Create a new secret for ${host}?`}
        confirm="New secret"
        danger={false}
        onDone={(made) => onSecret(made.secret)}
      >
        <p>The current secret keeps signing for {OVERLAP_HOURS} more hours, so that the receiver can switch.</p>
      </ActDialog>
      <ActDialog
        mutation={trpc.webhooks.remove.mutationOptions()}
        input={asked === "remove" && { id }}
        onClose={close}
        title={`Remove the webhook of ${host}?`}
        confirm="Remove"
      >
        <p>The webhook gets no more messages. Pending deliveries are removed.</p>
      </ActDialog>
    </li>
  );
}
