/** The matchers of clients, each by its own rules. A pattern that does not compile matches nothing, as in the clients. */
import { RE2JS } from "re2js";
import { isObject, type JsonObject } from "../../dialects/settings/index.ts";
import type { DrillProbe } from "./drill-calls.ts";
import { listAt, objectAt, textAt } from "./settings-file.ts";

export type Matches = (matcher: string | undefined, toolName: string) => boolean;

const isForAll = (matcher: string | undefined): matcher is undefined | "" | "*" =>
  matcher === undefined || matcher === "" || matcher === "*";
const PLAIN = /^[\w -]+(\|[\w -]+)*$/;

/** Plain names are exact, a bar lists them, anything else is a pattern found anywhere. */
export const nameOrPattern: Matches = (matcher, toolName) => {
  if (isForAll(matcher)) return true;
  if (PLAIN.test(matcher)) return matcher.split("|").includes(toolName);
  return finds(matcher, toolName);
};

/** Matches by name; a matcher of edits also matches the patch tool. */
export const codexMatcher: Matches = (matcher, toolName) =>
  nameOrPattern(matcher, toolName) ||
  (toolName === "apply_patch" && (nameOrPattern(matcher, "Edit") || nameOrPattern(matcher, "Write")));

export const patternAnywhere: Matches = (matcher, toolName) => isForAll(matcher) || finds(matcher, toolName);

export const wholeName: Matches = (matcher, toolName) => isForAll(matcher) || finds(`^(?:${matcher})$`, toolName);

function finds(pattern: string, text: string): boolean {
  try {
    return RE2JS.compile(pattern).matcher(text).find();
  } catch {
    return false;
  }
}

/** True for an entry that is asked about the call: a matcher selects only tools. */
export function isAsked(entry: JsonObject, { tool, toolNames }: DrillProbe, matches: Matches): boolean {
  return tool === null || toolNames.some((name) => matches(textAt(entry, "matcher"), name));
}

/** The entries below `hooks` that are asked about the call, by its events. */
export function entriesFor(values: JsonObject | null, probe: DrillProbe, matches: Matches) {
  const hooks = objectAt(values, "hooks");
  return probe.events.flatMap((event) =>
    listAt(hooks, event)
      .filter(isObject)
      .filter((entry) => isAsked(entry, probe, matches))
      .map((entry) => ({ event, entry })),
  );
}
