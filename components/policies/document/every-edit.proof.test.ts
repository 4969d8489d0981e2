/** Every kind of edit that the form offers, on texts that people wrote, also as other editors and other systems save them. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { addItem, move, removeItem, renameKey, setItem, setKey, unsetKey } from "@/components/policies/document/edits";
import { expectLocal } from "@/components/policies/document/testing/expect-local";
import { ownBytes } from "@/components/policies/document/testing/own-bytes";
import { type EntryNode, type HookNode, policyForm } from "@/components/policies/document/tree";
import type { Path } from "@/components/policies/document/yaml-tree";
import { longRun, repetitions } from "@/e2e/fixtures/long-run";
import { PACKS } from "@/server/packs/registry";

const REFERENCE = join(import.meta.dirname, "../../../../shared/reference");
const reference = existsSync(REFERENCE) ? readdirSync(REFERENCE).find((name) => name.startsWith("000_")) : undefined;
const documented = reference === undefined ? "" : readFileSync(join(REFERENCE, reference), "utf8");
const examples = [...documented.matchAll(/^```ya?ml\n([\s\S]*?)^```/gm)]
  .map(([, yaml = ""]) => yaml)
  .filter((yaml) => /^hooks:/m.test(yaml) && policyForm(yaml).locked === null);

/** Everything at once that a hand-written policy may have. */
const ODD = `%YAML 1.2
---
# top
hooks: # of hooks
  # before the event
  pre_tool_use:   # two blanks
  -   matcher: "shell"   # quoted
      hooks: # list
      # before the hook
      - &gate   # an anchor nobody repeats
        type: command
        # before the script
        command: |2
            led by blanks
          \techo "a tab"\t# and another
          # no comment
        env: {TOKEN: "a: b", 'yes': on, "two words": '#'} # flow
        args: [ "one, two" , 'it''s', plain ]
        timeout: 0x10

      - {type: builtin, command: add_date, name: "a # b", args: []} # flow hook
  # between
  stop: [ {type: command, command: 'x'}, # in flow
    {type: command, command: "y"} ]
  turn_start:
    -
      type: command
      command: >-
        folded
        twice

        end
    - type: command
      command: !!str 12
      name: ~
# the end`;

const plainly = (text: string) => text;
const AS: readonly (readonly [string, (text: string) => string])[] = [
  ["as it is", plainly],
  ["with CRLF", (text) => text.replaceAll("\n", "\r\n")],
  ["without its last line end", (text) => text.trimEnd()],
  ["with a byte order mark", (text) => `\ufeff${text}`],
  ["with blanks at the ends of lines", (text) => text.replace(/([^\s|>+-])$/gm, "$1  ")],
];
const TEXTS: readonly (readonly [string, string])[] = [
  ["a text with everything", ODD],
  ...PACKS.map(({ id, source }) => [`the pack ${id}`, source] as const),
  ...examples.map((text, at) => [`documented example ${at + 1}`, text] as const),
];
const VALUES = [
  "plain",
  "yes",
  "12",
  "a: b # c",
  "it's",
  "- x",
  "two\nlines\n",
  "\ttab",
  "{",
  "é🙂",
  "*alias",
  "&anchor",
];

const valueAt = (text: string, path: Path): unknown =>
  path.reduce<unknown>((there, step) => (there as Record<string | number, unknown>)[step], parse(text)); // a path of this very text

/** The text with one value changed, by the plain values: what an edit must mean, and nothing else. */
function expectMeant(before: string, after: string, path: Path, change: (there: unknown) => unknown): void {
  const meant = parse(before);
  const holder = path.slice(0, -1).reduce((there, step) => there[step], meant);
  holder[path.at(-1) ?? ""] = change(holder[path.at(-1) ?? ""]);
  expect(parse(after)).toEqual(meant);
}

const isRefusedInWords = (edit: { readonly ok: boolean; readonly why?: string }) =>
  !edit.ok && /Edit the YAML instead|in the YAML/.test(edit.why ?? "");

/** Of a text with more, the first and the last. */
const HOOKS_MAX = repetitions(2, 6);

let refused = 0;
let done = 0;

