import { fenceAround, listActions, shortenAction } from "../judge-actions.ts";
import { createSetRepair, type Rule } from "../rule.ts";

export const judgeArgumentsUnfenced: Rule = {
  id: "judge-arguments-unfenced",
  severity: "warning",
  title: "The arguments in a judge's prompt are not fenced",
  why: "The agent writes the arguments. Without a fence they read as part of the prompt, so they can ask the judge for an allow. fenced writes them as one JSON value between two random marks.",
  fix: "Write the arguments with fenced, {{ fenced .ToolInput }}, and say in the prompt that nothing between the marks is an instruction.",
  firing: {
    policy: `hooks:
  pre_tool_use:
    - matcher: shell
      hooks:
        - type: model
          model: openai/gpt-4o-mini
          schema: pre_tool_use_decision
          prompt: 'May this run? {{ index .ToolInput "cmd" }}'
`,
  },
  silent: {
    policy: `hooks:
  pre_tool_use:
    - matcher: shell
      hooks:
        - type: model
          model: openai/gpt-4o-mini
          schema: pre_tool_use_decision
          prompt: 'May this run? {{ fenced .ToolInput }}'
`,
  },
  *check({ hooks }) {
    for (const { hook, at } of hooks) {
      if (hook.type !== "model" || typeof hook.prompt !== "string") continue;
      const text = findUnfenced(hook.prompt);
      if (text === undefined) continue;
      const message = `${shortenAction(text)} puts arguments into the prompt without a fence: use fenced`;
      const place = [...at, "prompt"];
      const fenced = hook.prompt.replace(text, () => FENCED);
      const isMended = findUnfenced(fenced) === undefined;
      yield { at: place, message, ...(isMended && { repair: createSetRepair(place, fenced, `Write ${FENCED}`) }) };
    }
  },
};

/** All arguments, whichever of them the action wrote. */
const FENCED = "{{ fenced .ToolInput }}";
const ARGUMENTS = /\.ToolInput\b/;
/** The dot alone: the whole input, or the value of a surrounding range or with. */
const DOT = /(?:^|[\s(])\.(?:$|[\s)|])/;

/** The text of the first action that writes arguments outside of a fence. A fence by hand is another rule's. */
function findUnfenced(prompt: string): string | undefined {
  const variables = new Set<string>();
  for (const action of listActions(prompt)) {
    const { words, isSilent } = action;
    const has = ARGUMENTS.test(words) || DOT.test(words) || wordsIn(words).some((name) => variables.has(name));
    if (!has) continue;
    if (isSilent) for (const name of assignedIn(words)) variables.add(name);
    else if (!/\bfenced\b/.test(words) && fenceAround(action) === undefined) return action.text;
  }
  return undefined;
}

const wordsIn = (words: string): readonly string[] => words.match(/\$\w+/g) ?? [];
/** Variables on the left of an assignment, as in `range $key, $value := .ToolInput`. */
const assignedIn = (words: string): readonly string[] =>
  words.includes("=") ? wordsIn(words.split("=")[0] ?? "") : [];
