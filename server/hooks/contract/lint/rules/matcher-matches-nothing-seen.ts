import { nearestWord } from "../../did-you-mean.ts";
import { compileMatcher } from "../../matcher.ts";
import { findMatcherKind } from "../../tool-kinds.ts";
import { listMatcherNames, selectsAll } from "../matchers.ts";
import { createSetRepair, type Rule, type Said } from "../rule.ts";

/** Only used tools are known. Guards for future tools are the author's decision. */
export const matcherMatchesNothingSeen: Rule = {
  id: "matcher-matches-nothing-seen",
  severity: "warning",
  title: "The matcher selects no tool that your agents have used",
  why: "A matcher selects full, case-sensitive names. A misspelled matcher selects no tool, and its hooks never run.",
  fix: "Use the tool's recorded name. Ignore this if the tool has not been used yet.",
  firing: {
    policy: `hooks:
  pre_tool_use:
    - matcher: shel
      hooks:
        - {type: command, command: ./gate.sh, run_on: agent}
`,
    tools: [{ name: "shell", count: 120 }],
  },
  silent: {
    policy: `hooks:
  pre_tool_use:
    - matcher: shell
      hooks:
        - {type: command, command: ./gate.sh, run_on: agent}
`,
    tools: [{ name: "shell", count: 120 }],
  },
  *check({ entries, tools }) {
    if (tools.length === 0) return;
    const names = tools.map(({ name }) => name);
    for (const { matcher, at } of entries) {
      // A tool kind also covers future clients.
      if (matcher === undefined || selectsAll(matcher) || findMatcherKind(matcher)) continue;
      const compiled = compileMatcher(matcher);
      if (!compiled.ok) continue;
      const listed = listMatcherNames(matcher);
      if (!names.some((name) => compiled.matches(name))) yield saidOf(at, matcher, names, listed);
      else if (listed) yield* slips(at, matcher, names, listed);
    }
  },
};

function saidOf(at: Said["at"], matcher: string, seen: readonly string[], listed: readonly string[] | null): Said {
  const close = listed?.length === 1 ? nearestWord(matcher, seen) : undefined;
  const instead = close === undefined ? "" : ` (did you mean "${close}"?)`;
  const message = `"${matcher}" selects none of the ${seen.length} tools seen${instead}`;
  return { at: [...at, "matcher"], message, ...repairOf(at, close) };
}

/** In a list with names in use, a name that is close to a used one is a typing error. */
function* slips(at: Said["at"], matcher: string, seen: readonly string[], listed: readonly string[]): Iterable<Said> {
  for (const name of listed) {
    if (name === "" || seen.includes(name)) continue;
    const close = nearestWord(name, seen);
    if (close === undefined || listed.includes(close)) continue;
    const message = `"${name}" in "${matcher}" is not a tool seen so far (did you mean "${close}"?)`;
    yield {
      at: [...at, "matcher"],
      message,
      ...repairOf(at, listed.map((one) => (one === name ? close : one)).join("|")),
    };
  }
}

function repairOf(at: Said["at"], value: string | undefined): Pick<Said, "repair"> {
  return value === undefined ? {} : { repair: createSetRepair([...at, "matcher"], value, `Write "${value}"`) };
}
