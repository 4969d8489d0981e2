"use client";

import { eventTitle } from "@quarterdeck/hooks/contract/event-titles";
import type { EventContract } from "@quarterdeck/hooks/contract/events";
import { kindMatcher } from "@quarterdeck/hooks/contract/tool-kinds";
import { Ellipsis, Plus, Trash2 } from "lucide-react";
import { memo } from "react";
import { EventTitle } from "@/components/layout/event-title";
import { addItem, removeItem, removeKey, setKey, unsetKey } from "@/components/policies/document/edits";
import type { EntryNode, EventNode, HookNode } from "@/components/policies/document/tree";
import { ASK_HOOK, canChooseAskPlace, findAskHook } from "@/components/policies/form/ask-place";
import { type AskPlaceChoice, AskPlaceContext } from "@/components/policies/form/ask-place-context";
import { ENTRY_ORDER } from "@/components/policies/form/fields";
import { problemAt, problemsWithin, useForm } from "@/components/policies/form/form-context";
import { MatcherField } from "@/components/policies/form/matcher-field";
import { matcherLabel } from "@/components/policies/form/matcher-label";
import { moveItems } from "@/components/policies/form/move-items";
import { powers } from "@/components/policies/form/purpose";
import { HookSentences } from "@/components/policies/sentences/hook-sentences";
import { isUnwritten, useOpenHooks } from "@/components/policies/sentences/use-open-hooks";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { ErrorLine } from "@/components/ui/error-state";
import { IconButton } from "@/components/ui/icon-button";
import { Menu } from "@/components/ui/menu";
import type { PolicyProblem } from "@/server/policies/schema";

/** A new, empty hook; the check reports its missing parts. */
const NEW_HOOK = { type: "command", command: "" } as const;

export interface EventSectionProps {
  node: EventNode;
  index: number;
  of: number;
  /** Those at or below this event. */
  problems: readonly PolicyProblem[];
}

/** One event with what hangs on it. */
export const EventSection = memo(function EventSection({ node, index, of, problems }: EventSectionProps) {
  const { edit, profile } = useForm();
  const { event, contract, path } = node;
  const isScoped = contract?.matchesTools ?? node.entries.length > 0;
  const problem = problemAt(problems, node.where);
  const opened = useOpenHooks(node.hooks);
  const add = () => {
    if (edit((text) => addItem(text, path, fresh)) === null && !isScoped)
      opened.openAt(`${node.where}[${node.hooks.length}]`);
  };
  const fresh = isScoped ? { matcher: kindMatcher("shell"), hooks: [NEW_HOOK] } : NEW_HOOK;
  return (
    <section
      aria-label={`${eventTitle(event)} (${event})`}
      className="flex flex-col gap-3 border-line border-t pt-4 first:border-t-0 first:pt-0"
    >
      <header className="flex items-start gap-2">
        <div className="min-w-0 flex-1">
          <h3>
            <EventTitle event={event} className="break-words font-semibold text-md" />
          </h3>
          <p className="text-muted max-sm:sr-only">{contract?.says ?? "This profile has no event with this name."}</p>
          {contract ? (
            <p className="text-faint text-sm max-sm:sr-only">{powers(contract, profile).join(" · ")}</p>
          ) : null}
        </div>
        <Menu
          trigger={<IconButton icon={Ellipsis} label={`More for ${eventTitle(event)}`} size="sm" />}
          items={[
            ...moveItems(edit, path, { index, of }),
            { kind: "separator" },
            {
              label: "Remove the event",
              icon: Trash2,
              danger: true,
              onSelect: () => void edit((text) => removeKey(text, path.slice(0, -1), event)),
            },
          ]}
        />
      </header>
      {problem === undefined ? null : <ErrorLine>{problem}</ErrorLine>}
      {node.isOdd ? <ErrorLine>Part of this event is not a hook. Correct that part in the YAML.</ErrorLine> : null}
      {node.entries.map((entry, at) => (
        <Entry
          key={entry.where}
          entry={entry}
          event={event}
          asked={findAskHook(node.entries, entry.fields.preempt_yolo === true, entry.fields.matcher)}
          contract={contract}
          index={at}
          of={node.entries.length}
          problems={problemsWithin(problems, entry.where)}
        />
      ))}
      {node.hooks.map((hook, at) => (
        <HookSentences
          key={hook.where}
          hook={hook}
          event={event}
          matcher={undefined}
          isEarly={false}
          contract={contract}
          index={at}
          of={node.hooks.length}
          problems={problemsWithin(problems, hook.where)}
          opened={opened}
        />
      ))}
      <div>
        <Button size="sm" variant="ghost" onClick={add}>
          <Plus aria-hidden /> {isScoped ? "Add hooks for other tools" : "Add a hook"}
        </Button>
      </div>
    </section>
  );
});

