import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { PROFILES } from "../index.ts";
import { readBuiltinCases, runBuiltinCases } from "./builtin-runner.ts";
import { ourBuiltins } from "./our-builtins.ts";

const FILE = fileURLToPath(new URL("builtin-cases.json", import.meta.url));
const path = process.env.PATH ?? "";

it.each(PROFILES)(
  "every case of the builtins holds, and none is skipped (%s)",
  async (profile) => {
    const cases = readBuiltinCases(JSON.parse(await readFile(FILE, "utf8")), FILE);
    const runs = await runBuiltinCases(cases, ourBuiltins, path, { profile });
    expect(runs.filter(({ verdict }) => verdict !== "passed")).toEqual([]);
    const meant = cases.cases.filter(({ profiles = PROFILES }) => profiles.includes(profile));
    expect(runs).toHaveLength(meant.length);
  },
  120_000,
);

it("a case that expects what did not happen fails, whatever it expects", async () => {
  const one = { id: "X", about: "wrong on purpose", builtin: "add_directory_listing", args: [], source: "here" };
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the case format's own place holder
  const step = { event: "session_start", input: { cwd: "${CWD}", session_id: "s" } };
  const fixture = { files: { a: "1" } };
  const wrong = [
    { no_output: true },
    { error: true },
    { absent: ["hook_specific_output.additional_context"] },
    { today: true },
    { decision: "block" },
    { hook_specific_output: { hook_event_name: "turn_start" } },
    { additional_context_matches: "^nothing$" },
    { additional_context_not_matches: ["entries"] },
    { additional_context_equals: "a" },
    { additional_context_contains: ["entries", "zzz"] },
    { additional_context_lacks: ["- a"] },
    { additional_context_max_bytes: 3 },
    { additional_context_bytes: 3 },
    { updated_input_contains: ["a"] },
    { output_contains: ["zzz"] },
    { http_requests: [{ method: "POST" }] },
    { files_exist: ["b"] },
    { files_absent: ["a"] },
    { tmp_files_exist: ["a"] },
    { file_contents: { a: "2" } },
    { spill_file: { under_tmp: true } },
    { spill_file_kept: true },
    { spill_file_deleted: true },
    { op_result: { ok: true } },
    { not_an_expectation: 1 },
  ];
  const cases = wrong.map((expect, index) => ({ ...one, ...step, fixture, expect, id: `X-${index}` }));
  const file = readBuiltinCases({ format: "builtin-cases/1", cases }, "test");
  const runs = await runBuiltinCases(file, ourBuiltins, path, { profile: "2026-07" });
  expect(runs.filter(({ verdict }) => verdict === "passed").map(({ id }) => wrong[Number(id.slice(2))])).toEqual([]);
});
