/** docs/events.md, rendered from the contracts table. events-doc.test.ts fails when the file is stale. */
import { eventTitle } from "../contract/event-titles.ts";
import {
  contractOf,
  EVENTS,
  type EventContract,
  type EventName,
  eventNames,
  isEventName,
  WIDEST_PROFILE,
} from "../contract/events.ts";

const REWRITES = {
  nothing: "",
  tool_input: "tool arguments",
  messages: "messages",
  tool_response: "tool response",
} as const satisfies Record<EventContract["rewrites"], string>;

/** The whole document. */
export function eventsDocument(): string {
  const events = eventNames(WIDEST_PROFILE);
  return [
    "# Events",
    "",
    "<!-- Rendered from server/hooks/contract/events.ts; `UPDATE_DOCS=1 npx vitest run server/hooks/conformance/events-doc` writes it. -->",
    "",
    `The effects of a hook on each of the ${events.length} events. **Stops**: exit code 2, \`decision: "block"\` or`,
    "`continue: false` stop the operation. **Fails closed**: a hook that fails has refused, whatever its `on_error` says.",
    "**Matcher**: entries are chosen by tool name. Other events run every hook they have.",
    "",
    "| event | title | when | matcher | stops | fails closed | verdict | replaces | adds |",
    "| --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ...events.flatMap(rows),
    "",
    "The preempt lane is the early check of `pre_tool_use`. `POST /api/v1/hooks/pre_tool_use` without `lane` asks",
    "`tool_input_transform`, `tool_guard` and both lanes, in this order, where a policy has hooks for them. `?lane=default` and",
    "`?lane=preempt_yolo` ask one lane, for a runtime that asks each gate itself. For a runtime that skips gates, `gates=all` (or",
    "`gates=rest`) at its first gate also asks the later ones. With `gates=asked` those get the recorded answer.",
    "",
    "(1) Since profile 2026-08. (2) Context is taken in profile 2026-07 only. (3) Instructions are taken since profile",
    "2026-08. (4) Since profile 2026-11. A hook may hand the run to another agent with `transition`, and its output is read",
    "strictly. (5) Since profile 2026-11. A hook that exits with 0 must print an explicit verdict, and its words stay in the executor.",
    "",
  ].join("\n");
}

function rows(event: EventName): string[] {
  const main = row(event, `\`${event}\`${note(event)}`, contractOf(event, WIDEST_PROFILE));
  if (!EVENTS[event].hasPreemptLane) return [main];
  return [main, row(event, `\`${event}\`, preempt lane`, contractOf(event, WIDEST_PROFILE, "preempt_yolo"))];
}

function note(event: EventName): string {
  const { control, guardsContent } = EVENTS[event];
  if (control) return " (4)";
  if (guardsContent) return " (5)";
  return isEventName(event, "2026-07") ? "" : " (1)";
}

function row(event: EventName, name: string, contract: EventContract): string {
  const verdict = contract.decides ? "allow, ask, deny" : contract.approves ? "answers for the user" : "";
  const cells = [
    name,
    eventTitle(event),
    contract.says,
    yes(contract.matchesTools),
    yes(contract.canBlock),
    yes(contract.failsClosed),
    verdict,
    REWRITES[contract.rewrites],
    additions(event, contract),
  ];
  return `| ${cells.join(" | ")} |`.replaceAll("|  |", "| |").replaceAll("|  |", "| |");
}

function additions(event: EventName, contract: EventContract): string {
  const older = isEventName(event, "2026-07") ? contractOf(event, "2026-07") : contract;
  const context = contract.addsContext ? "context" : older.addsContext ? "context (2)" : "";
  const instructions = contract.addsInstructions ? `instructions${older.addsInstructions ? "" : " (3)"}` : "";
  const facts = contract.addsMetadata ? "metadata" : "";
  return [context, instructions, facts, contract.suppliesSummary ? "summary" : ""].filter(Boolean).join(", ");
}

function yes(claim: boolean): string {
  return claim ? "yes" : "";
}
