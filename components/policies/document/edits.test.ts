import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import type { Edit } from "@/components/policies/document/change";
import { addItem, move, removeItem, renameKey, setItem, setKey, unsetKey } from "@/components/policies/document/edits";
import { expectLocal } from "@/components/policies/document/testing/expect-local";
import { ownBytes } from "@/components/policies/document/testing/own-bytes";
import { hooksBlock, type Plain, written, yamlStyle } from "@/components/policies/document/testing/styled-text";
import { type Path, yamlTree } from "@/components/policies/document/yaml-tree";
import { repetitions } from "@/e2e/fixtures/long-run";

type Fields = { [key: string]: unknown };
interface Hook {
  readonly path: Path;
  readonly fields: Fields;
}

/** Every hook, entry and event of a text, by the parsed value. */
function placesOf(text: string): { base: Path; hooks: Hook[]; entries: Hook[]; events: string[] } {
  const value = (parse(text) ?? {}) as Fields; // our own generator's text: a mapping
  const base: Path = "hooks" in value ? ["hooks"] : [];
  const block = (base.length > 0 ? value.hooks : value) as { [key: string]: Fields[] } | null; // the same
  const hooks: Hook[] = [];
  const entries: Hook[] = [];
  for (const [event, list] of Object.entries(block ?? {})) {
    if (!Array.isArray(list)) continue;
    list.forEach((item, at) => {
      const path = [...base, event, at];
      if (Array.isArray(item?.hooks)) {
        entries.push({ path, fields: item });
        (item.hooks as Fields[]).forEach(
          (fields, index) => void hooks.push({ path: [...path, "hooks", index], fields }),
        ); // the same
      } else if (item && typeof item === "object") hooks.push({ path, fields: item });
    });
  }
  return { base, hooks, entries, events: Object.keys(block ?? {}) };
}

/** The blank lines below a script written with "+" belong to it: what would move them is refused, in words. */
const isKeptWhole = (text: string, edit: Edit): boolean =>
  !edit.ok && /[|>]\d?\+/.test(text) && edit.why.includes("Edit the YAML instead");

const at = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>((there, step) => (there as { [key: string | number]: unknown })[step], value); // paths of this very value

const pick = fc.nat();
const one = <T>(all: readonly T[], index: number): T | undefined => all[index % Math.max(1, all.length)];
const newText = fc.constantFrom(
  "plain",
  "a: b # c",
  "it's",
  "two\nlines\n",
  "no end\nof line",
  "  led by blanks\nx",
  "12",
  "true",
  "",
  "tab\there",
  "x\r\ny",
  "\u2028",
  "[a]",
  "keep\n\n\n",
  "#",
  "emoji 🙂",
);

const text = fc.tuple(hooksBlock, yamlStyle).map(([hooks, by]) => written(hooks, by));
const runs = { numRuns: repetitions(12, 400) };

