/** The place where the questions of a policy's rules are asked, by the hooks of an event. Pure. */
import { BUILTINS } from "@quarterdeck/hooks/contract/builtins";
import type { EntryNode, HookNode } from "@/components/policies/document/tree";
import type { Value } from "@/components/policies/document/write";
import type { AskPlace } from "@/server/packs/schema";

/** True for an event whose questions can go to the Approvals page. */
export const canChooseAskPlace = (event: string): boolean =>
  BUILTINS.ask_a_person.madeFor.some((gate) => gate === event);

/** The hook that takes what the other hooks of its entry ask to the Approvals page. */
export const ASK_HOOK = {
  ...{ name: "ask on the Approvals page", type: "builtin", command: "ask_a_person" },
  args: ["", "when asked"],
} as const satisfies Value;

/** The hook of a lane that takes the questions about calls that `matcher` selects; null where the terminal asks. */
export function findAskHook(entries: readonly EntryNode[], isEarly: boolean, matcher: unknown): HookNode | null {
  for (const entry of entries) {
    const isSame = isEverything(entry.fields.matcher) || entry.fields.matcher === matcher;
    if (!isSame || (entry.fields.preempt_yolo === true) !== isEarly) continue;
    const hook = entry.hooks.find(takesQuestions);
    if (hook) return hook;
  }
  return null;
}

const isEverything = (matcher: unknown): boolean =>
  matcher === undefined || matcher === "" || matcher === "*" || matcher === ".*";

const takesQuestions = ({ fields: { type, command, args } }: HookNode): boolean =>
  type === "builtin" && command === "ask_a_person" && Array.isArray(args) && args.includes("when asked");

export const ASK_WORDS: Record<AskPlace, string> = {
  terminal: "ask in the agent's terminal about",
  approvals: "ask on the Approvals page about",
};
