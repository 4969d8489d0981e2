import { BUILTIN_NAMES } from "@quarterdeck/hooks/contract/config";
import { readPolicyText } from "@quarterdeck/hooks/contract/text/policy-text";
import { expect, it } from "vitest";
import { addItem, removeItem } from "@/components/policies/document/edits";
import { policyForm } from "@/components/policies/document/tree";
import { askEntry, canChooseAskPlace, findAskHook } from "@/components/policies/form/ask-place";
import { GUARDS, isEarly } from "@/components/policies/form/guards";

const ASKING = GUARDS.filter(({ asksPeople }) => asksPeople);
const answersOf = (id: string) =>
  Object.fromEntries(GUARDS.find((one) => one.id === id)?.asks.map(({ key, initial }) => [key, initial]) ?? []);
const done = (edit: ReturnType<typeof addItem>): string => {
  if (!edit.ok) throw new Error(edit.why);
  return edit.text;
};
const entriesOf = (text: string, event: string) =>
  policyForm(text).events.find((one) => one.event === event)?.entries ?? [];

it.each(ASKING.map((guard) => [guard.id, guard] as const))("%s asks on the Approvals page and back", (id, guard) => {
  const [addition] = guard.make(answersOf(id));
  if (!addition) throw new Error("a guard without hooks");
  const early = isEarly(addition);
  expect(canChooseAskPlace(addition.event)).toBe(true);
  const path = ["hooks", addition.event];
  const terminal = done(addItem('profile: "2026-11"\nhooks: {}\n', path, addition.item));
  expect(findAskHook(entriesOf(terminal, addition.event), early, "*")).toBeNull();
  const approvals = done(addItem(terminal, path, askEntry(early)));
  const { problems } = readPolicyText(approvals, { builtins: BUILTIN_NAMES, models: false });
  expect(problems).toEqual([]);
  const asked = findAskHook(entriesOf(approvals, addition.event), early, "anything");
  expect(findAskHook(entriesOf(approvals, addition.event), !early, "anything")).toBeNull();
  expect(done(removeItem(approvals, asked?.entry.path ?? []))).toBe(terminal);
});

it("counts only a hook for the same tools, that takes the questions of others", () => {
  const text = (args: string, matcher: string) =>
    `hooks:\n  pre_tool_use:\n    - matcher: ${matcher}\n      hooks:\n        - {type: builtin, command: ask_a_person, args: ${args}}\n`;
  const found = (args: string, matcher: string) =>
    findAskHook(entriesOf(text(args, matcher), "pre_tool_use"), false, "shell") !== null;
  expect(found('["", "when asked"]', '"*"')).toBe(true);
  expect(found('["", "when asked"]', "shell")).toBe(true);
  expect(found('["", "when asked"]', "edit")).toBe(false);
  expect(found('["Really?"]', '"*"')).toBe(false);
  expect(canChooseAskPlace("before_llm_call")).toBe(false);
});
