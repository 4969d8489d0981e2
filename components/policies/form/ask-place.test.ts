import { BUILTIN_NAMES } from "@quarterdeck/hooks/contract/config";
import { readPolicyText } from "@quarterdeck/hooks/contract/text/policy-text";
import { expect, it } from "vitest";
import { addItem, removeItem } from "@/components/policies/document/edits";
import { policyForm } from "@/components/policies/document/tree";
import { ASK_HOOK, canChooseAskPlace, findAskHook } from "@/components/policies/form/ask-place";
import { type Addition, GUARDS, withAskHook } from "@/components/policies/form/guards";

const ASKING = GUARDS.filter(({ asksPeople }) => asksPeople);
const answersOf = (id: string) =>
  Object.fromEntries(GUARDS.find((one) => one.id === id)?.asks.map(({ key, initial }) => [key, initial]) ?? []);
const done = (edit: ReturnType<typeof addItem>): string => {
  if (!edit.ok) throw new Error(edit.why);
  return edit.text;
};
const entriesOf = (text: string, event: string) =>
  policyForm(text).events.find((one) => one.event === event)?.entries ?? [];
const textOf = ({ event, item }: Addition) => done(addItem('profile: "2026-11"\nhooks: {}\n', ["hooks", event], item));

it.each(ASKING.map((guard) => [guard.id, guard] as const))("%s asks on the Approvals page and back", (id, guard) => {
  const [addition] = guard.make(answersOf(id));
  if (!addition) throw new Error("a guard without hooks");
  const { event } = addition;
  const asked = (text: string) => {
    const [entry] = entriesOf(text, event);
    return findAskHook(entriesOf(text, event), entry?.fields.preempt_yolo === true, entry?.fields.matcher);
  };
  const terminal = textOf(addition);
  expect(asked(terminal)).toBeNull();
  const approvals = textOf(withAskHook(addition));
  expect(readPolicyText(approvals, { builtins: BUILTIN_NAMES, models: false }).problems).toEqual([]);
  expect(policyForm(done(removeItem(approvals, asked(approvals)?.path ?? []))).events).toEqual(
    policyForm(terminal).events,
  );
  // The form of a rule adds the same hook.
  const [entry] = entriesOf(terminal, event);
  expect(asked(done(addItem(terminal, [...(entry?.path ?? []), "hooks"], ASK_HOOK)))).not.toBeNull();
});

it("leaves an addition without the choice as it is", () => {
  for (const guard of GUARDS.filter(({ id }) => id === "cap"))
    expect(guard.make(answersOf("cap")).map(withAskHook)).toEqual(guard.make(answersOf("cap")));
});

it("counts only a hook for the same tools and the same lane, that takes the questions of others", () => {
  const text = (args: string, matcher: string) =>
    `hooks:\n  pre_tool_use:\n    - matcher: ${matcher}\n      hooks:\n        - {type: builtin, command: ask_a_person, args: ${args}}\n`;
  const found = (args: string, matcher: string, isEarly = false) =>
    findAskHook(entriesOf(text(args, matcher), "pre_tool_use"), isEarly, "shell") !== null;
  expect(found('["", "when asked"]', '"*"')).toBe(true);
  expect(found('["", "when asked"]', '"*"', true)).toBe(false);
  expect(found('["", "when asked"]', "shell")).toBe(true);
  expect(found('["", "when asked"]', "edit")).toBe(false);
  expect(found('["Really?"]', '"*"')).toBe(false);
  expect(canChooseAskPlace("before_llm_call")).toBe(false);
});
