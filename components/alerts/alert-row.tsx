"use client";

import { useMutation } from "@tanstack/react-query";
import { BellOff, Ellipsis } from "lucide-react";
import { useState } from "react";
import { usePermission } from "@/components/access/permission";
import { conditionWords, STATE_LOOK, shortAmount } from "@/components/alerts/labels";
import { ActDialog } from "@/components/layout/act-dialog";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { Badge } from "@/components/ui/badge";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { IconButton } from "@/components/ui/icon-button";
import { Mark } from "@/components/ui/mark";
import { Menu } from "@/components/ui/menu";
import { toast } from "@/components/ui/toast";
import { measureOf } from "@/server/alerts/measure-schema";
import type { AlertView } from "@/server/alerts/schema";

const SNOOZES = [1, 8, 24] as const;

/** One rule: its state first, then its condition. */
export function AlertRow({ rule, onEdit }: { rule: AlertView; onEdit: () => void }) {
  const trpc = useTRPC();
  const { reason } = usePermission("alert:write");
  const [isRemoving, setRemoving] = useState(false);
  const onError = (error: unknown) => toast.error("Nothing was changed", { description: failureSentence(error) });
  const snooze = useMutation(trpc.alerts.snooze.mutationOptions({ onError }));
  const { label, unit } = measureOf(rule.measure);
  const { tone, label: word } = STATE_LOOK[rule.state];
  const isSnoozed = rule.snoozedUntil !== null && rule.snoozedUntil.getTime() > Date.now();
  const disabled = reason !== null;
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2" data-alert={rule.state}>
      <span className="w-22 shrink-0">
        {rule.isEnabled ? <Mark tone={tone} label={word} /> : <Mark tone="canceled" label="Off" />}
      </span>
      <div className="min-w-0 flex-1 basis-60">
        <button
          type="button"
          onClick={onEdit}
          className="max-w-full truncate rounded-sm text-left font-medium hover:underline"
        >
          {rule.name}
        </button>
        <p className="text-muted text-sm">
          {label} {conditionWords(rule)}
        </p>
        {rule.fault ? <p className="text-error text-sm">{rule.fault}</p> : null}
      </div>
      <div className="flex flex-wrap items-center gap-2 text-muted text-sm">
        {isSnoozed && rule.snoozedUntil ? (
          <Badge icon={BellOff}>
            snoozed, ends <RelativeTime at={rule.snoozedUntil} />
          </Badge>
        ) : null}
        <Badge look="outline">{rule.severity}</Badge>
        <span className="min-w-16 text-right tabular-nums" title="Value at the last check">
          {rule.value === null ? "—" : shortAmount(unit, rule.comparison, rule.value)}
          {rule.coverage !== null && rule.coverage < 1 ? ` · ${Math.floor(rule.coverage * 100)} % priced` : ""}
        </span>
        <span className="min-w-24 text-right">
          <RelativeTime at={rule.stateSince} />
        </span>
        <Menu
          trigger={<IconButton icon={Ellipsis} label={`More about ${rule.name}`} size="sm" />}
          items={[
            { label: "Edit", onSelect: onEdit },
            ...(isSnoozed
              ? [{ label: "End snooze", disabled, onSelect: () => snooze.mutate({ id: rule.id, hours: null }) }]
              : SNOOZES.map((hours) => ({
                  label: `Snooze for ${hours} h`,
                  disabled,
                  onSelect: () => snooze.mutate({ id: rule.id, hours }),
                }))),
            { label: "Remove", danger: true, disabled, onSelect: () => setRemoving(true) },
          ]}
        />
      </div>
      <ActDialog
        mutation={trpc.alerts.remove.mutationOptions()}
        input={isRemoving && { id: rule.id }}
        onClose={() => setRemoving(false)}
        title={`Remove ${rule.name}?`}
        confirm="Remove"
      >
        <p>
          Deletes the alert and its history. If the alert is firing, everyone who was notified is notified that it
          ended.
        </p>
      </ActDialog>
    </li>
  );
}