describe("a form's edit", () => {
  it("sets a key within its own bytes, and nothing else means anything else", () => {
    fc.assert(
      fc.property(
        text,
        pick,
        fc.constantFrom("name", "command", "on_error", "working_dir", "prompt"),
        newText,
        (source, index, key, value) => {
          const hook = one(placesOf(source).hooks, index);
          if (!hook) return;
          const edit = setKey(source, hook.path, key, value, ["name", "type", "command"]);
          const own = key in hook.fields ? ownBytes(source, [...hook.path, key]) : ownBytes(source, hook.path);
          const after = parse(expectLocal(source, edit, own));
          const meant = parse(source);
          (at(meant, hook.path) as Fields)[key] = value; // a hook is a mapping
          expect(after).toEqual(meant);
        },
      ),
      runs,
    );
  });

  it("sets and unsets numbers", () => {
    fc.assert(
      fc.property(text, pick, fc.integer({ min: 1, max: 9_999 }), (source, index, value) => {
        const hook = one(placesOf(source).hooks, index);
        if (!hook) return;
        const set = setKey(source, hook.path, "timeout", value);
        const own = ownBytes(source, "timeout" in hook.fields ? [...hook.path, "timeout"] : hook.path);
        const next = expectLocal(source, set, own);
        expect((at(parse(next), hook.path) as Fields).timeout).toBe(value); // a hook
        const gone = expectLocal(next, unsetKey(next, hook.path, "timeout"), ownBytes(next, [...hook.path, "timeout"]));
        expect("timeout" in (at(parse(gone), hook.path) as Fields)).toBe(false); // a hook
        if (!("timeout" in hook.fields)) expect(gone).toBe(source);
      }),
      runs,
    );
  });

  it("unsets any key of a hook", () => {
    fc.assert(
      fc.property(text, pick, pick, (source, index, which) => {
        const hook = one(placesOf(source).hooks, index);
        const key = hook ? one(Object.keys(hook.fields), which) : undefined;
        if (!hook || !key) return;
        // The last key leaves braces, which are the hook's own bytes.
        const isLast = Object.keys(hook.fields).length === 1;
        const edit = unsetKey(source, hook.path, key);
        if (isLast && !edit.ok) return;
        const after = expectLocal(source, edit, ownBytes(source, isLast ? hook.path : [...hook.path, key]));
        const meant = parse(source);
        delete (at(meant, hook.path) as Fields)[key]; // a hook
        expect(parse(after)).toEqual(meant);
      }),
      runs,
    );
  });

  it("removes a hook, and what would be left empty around it", () => {
    fc.assert(
      fc.property(text, pick, (source, index) => {
        const { hooks, base } = placesOf(source);
        const hook = one(hooks, index);
        if (!hook) return;
        const siblings = at(parse(source), hook.path.slice(0, -1)) as unknown[]; // a list of hooks
        let removed = hook.path;
        if (siblings.length === 1) {
          const event = hook.path.slice(0, base.length + 1);
          const entries = at(parse(source), event) as unknown[]; // a list of entries
          removed = entries.length === 1 ? event : hook.path.slice(0, base.length + 2);
        }
        const isWhole = removed.length === base.length + 1 && placesOf(source).events.length === 1;
        const edit = removeItem(source, hook.path);
        if (isKeptWhole(source, edit)) return;
        const after = expectLocal(source, edit, ownBytes(source, isWhole ? base : removed));
        expect(placesOf(after).hooks.length).toBe(hooks.length - 1);
        if (!isWhole) {
          const holder = removed.slice(0, -1);
          const last = removed.at(-1);
          const meant = parse(source);
          const list = at(meant, holder);
          if (Array.isArray(list)) list.splice(Number(last), 1);
          else delete (list as Fields)[String(last)]; // an event of the block
          expect(parse(after)).toEqual(meant);
        } else expect(parse(after)).toEqual({ hooks: {} });
      }),
      runs,
    );
  });

  it("adds a hook and an entry behind the others", () => {
    const hook: Plain = { name: "new: one", type: "command", command: "set -e\necho hi\n", timeout: 5 };
    fc.assert(
      fc.property(text, pick, fc.boolean(), (source, index, isBehind) => {
        const { hooks } = placesOf(source);
        const beside = one(hooks, index);
        if (!beside) return;
        const list = beside.path.slice(0, -1);
        const place = isBehind ? Number(beside.path.at(-1)) : undefined;
        const edit = addItem(source, list, hook, [], place);
        const after = expectLocal(source, edit, ownBytes(source, list));
        const meant = parse(source);
        const items = at(meant, list) as unknown[]; // a list of hooks
        items.splice((place ?? items.length - 1) + 1, 0, hook);
        expect(parse(after)).toEqual(meant);
        if (!edit.ok) return;
        // Adding takes nothing away.
        expect(edit.changes.every(({ from, to }) => from === to)).toBe(true);
      }),
      runs,
    );
  });

  it("adds an event to any block, also an empty one", () => {
    const list: Plain = [{ type: "builtin", command: "add_date" }];
    for (const source of [
      "hooks:\n",
      "hooks: {}\n",
      "hooks: # none yet\n",
      "# only a remark",
      "",
      "hooks: { }",
      "profile: 2026-08\nhooks:\n",
      "hooks:\n  # nothing\n",
    ]) {
      const base = source.includes("hooks") ? ["hooks"] : [];
      const edit =
        base.length > 0 ? setKey(source, base, "turn_start", list) : setKey(source, [], "hooks", { turn_start: list });
      if (!edit.ok) throw new Error(`${edit.why}: ${source}`);
      expect(parse(edit.text).hooks).toEqual({ turn_start: list });
      for (const comment of source.match(/#.*/g) ?? []) expect(edit.text).toContain(comment);
    }
    fc.assert(
      fc.property(text, (source) => {
        const { base } = placesOf(source);
        const edit = setKey(source, base, "session_end", list);
        const after = expectLocal(source, edit, ownBytes(source, base));
        expect(parse(after)).toEqual(
          base.length > 0
            ? { hooks: { ...parse(source).hooks, session_end: list } }
            : { ...parse(source), session_end: list },
        );
      }),
      runs,
    );
  });

  it("moves hooks, entries and events past a neighbour, and back again to the same bytes", () => {
    fc.assert(
      fc.property(text, pick, fc.constantFrom("hooks", "entries", "events"), (source, index, what) => {
        const places = placesOf(source);
        const path =
          what === "events" ? [...places.base, one(places.events, index) ?? ""] : one(places[what], index)?.path;
        if (!path) return;
        const parent = path.slice(0, -1);
        const edit = move(source, path, 1);
        if (isKeptWhole(source, edit)) return;
        const own = ownBytes(source, parent);
        const after = expectLocal(source, edit, parent.length === 0 ? [0, source.length] : own);
        const before = at(parse(source), parent);
        const now = at(parse(after), parent);
        const keys = Object.keys(before as object); // a list or a mapping
        const place = what === "events" ? keys.indexOf(String(path.at(-1))) : Number(path.at(-1));
        if (place === keys.length - 1) {
          expect(after).toBe(source);
          return;
        }
        const swapped = <T>(all: readonly T[]) =>
          all.map((item, i) => (i === place ? all[i + 1] : i === place + 1 ? all[i - 1] : item));
        if (Array.isArray(before)) expect(now).toEqual(swapped(before));
        else expect(Object.keys(now as object)).toEqual(swapped(keys)); // a mapping
        const back = move(after, Array.isArray(before) ? [...parent, place + 1] : path, -1);
        expect(back.ok && back.text).toBe(source);
      }),
      runs,
    );
  });

  it("renames a matcher, and edits arguments and variables item by item", () => {
    fc.assert(
      fc.property(text, pick, newText, (source, index, value) => {
        const entry = one(placesOf(source).entries, index);
        if (entry) {
          const own = ownBytes(source, "matcher" in entry.fields ? [...entry.path, "matcher"] : entry.path);
          const after = expectLocal(source, setKey(source, entry.path, "matcher", value, ["matcher"]), own);
          expect((at(parse(after), entry.path) as Fields).matcher).toBe(value); // an entry
        }
        const hook = one(placesOf(source).hooks, index);
        if (!hook) return;
        const args = (hook.fields.args ?? []) as string[]; // our generator's
        const path = [...hook.path, "args"];
        const added = expectLocal(
          source,
          addItem(source, path, value),
          ownBytes(source, args.length > 0 ? path : hook.path),
        );
        expect((at(parse(added), hook.path) as Fields).args).toEqual([...args, value]); // a hook
        if (args.length > 0) {
          const set = expectLocal(source, setItem(source, [...path, 0], value), ownBytes(source, [...path, 0]));
          expect(at(parse(set), path)).toEqual([value, ...args.slice(1)]);
          const gone = expectLocal(source, removeItem(source, [...path, 0]), ownBytes(source, path));
          expect((at(parse(gone), hook.path) as Fields).args).toEqual(args.length > 1 ? args.slice(1) : undefined); // a hook
        }
        const env = hook.fields.env as { [name: string]: string } | undefined; // our generator's
        const name = Object.keys(env ?? {})[0];
        if (!env || name === undefined) return;
        const renamed = expectLocal(
          source,
          renameKey(source, [...hook.path, "env"], name, "NEW"),
          ownBytes(source, [...hook.path, "env", name]),
        );
        expect(Object.keys(at(parse(renamed), [...hook.path, "env"]) as object)[0]).toBe("NEW"); // a mapping
        const set = expectLocal(
          source,
          setKey(source, [...hook.path, "env"], name, value),
          ownBytes(source, [...hook.path, "env", name]),
        );
        expect(at(parse(set), [...hook.path, "env", name])).toBe(value);
      }),
      runs,
    );
  });
});

describe("a form keeps its hands off", () => {
  it.each([
    ["hooks:\n  stop: [", /Line \d+ is not valid YAML/],
    ["hooks:\n  stop: &a\n    - {type: builtin, command: add_date}\n  turn_start: *a\n", /Line 4 uses an alias/],
    ["hooks:\n  stop: []\n  stop: []\n", /Line 3 repeats the key "stop"/],
    ["hooks: {}\n---\nhooks: {}\n", /is not valid YAML/],
    ["hooks:\n\tstop: []", /is not valid YAML/],
  ])("%j", (source, why) => {
    expect(yamlTree(source).locked).toMatch(why);
    expect(setKey(source, ["hooks"], "turn_end", [])).toMatchObject({ ok: false });
  });
  it("one mapping that stands for a list", () => {
    const source = "profile: 2026-08\nhooks:\n  stop:\n    type: command\n    command: x\n";
    expect(addItem(source, ["hooks", "stop"], { type: "builtin" })).toMatchObject({ ok: false, why: /dash/ });
    const set = setKey(source, ["hooks", "stop"], "timeout", 5);
    expect(set.ok && parse(set.text).hooks.stop).toEqual({ type: "command", command: "x", timeout: 5 });
  });
});

describe("the conformance configurations", () => {
  const file = join(import.meta.dirname, "../../../server/hooks/conformance/executor-cases.json");
  const { cases } = JSON.parse(readFileSync(file, "utf8")) as { cases: { config?: { [key: string]: Plain } }[] }; // our own file
  const configs = cases.flatMap(({ config }) => (config ? [config] : []));
  it("are there", () => expect(configs.length).toBeGreaterThan(50));
  it("take an edit of each hook in each hand", () => {
    fc.assert(
      fc.property(fc.constantFrom(...configs), yamlStyle, pick, (config, by, index) => {
        const source = written(config, by);
        const hook = one(placesOf(source).hooks, index);
        if (!hook) return;
        const set = setKey(source, hook.path, "timeout", 7);
        const after = expectLocal(
          source,
          set,
          ownBytes(source, "timeout" in hook.fields ? [...hook.path, "timeout"] : hook.path),
        );
        const meant = parse(source);
        (at(meant, hook.path) as Fields).timeout = 7; // a hook
        expect(parse(after)).toEqual(meant);
      }),
      runs,
    );
  });
});