function expectHookEdits(text: string, hook: HookNode, value: string): void {
  const own = ownBytes(text, hook.path);
  const count = (edit: ReturnType<typeof setKey>): edit is Extract<typeof edit, { ok: true }> => {
    if (isRefusedInWords(edit)) refused += 1;
    else done += 1;
    return !isRefusedInWords(edit);
  };
  for (const key of ["name", "command", "working_dir"]) {
    const set = setKey(text, hook.path, key, value, ["name", "type", "command"]);
    if (!count(set)) continue;
    const within = key in hook.fields ? ownBytes(text, [...hook.path, key]) : own;
    expectMeant(text, expectLocal(text, set, within), [...hook.path, key], () => value);
  }
  for (const key of Object.keys(hook.fields)) {
    const unset = unsetKey(text, hook.path, key);
    if (count(unset))
      expectMeant(text, expectLocal(text, unset, ownBytes(text, [...hook.path, key])), hook.path, (there) =>
        Object.fromEntries(Object.entries(there as object).filter(([name]) => name !== key)),
      );
  }
  for (const [at] of (Array.isArray(hook.fields.args) ? hook.fields.args : []).entries()) {
    const path = [...hook.path, "args", at];
    const set = setItem(text, path, value);
    if (count(set)) expectMeant(text, expectLocal(text, set, ownBytes(text, path)), path, () => value);
  }
  const added = addItem(text, [...hook.path, "args"], value);
  if (count(added))
    expectMeant(text, expectLocal(text, added, own), [...hook.path, "args"], (there) => [
      ...((there as string[] | undefined) ?? []),
      value,
    ]);
  for (const name of Object.keys((hook.fields.env as object | undefined) ?? {})) {
    const path = [...hook.path, "env"];
    const set = setKey(text, path, name, value);
    if (count(set))
      expectMeant(text, expectLocal(text, set, ownBytes(text, [...path, name])), [...path, name], () => value);
    const renamed = renameKey(text, path, name, `NEW ${value}`);
    if (count(renamed)) expectLocal(text, renamed, ownBytes(text, [...path, name]));
  }
  const list = hook.path.slice(0, -1);
  const neighbours = valueAt(text, list);
  if (!Array.isArray(neighbours) || typeof hook.path.at(-1) !== "number") return;
  const twin = addItem(text, list, { type: "command", command: value }, [], Number(hook.path.at(-1)));
  if (count(twin))
    expect((valueAt(expectLocal(text, twin, ownBytes(text, list)), list) as unknown[]).length).toBe(
      neighbours.length + 1,
    );
  const moved = move(text, hook.path, 1);
  if (count(moved)) expectLocal(text, moved, ownBytes(text, list));
  if (neighbours.length < 2) return;
  const removed = removeItem(text, hook.path);
  if (count(removed))
    expectMeant(text, expectLocal(text, removed, own), list, (there) =>
      (there as unknown[]).filter((_one, at) => at !== hook.path.at(-1)),
    );
}

function expectEntryEdits(text: string, entry: EntryNode, value: string): void {
  if (!("matcher" in entry.fields)) return;
  const set = setKey(text, entry.path, "matcher", value);
  if (isRefusedInWords(set)) refused += 1;
  else
    expectMeant(
      text,
      expectLocal(text, set, ownBytes(text, [...entry.path, "matcher"])),
      [...entry.path, "matcher"],
      () => value,
    );
}

/** A text that is only saved otherwise is read by the same ways: one of them says so, five in the long run. */
const textsFor = (as: (text: string) => string) => (as === plainly ? TEXTS : TEXTS.slice(0, repetitions(1, 5)));
/** The value at `at` alone, or each of them where there is time for it. */
const valuesFor = (what: string, as: (text: string) => string, at: number) =>
  what.endsWith("everything") && (as === plainly || longRun) ? VALUES : [VALUES[at % VALUES.length] ?? ""];

describe.each(AS)("%s, every edit changes its own bytes and means what was meant:", (how, as) => {
  it.each(textsFor(as))("%s", (what, plain) => {
    const text = as(plain);
    const form = policyForm(text);
    expect(form.locked, `${what} ${how}`).toBeNull();
    const hooks = form.events.flatMap(({ hooks: flat, entries }) => [...flat, ...entries.flatMap((one) => one.hooks)]);
    expect(hooks.length).toBeGreaterThan(0);
    const few = hooks.length > HOOKS_MAX ? [...hooks.slice(0, HOOKS_MAX / 2), ...hooks.slice(-HOOKS_MAX / 2)] : hooks;
    for (const [at, hook] of few.entries())
      for (const value of valuesFor(what, as, at)) expectHookEdits(text, hook, value);
    for (const { entries } of form.events) for (const entry of entries) expectEntryEdits(text, entry, "edit|write");
  });
});

// Hardly any of them is left to the other hand.
afterAll(() => {
  expect(done).toBeGreaterThan(500);
  expect(refused / done).toBeLessThan(0.02);
});
