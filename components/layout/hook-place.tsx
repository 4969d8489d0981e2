import { eventTitle } from "@quarterdeck/hooks/contract/event-titles";
import { Hint } from "@/components/ui/tooltip";

/** A hook's path in its policy: `hooks.pre_tool_use[0].hooks[1]`, or without the first step. */
const PATH = /^(?:hooks\.)?(\w+)\[\d+\](?:\.hooks\[\d+\])?$/;
const PATHS = /hooks\.\w+\[\d+\](?:\.hooks\[\d+\])?/g;

/** "Before a tool runs": the title of the event that the hook belongs to. A text of another form is returned as it is. */
export function hookEventTitle(path: string): string {
  const event = PATH.exec(path)?.[1];
  return event === undefined ? path : eventTitle(event);
}

/** A sentence about hooks in which each path is the title of its event. */
export const withEventTitles = (sentence: string): string => sentence.replace(PATHS, hookEventTitle);

/** The place of a hook in its policy, by its event. The path in the text is in the tooltip. */
export function HookPlace({ path }: { path: string }) {
  return <Hint content={path}>{hookEventTitle(path)}</Hint>;
}
