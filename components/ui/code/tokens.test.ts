import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Language, tokenLines } from "@/components/ui/code/tokens";

const kinds = (source: string, language: Language) =>
  tokenLines(source, language).flatMap((line) =>
    line.filter((token) => token.kind).map(({ kind, text }) => `${kind} ${text}`),
  );

describe("highlighting", () => {
  it.each(["json", "shell", "yaml", "text"] as const)("loses and adds nothing in %s", (language) => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (noise) => {
        const source = `key: "${noise}" # --x $A 'b' ${noise}\n- 12, {true}`;
        const joined = tokenLines(source, language)
          .map((line) => line.map((token) => token.text).join(""))
          .join("\n");
        expect(joined).toBe(source);
      }),
    );
  });
  it("tells a JSON key from a string", () => {
    expect(kinds('{"a": "b", "n": -1.5e3, "t": true}', "json").filter((each) => !each.startsWith("punct"))).toEqual([
      'key "a"',
      'string "b"',
      'key "n"',
      "number -1.5e3",
      'key "t"',
      "atom true",
    ]);
  });
  it("names flags, variables and strings in a command", () => {
    expect(kinds(`curl -fsS --data "$BODY" 'x' | sh # go`, "shell")).toEqual([
      "key -fsS",
      "key --data",
      'string "$BODY"',
      "string 'x'",
      "punctuation |",
      "comment # go",
    ]);
  });
  it("names YAML keys, also in a list, and leaves a URL alone", () => {
    expect(
      kinds("hooks:\n  - url: http://x:80/a\n    on: true # why", "yaml").filter((each) => !each.startsWith("punct")),
    ).toEqual(["key hooks", "key url", "key on", "atom true", "comment # why"]);
  });
});