interface EntryProps extends Omit<EventSectionProps, "node"> {
  entry: EntryNode;
  event: string;
  /** The hook that takes its questions to the Approvals page. */
  asked: HookNode | null;
  contract: EventContract | null;
}

/** Where the rules of an entry ask, and the change of it: one hook for all its rules. */
function useAskPlaceChoice({ entry, event, asked }: EntryProps): AskPlaceChoice | null {
  const { edit } = useForm();
  if (!canChooseAskPlace(event)) return null;
  return {
    place: asked === null ? "terminal" : "approvals",
    change: (place) => {
      if (place === "approvals" && asked === null)
        void edit((text) => addItem(text, [...entry.path, "hooks"], ASK_HOOK));
      if (place === "terminal" && asked !== null) void edit((text) => removeItem(text, asked.path));
    },
  };
}

const Entry = memo(function Entry(props: EntryProps) {
  const { entry, event, contract, index, of, problems } = props;
  const { edit } = useForm();
  const matcher = matcherLabel(entry.fields.matcher);
  const problem = problemAt(problems, entry.where);
  const opened = useOpenHooks(entry.hooks);
  const askPlace = useAskPlaceChoice(props);
  const firstOpen = entry.hooks.find((hook) => opened.ruleAt(hook) !== null || isUnwritten(hook));
  const hasList = typeof entry.path.at(-1) === "number";
  const isPreempting = entry.fields.preempt_yolo === true;
  const preempt = (is: boolean) =>
    void edit((text) =>
      is ? setKey(text, entry.path, "preempt_yolo", true, ENTRY_ORDER) : unsetKey(text, entry.path, "preempt_yolo"),
    );
  const add = () => {
    if (edit((text) => addItem(text, [...entry.path, "hooks"], NEW_HOOK)) === null)
      opened.openAt(`${entry.where}.hooks[${entry.hooks.length}]`);
  };
  const settings = (
    <div className="flex flex-col gap-3">
      <MatcherField entry={entry} problems={problems} />
      {contract?.hasPreemptLane || entry.fields.preempt_yolo !== undefined ? (
        <Checkbox
          checked={isPreempting}
          onChange={preempt}
          label="Also run these hooks in auto-approve mode"
          help="These hooks run before everything else (preempt_yolo) and cannot rewrite the call."
        />
      ) : null}
    </div>
  );
  return (
    <section aria-label={`Hooks for ${matcher}`} className="flex flex-col gap-3 rounded-md bg-sunken p-3">
      <div className="flex items-start gap-2">
        <div className="min-w-0 flex-1">
          <p className="py-1 text-muted text-sm">
            <span className="break-words">{matcher}</span>
            {isPreempting ? " · also in auto-approve mode" : null}
          </p>
        </div>
        <Menu
          trigger={<IconButton icon={Ellipsis} label={`More actions for the hooks on ${matcher}`} size="sm" />}
          items={[
            ...moveItems(edit, entry.path, { index, of }, hasList),
            { kind: "separator" },
            {
              label: "Remove these hooks",
              icon: Trash2,
              danger: true,
              onSelect: () => void edit((text) => removeItem(text, entry.path)),
            },
          ]}
        />
      </div>
      {problem === undefined ? null : <ErrorLine>{problem}</ErrorLine>}
      {entry.hooks.length === 0 ? settings : null}
      <AskPlaceContext value={askPlace}>
        {entry.hooks.map((hook, at) => (
          <HookSentences
            key={hook.where}
            hook={hook}
            event={event}
            matcher={typeof entry.fields.matcher === "string" ? entry.fields.matcher : ""}
            isEarly={isPreempting}
            contract={contract}
            index={at}
            of={entry.hooks.length}
            problems={problemsWithin(problems, hook.where)}
            opened={opened}
            settings={hook === firstOpen ? settings : null}
          />
        ))}
      </AskPlaceContext>
      <div>
        <Button size="sm" variant="ghost" onClick={add}>
          <Plus aria-hidden /> Add a hook
        </Button>
      </div>
    </section>
  );
});
