/** A repeated answer becomes one line, on disk and across processes; whatever else is asked passes as it is. */
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { EventName } from "../../contract/events.ts";
import { elideRepeatedToolResults } from "./elide-repeated-tool-results.ts";

let dataDir: string;
const logged: string[] = [];
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "elide-test-"));
  logged.length = 0;
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const LONG = "line of a file\n".repeat(40);
const READ = { tool_name: "list_directory", tool_category: "filesystem", tool_read_only: true };

/** The rewritten answer; null where it stays. Each call is a process of its own. */
async function answered(tool_response: unknown, more: object = {}, event: EventName = "tool_response_transform") {
  const builtin = elideRepeatedToolResults({ dataDir });
  const input = { session_id: "s", tool_input: { path: "docs" }, ...READ, tool_response, ...more };
  const output = await builtin.run({
    ...({ event, lane: "default", profile: "2026-11", input, env: {}, asker: undefined, args: [] } as const),
    ...{ signal: new AbortController().signal, log: (text: string) => void logged.push(text) },
  });
  return output?.hook_specific_output?.updated_tool_response ?? null;
}

it("names the tool and the size, from the second time on, and keeps no answer on disk", async () => {
  expect(await answered(LONG)).toBeNull();
  for (const _ of [1, 2])
    expect(await answered(LONG)).toBe(
      "list_directory ran, and its result is identical to its last one for the same arguments (600 bytes).",
    );
  const [name = ""] = await readdir(join(dataDir, "elided"));
  expect(await readFile(join(dataDir, "elided", name), "utf8")).not.toContain("line of a file");
});

it.each([
  ["other arguments", { tool_input: { path: "src" } }],
  ["another tool", { tool_name: "read_file" }],
  ["another session", { session_id: "t" }],
  ["a failed call", { tool_error: true }],
  ["a tool that writes", { tool_read_only: false }],
  ["a tool that does not say", { tool_read_only: undefined }],
  ["a server's tool", { tool_category: "mcp" }],
  ["no session", { session_id: "" }],
])("leaves %s alone", async (_name, more) => {
  await answered(LONG);
  expect(await answered(LONG, more)).toBeNull();
});

it("leaves what is shorter than the line alone, and what the limiter shortens", async () => {
  for (const text of ["tiny", "x".repeat(60 * 1024), { an: "object" }]) {
    await answered(text);
    expect(await answered(text)).toBeNull();
  }
});

it("compares with the last answer alone", async () => {
  const answers = [LONG, `${LONG}more`, LONG];
  for (const text of answers) expect(await answered(text)).toBeNull();
  expect(await answered(LONG)).not.toBeNull();
});

it.each(["session_start", "after_compaction", "session_end"] as const)("forgets on %s", async (event) => {
  await answered(LONG);
  await answered(undefined, {}, event);
  expect(await answered(LONG)).toBeNull();
});

it("begins anew where its file cannot be read, and says so where it cannot write", async () => {
  await answered(LONG);
  const [name = ""] = await readdir(join(dataDir, "elided"));
  await writeFile(join(dataDir, "elided", name), "no JSON");
  expect(await answered(LONG)).toBeNull();
  await rm(join(dataDir, "elided"), { recursive: true });
  await writeFile(join(dataDir, "elided"), "a file");
  expect(await answered(LONG)).toBeNull();
  expect(logged).toEqual([expect.stringContaining("the answer stays as it is")]);
});
