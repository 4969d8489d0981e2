"use client";

import { contractOf } from "@quarterdeck/hooks/contract/events";
import { kindMatcher } from "@quarterdeck/hooks/contract/tool-kinds";
import { Plus, ShieldPlus } from "lucide-react";
import { useState } from "react";
import { EventTitle } from "@/components/layout/event-title";
import type { Edit } from "@/components/policies/document/change";
import { addItem, setKey } from "@/components/policies/document/edits";
import { difference } from "@/components/policies/document/names";
import type { PolicyForm } from "@/components/policies/document/tree";
import { useForm } from "@/components/policies/form/form-context";
import { type Addition, GUARDS, type Guard, withAskHook } from "@/components/policies/form/guards";
import { eventsFor, PURPOSES } from "@/components/policies/form/purpose";
import { Button } from "@/components/ui/button";
import { loadWhenOpened } from "@/components/ui/load-when-opened";
import { Menu, type MenuItem } from "@/components/ui/menu";

const GuardDialog = loadWhenOpened(() =>
  import("@/components/policies/form/guard-dialog").then((one) => one.GuardDialog),
);

/** Adds a guard from a starting point, or an event to hang hooks on. */
export function AddMenu({ form }: { form: PolicyForm }) {
  const { edit, profile } = useForm();
  const [guard, setGuard] = useState<Guard | null>(null);
  const taken = new Set(form.events.map(({ event }) => event));
  const events = PURPOSES.flatMap(({ id, title }): MenuItem[] => {
    const free = eventsFor(id, profile).filter((event) => !taken.has(event));
    if (free.length === 0) return [];
    return [
      { kind: "label", label: title },
      ...free.map(
        (event): MenuItem => ({
          label: (
            <span className="flex max-w-80 flex-col py-0.5">
              <EventTitle event={event} />
              <span className="text-muted text-sm">{contractOf(event, profile).says}</span>
            </span>
          ),
          onSelect: () =>
            void edit((text) =>
              added(text, form.base, [{ event, item: itemFor(contractOf(event, profile).matchesTools) }]),
            ),
        }),
      ),
    ];
  });
  const choose = (chosen: Guard) => {
    if (chosen.asks.length > 0 || chosen.asksPeople) setGuard(chosen);
    else void edit((text) => added(text, form.base, chosen.make({})));
  };
  return (
    <div className="flex flex-wrap gap-2">
      <Menu
        align="start"
        trigger={
          <Button>
            <ShieldPlus aria-hidden /> Add a guard
          </Button>
        }
        items={GUARDS.map(
          (one): MenuItem => ({
            label: (
              <span className="flex max-w-80 flex-col py-0.5">
                {one.label}
                <span className="text-muted text-sm">{one.says}</span>
              </span>
            ),
            onSelect: () => choose(one),
          }),
        )}
      />
      <Menu
        align="start"
        trigger={
          <Button variant="ghost">
            <Plus aria-hidden /> Add an event
          </Button>
        }
        items={events}
      />
      <GuardDialog
        guard={guard}
        onClose={() => setGuard(null)}
        onAdd={(additions, asks) =>
          edit((text) => added(text, form.base, asks === "approvals" ? additions.map(withAskHook) : additions))
        }
      />
    </div>
  );
}

const itemFor = (matchesTools: boolean) =>
  matchesTools
    ? { matcher: kindMatcher("shell"), hooks: [{ type: "command", command: "" }] }
    : { type: "command", command: "" };

/** All additions as one edit of the text. */
function added(text: string, base: PolicyForm["base"], additions: readonly Addition[]): Edit {
  let edit: Edit = { ok: true, changes: [], text };
  for (const { event, item } of additions) {
    if (!edit.ok) return edit;
    edit = addItem(edit.text, [...base, event], item);
    // A text without a `hooks:` yet.
    if (!edit.ok && base.length > 0) edit = setKey(text, [], "hooks", { [event]: [item] });
  }
  if (!edit.ok || additions.length < 2) return edit;
  return { ...edit, changes: [difference(text, edit.text)] };
}
