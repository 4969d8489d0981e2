import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { attemptSentence, fullness, reasonSays } from "@/components/compactions/labels";
import { type Block, parseMarkdownBlocks } from "@/components/compactions/markdown-blocks";
import { attemptsInput, filterKeys } from "@/components/compactions/query";
import { parseFilter } from "@/components/ui/filter/filter-text";
import { type AttemptView, listCompactions } from "@/server/compactions/schema";

const range = { from: new Date("2026-11-20T00:00:00Z"), to: new Date("2026-11-21T00:00:00Z") };

it("the address asks for what its chips name, and for nothing it does not know", () => {
  const filter = parseFilter("outcome:vetoed outcome:odd hook:steered reason:manual  two words", filterKeys);
  const input = attemptsInput(range, filter);
  expect(input).toMatchObject({ outcomes: ["vetoed"], hooks: ["steered"], reasons: ["manual"], text: "two words" });
  expect(listCompactions.safeParse(input).success).toBe(true);
});

it("a filter takes the page's word and the API's for the same", () => {
  const asked = (text: string) => {
    const { outcomes, hooks } = attemptsInput(range, parseFilter(text, filterKeys));
    return { outcomes, hooks };
  };
  const found = { outcomes: ["vetoed"], hooks: ["steered", "vetoed"] };
  expect(asked("outcome:blocked hook:guided hook:blocked")).toEqual(found);
  expect(asked("outcome:vetoed hook:steered hook:vetoed")).toEqual(found);
});

describe("a summary's text", () => {
  const wordsOf = (block: Block): string =>
    "text" in block ? block.text : "content" in block ? block.content.map(({ text }) => text).join("") : "";

  it("is read as headings, lists, code and paragraphs", () => {
    const text = "# Title\nA **bold** `word`\nand more\n\n1. one\n   - two\n```sh\n# not a heading\n```\n---\n* three";
    expect(parseMarkdownBlocks(text)).toEqual([
      { kind: "heading", level: 1, content: [{ kind: "text", text: "Title" }] },
      {
        kind: "paragraph",
        content: [
          { kind: "text", text: "A " },
          { kind: "strong", text: "bold" },
          { kind: "text", text: " " },
          { kind: "code", text: "word" },
          { kind: "text", text: "\nand more" },
        ],
      },
      { kind: "item", marker: "1.", depth: 0, content: [{ kind: "text", text: "one" }] },
      { kind: "item", marker: "•", depth: 1, content: [{ kind: "text", text: "two" }] },
      { kind: "code", text: "# not a heading" },
      { kind: "rule" },
      { kind: "item", marker: "•", depth: 0, content: [{ kind: "text", text: "three" }] },
    ]);
  });
  it("loses no word, whatever it holds, and never becomes markup", () => {
    const word = fc.constantFrom("alpha", "<script>", "&amp;", "été", "😀", "1)", "x*y");
    fc.assert(
      fc.property(
        fc.array(
          fc.array(word, { maxLength: 6 }).map((words) => words.join(" ")),
          { maxLength: 12 },
        ),
        (lines) => {
          const read = parseMarkdownBlocks(lines.join("\n")).map(wordsOf).join("\n");
          for (const each of lines.join(" ").split(" ")) if (each !== "" && each !== "1)") expect(read).toContain(each);
        },
      ),
    );
  });
  it("of an open fence is code to its end", () => {
    expect(parseMarkdownBlocks("```\na\nb")).toEqual([{ kind: "code", text: "a\nb" }]);
  });
  it("is read in time that grows with its length", () => {
    expect(parseMarkdownBlocks("**".repeat(50_000)).length).toBeGreaterThan(0);
    expect(parseMarkdownBlocks("`".repeat(50_000)).length).toBeGreaterThan(0);
    expect(parseMarkdownBlocks(`${" ".repeat(50_000)}- x`).length).toBe(1);
  });
});

describe("an attempt in words", () => {
  const attempt: AttemptView = {
    id: "01a2007c-8575-7652-a302-5ed66446fd2f",
    occurredAt: range.from,
    agentId: "01a2007c-8575-7652-a302-5ed66446fd2f",
    agentName: "a",
    sessionId: "s",
    reason: "threshold",
    outcome: "applied",
    interventions: [],
    vetoedBecause: null,
    inputTokens: 180_000n,
    outputTokens: 2_000n,
    tokensBefore: 182_000n,
    contextLimit: 200_000n,
    durationMs: 21_000,
    summaryStart: "x",
    summaryBytes: 2_048,
    events: [],
  };
  it("says how full the context was and what became of it", () => {
    expect(attemptSentence(attempt)).toBe(
      "A context of 182 k tokens (91 % of the 200 k limit) was replaced by a summary of 2 KiB after 21 s.",
    );
    expect(attemptSentence({ ...attempt, outcome: "vetoed" })).toContain("was kept: a hook blocked the compaction");
    expect(attemptSentence({ ...attempt, interventions: ["replaced"] })).toContain("a hook's own summary");
  });
  it("says unknown for what is not known, never zero", () => {
    const unknown = { ...attempt, tokensBefore: null, contextLimit: null };
    expect(attemptSentence({ ...unknown, outcome: "unfinished" })).toContain("A context of unknown size");
    expect(fullness(unknown)).toBeNull();
    expect(fullness({ ...attempt, contextLimit: null })).toBeNull();
  });
  it("explains the reasons it knows and leaves others to the agent", () => {
    expect(reasonSays("manual")).toBe("A person requested the compaction.");
    expect(reasonSays("constructor")).toBe("The agent reported this reason, which Quarterdeck does not know.");
  });
});
