import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BYTES_MAX, isTooLarge, LINES_MAX, shortenWithin } from "./large-result.ts";

const shell = { tool_category: "shell", tool_name: "shell" };
const job = { tool_category: "background_jobs", tool_name: "view_job" };
const file = (line?: unknown) => ({ tool_category: "filesystem", tool_name: "read_file", tool_input: { line } });
const bytes = (text: string) => Buffer.byteLength(text);
const lines = (count: number, text = "row") => Array.from({ length: count }, (_, at) => `${text} ${at + 1}\n`).join("");

describe("the whole replacement", () => {
  const part = fc.constantFrom("é", "\u{1f600}", "x", "\n", "long ".repeat(900), "--- Output ---\n", "\ud800");
  const text = fc.array(part, { minLength: 1, maxLength: 40 }).map((parts) => parts.join("").repeat(300));
  const call = fc.constantFrom(shell, job, file(), file(12), { ...file(), tool_category: "mcp" });
  it("fits the limit and cuts no character, whatever the answer, the tool and the path", () => {
    fc.assert(
      fc.property(text, call, fc.constantFrom("/t/a.txt", undefined, `/${"p".repeat(60_000)}`), (one, of, path) => {
        fc.pre(isTooLarge(one));
        const came = shortenWithin(one, of, path);
        expect(bytes(came)).toBeLessThanOrEqual(BYTES_MAX);
        if (!one.includes("\ud800")) expect(came).not.toContain("\ufffd");
      }),
      { numRuns: 150 },
    );
  });
});

describe("the notice", () => {
  it("names bytes, or lines when only they are too many", () => {
    const long = shortenWithin("y".repeat(BYTES_MAX + 1), shell, "/t/a");
    expect(long).toMatch(
      /^Tool call result was too large \(51201 bytes; limit 51200 bytes\)\. The full result is available in a file: \/t\/a\n\nShowing the last 2000 lines \(up to 51200 bytes, including this notice\):\n\ny/,
    );
    const many = shortenWithin(lines(LINES_MAX + 3, "a"), shell, "/t/a");
    expect(many).toMatch(/^Tool call result was too large \(2003 lines; limit 2000 lines\)\./);
    expect(many.split("\n\n").at(-1)?.startsWith("a 4\n")).toBe(true);
  });

  it("says when the answer is nowhere", () => {
    expect(shortenWithin("y".repeat(60_000), shell, undefined)).toContain("could not be saved; narrow the tool query");
    expect(shortenWithin("\n".repeat(3_000), shell, undefined)).toMatch(
      /^The full result could not be saved\.\n\nShowing/,
    );
    const head = shortenWithin(`first ${"y".repeat(60_000)}`, file(), undefined);
    expect(head).toContain("Showing the beginning of the result:\n\nfirst yyy");
  });
});

describe("a file that was read", () => {
  it.each([
    [undefined, 2_001],
    [41, 2_041],
    [7.9, 2_007],
    [0, 2_001],
    [-3, 2_001],
    ["9", 2_001],
    [Number.POSITIVE_INFINITY, 2_001],
    [9_007_199_254_740_993n, 2_001],
  ])("from line %s is read on from line %i", (line, next) => {
    const came = shortenWithin("z\n".repeat(2_600), file(line), "/t/a");
    expect(came).toContain(`Showing the first 2000 lines (up to 4000 bytes).`);
    expect(came).toContain(`"line": ${next} (1-based`);
  });

  it("counts the line that is cut, and reads it again", () => {
    const came = shortenWithin(`${"w".repeat(99)}\n`.repeat(1_000), file(), "/t/a");
    const [, shown = "", next = ""] = /first (\d+) lines .*"line": (\d+) /.exec(came) ?? [];
    expect([Number(shown), bytes(came)]).toEqual([Number(next), BYTES_MAX]);
  });

  it("with one endless line cannot be read on", () => {
    const came = shortenWithin("q".repeat(90_000), file(), "/t/a");
    expect(came).toContain("cannot advance");
    expect(came).not.toContain('"line":');
  });

  it("of another server keeps its end", () => {
    expect(shortenWithin(lines(4_000), { ...file(), tool_category: "mcp" }, "/t/a")).toMatch(/row 4000\n$/);
  });
});

it("the state of a background job stays in front of its last lines, each line cut", () => {
  const text = `Job: 7\nCommand: ${"c".repeat(5_000)}\nStatus: done\n--- Output ---\n${"o".repeat(70_000)}end`;
  const came = shortenWithin(text, job, "/t/a");
  const [, head = ""] = /\/t\/a\n\n([\s\S]*)Showing the last/.exec(came) ?? [];
  expect(head.split("\n").map((line) => line.slice(0, 9))).toEqual(["Job: 7", "Command: ", "Status: d", "", ""]);
  expect(Math.max(...head.split("\n").map(bytes))).toBe(512);
  expect(came.endsWith("oend")).toBe(true);
  const endless = shortenWithin(`${"k: v\n".repeat(20_000)}--- Output ---\nx`, job, "/t/a");
  expect(bytes(endless)).toBeLessThanOrEqual(BYTES_MAX);
});
