/** Describes the effect of a changed matcher on a hook's tools. */
import { coversMatcher, formatMatcher, listMatcherNames, selectsAll } from "../lint/matchers.ts";
import { compileMatcher } from "../matcher.ts";
import { formatNameList } from "./format-phrases.ts";

export interface MatcherChange {
  readonly kind: "matcher_widened" | "matcher_narrowed" | "matcher_changed";
  /** Without the hook's name: "now also reads `edit_file`". */
  readonly says: string;
}

/** `tools`: names to test with both matchers, such as those that agents have used. */
export function describeMatcherChange(before: string, after: string, tools: readonly string[]): MatcherChange {
  if (selectsAll(before) && selectsAll(after))
    return { kind: "matcher_changed", says: `reads every tool as before; its matcher is written ${quoted(after)} now` };
  if (selectsAll(after)) return { kind: "matcher_widened", says: `now reads every tool, not only ${shown(before)}` };
  if (selectsAll(before))
    return { kind: "matcher_narrowed", says: `now reads only ${shown(after)}, before every tool` };
  const was = listMatcherNames(before);
  const is = listMatcherNames(after);
  if (was && is) return ofLists(was, is);
  const gained = tried(after, before, tools, is ?? []);
  const lost = tried(before, after, tools, was ?? []);
  const examples = [
    ...(gained.length > 0 ? [`it also reads ${formatNameList(gained)}`] : []),
    ...(lost.length > 0 ? [`it does not read ${formatNameList(lost)} any more`] : []),
  ].join(", and ");
  const kind = coversMatcher(after, before)
    ? "matcher_widened"
    : coversMatcher(before, after)
      ? "matcher_narrowed"
      : "matcher_changed";
  return {
    kind,
    says: `now reads ${shown(after)} instead of ${shown(before)}${examples === "" ? "" : `: ${examples}`}`,
  };
}

function ofLists(before: readonly string[], after: readonly string[]): MatcherChange {
  const gained = [...new Set(after)].filter((name) => !before.includes(name));
  const lost = [...new Set(before)].filter((name) => !after.includes(name));
  if (lost.length === 0 && gained.length === 0)
    return { kind: "matcher_changed", says: "reads the same tools, which its matcher lists otherwise" };
  if (lost.length === 0) return { kind: "matcher_widened", says: `now also reads ${formatNameList(gained)}` };
  if (gained.length === 0) return { kind: "matcher_narrowed", says: `does not read ${formatNameList(lost)} any more` };
  return {
    kind: "matcher_changed",
    says: `now also reads ${formatNameList(gained)}, and not ${formatNameList(lost)} any more`,
  };
}

/** The names that one matcher selects and the other does not. */
function tried(selecting: string, other: string, tools: readonly string[], names: readonly string[]): string[] {
  const [yes, no] = [compileMatcher(selecting), compileMatcher(other)];
  if (!yes.ok || !no.ok) return [];
  return [...new Set([...names, ...tools])].filter((name) => yes.matches(name) && !no.matches(name));
}

const quoted = (matcher: string): string => (matcher === "" ? "as nothing" : `\`${matcher}\``);

function shown(matcher: string): string {
  const names = listMatcherNames(matcher);
  return names ? formatNameList(names) : `tools that match ${formatMatcher(matcher)}`;
}
