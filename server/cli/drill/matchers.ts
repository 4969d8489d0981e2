/** The matchers of clients, each by its own rules. A pattern that does not compile matches nothing, as in the clients. */
import { RE2JS } from "re2js";

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

/** As names, and a matcher of edits also takes the tool that patches. */
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
