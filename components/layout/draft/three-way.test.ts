import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chosenText, mergedText, mergePieces } from "@/components/layout/draft/three-way";
import { setKey } from "@/components/policies/document/edits";
import { diffLines } from "@/components/ui/code/line-diff";

const line = fc.constantFrom("a", "b", "c", "", "  - d", "e: f");
const lines = fc.array(line, { maxLength: 25 });
/** A text after some lines were replaced, removed or added. */
const edited = (base: readonly string[]) =>
  fc
    .array(fc.tuple(fc.nat(base.length), fc.nat(3), fc.array(fc.stringMatching(/^[x-z]{3}$/), { maxLength: 3 })), {
      maxLength: 3,
    })
    .map((edits) => {
      const out = [...base];
      for (const [at, removed, added] of edits) out.splice(at, removed, ...added);
      return out;
    });
const three = lines.chain((base) => fc.tuple(fc.constant(base), edited(base), edited(base)));
const textOf = (of: readonly string[]) => of.join("\n");
const count = (of: readonly string[], wanted: string) => of.filter((one) => one === wanted).length;
const added = (before: readonly string[], after: readonly string[]) =>
  diffLines(before, after).flatMap(({ kind, text }) => (kind === "added" ? [text] : []));

describe("a merge", () => {
  it("loses no line that one side wrote: it is in the merged text, or in a piece that a person decides", () => {
    fc.assert(
      fc.property(three, ([base, mine, theirs]) => {
        const all = mergePieces(textOf(base), textOf(mine), textOf(theirs)).flatMap((piece) =>
          piece.kind === "settled" ? piece.lines : [...piece.mine, ...piece.theirs],
        );
        for (const own of [mine, theirs])
          for (const wanted of added(base, own))
            expect(count(all, wanted)).toBeGreaterThanOrEqual(Math.min(count(own, wanted), count(base, wanted) + 1));
      }),
    );
  });
  it("of a change with no change is the change, on either side", () => {
    fc.assert(
      fc.property(three, ([base, mine]) => {
        const [was, is] = [textOf(base), textOf(mine)];
        expect(mergedText(mergePieces(was, is, was))).toBe(is);
        expect(mergedText(mergePieces(was, was, is))).toBe(is);
        expect(mergedText(mergePieces(was, is, is))).toBe(is);
      }),
    );
  });
  it("gives each whole text back when one side is chosen throughout, where nothing was settled by itself", () => {
    fc.assert(
      fc.property(three, ([, mine, theirs]) => {
        const pieces = mergePieces(null, textOf(mine), textOf(theirs));
        expect(chosenText(pieces, [])).toBe(textOf(mine));
        expect(
          chosenText(
            pieces,
            pieces.map(() => "theirs"),
          ),
        ).toBe(textOf(theirs));
      }),
    );
  });
  it("takes both changes of lines that do not touch, whatever they are", () => {
    const number = fc.array(fc.stringMatching(/^[x-z]{2}$/), { maxLength: 4 });
    fc.assert(
      fc.property(number, number, fc.boolean(), (first, second, isSwapped) => {
        const base = ["one", "two", "three", "four", "five"];
        const mine = [...first, ...base.slice(1)];
        const theirs = [...base.slice(0, 4), ...second];
        const [a, b] = isSwapped ? [theirs, mine] : [mine, theirs];
        expect(mergedText(mergePieces(textOf(base), textOf(a), textOf(b)))).toBe(
          textOf([...first, "two", "three", "four", ...second]),
        );
      }),
    );
  });
  it("leaves what both wrote differently to a person, with both texts and where they stand", () => {
    const pieces = mergePieces("a\nb\nc", "a\nmine\nc", "new\na\ntheirs\nc");
    expect(pieces).toContainEqual({ kind: "open", mine: ["mine"], theirs: ["theirs"], mineLine: 2, theirsLine: 3 });
    expect(mergedText(pieces)).toBeNull();
    expect(chosenText(pieces, ["both"])).toBe("new\na\nmine\ntheirs\nc");
    expect(chosenText(pieces, ["theirs"])).toBe("new\na\ntheirs\nc");
  });
  it("of long texts with many equal lines is found in good time", () => {
    const base = Array.from({ length: 6_000 }, (_, at) => (at % 3 === 0 ? "hooks:" : `line ${at}`));
    const mine = base.with(10, "mine");
    const theirs = base.with(5_990, "theirs");
    const merged = mergedText(mergePieces(textOf(base), textOf(mine), textOf(theirs)));
    expect(merged?.split("\n").filter((one, at) => one !== base[at])).toEqual(["mine", "theirs"]);
  });
});

describe("two edits through the form", () => {
  const base = `profile: "2026-07"
hooks:
  pre_tool_use:
    - matcher: shell # only the shell
      hooks:
        - name: first
          type: command
          command: "true"
          timeout: 5

        - name: second
          type: command
          command: "true"
          timeout: 5
  stop:
    - name: third
      type: command
      command: "true"
      timeout: 5
`;
  const places = [
    ["hooks", "pre_tool_use", 0, "hooks", 0],
    ["hooks", "pre_tool_use", 0, "hooks", 1],
    ["hooks", "stop", 0],
  ] as const;
  const set = (text: string, place: readonly (string | number)[], seconds: number, command: string): string => {
    const timed = setKey(text, place, "timeout", seconds);
    if (!timed.ok) throw new Error(timed.why);
    const done = setKey(timed.text, place, "command", command);
    if (!done.ok) throw new Error(done.why);
    return done.text;
  };
  it("of different hooks merge to what both edits one after the other make", () => {
    const change = fc.tuple(
      fc.integer({ min: 1, max: 99 }),
      fc.constantFrom("echo a", "exit 2", "grep -q x\nexit 1\n"),
    );
    fc.assert(
      fc.property(fc.shuffledSubarray([...places], { minLength: 2, maxLength: 2 }), change, change, (two, x, y) => {
        const [first, second] = two;
        if (!first || !second) return;
        const mine = set(base, first, ...x);
        const theirs = set(base, second, ...y);
        expect(mergedText(mergePieces(base, mine, theirs))).toBe(set(mine, second, ...y));
      }),
    );
  });
});
