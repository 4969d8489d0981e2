/** The input of an imported script, compared with the payloads that its client really sends. */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { serializeInput } from "@quarterdeck/hooks/contract/input";
import { describe, expect, it } from "vitest";
import { dialectOf } from "../registry.ts";
import {
  CLAUDE_MISSING,
  CODEX_MISSING,
  COPILOT_MISSING,
  CURSOR_MISSING,
  claudeFields,
  codexFields,
  copilotFields,
  cursorFields,
  type FieldsOf,
  type MissingFields,
  missingOf,
} from "./client-fields.ts";
import { type ClientFields, clientInput } from "./client-input.ts";

type Fields = Readonly<Record<string, unknown>>;

function readAsClient(input: string, event: string, fields: ClientFields): Fields {
  const script = [...clientInput(event, fields, "exit 2"), "printf '%s' \"$input\""].join("\n");
  return JSON.parse(execFileSync("/bin/sh", ["-c", script], { input, encoding: "utf8", maxBuffer: 64 * 1_048_576 }));
}

const CLIENTS = {
  "claude-code": [claudeFields, CLAUDE_MISSING],
  codex: [codexFields, CODEX_MISSING],
  copilot: [copilotFields, COPILOT_MISSING],
  cursor: [cursorFields, CURSOR_MISSING],
} as const satisfies Record<string, readonly [FieldsOf, MissingFields]>;
/** Events whose scripts are not carried: their payloads have other fields. */
const NOT_CARRIED = /ermissionRequest|^(before(MCP|Read|Tab)|after)|^postToolUse/;

const VECTORS = new URL("../vectors/", import.meta.url);
const recorded = readdirSync(VECTORS)
  .filter((file) => /^(claude-code|codex|copilot|cursor)\./.test(file))
  .map((file) => ({ file, ...JSON.parse(readFileSync(new URL(file, VECTORS), "utf8")) }));

describe("a script reads the field as its client sends it", () => {
  it.each(recorded)("$file", ({ dialect, client_event, payload }) => {
    const client = CLIENTS[dialect as keyof typeof CLIENTS];
    const { native, ext } = dialectOf(dialect).read(payload, client_event);
    const event = ext.client_event;
    const mapped = dialectOf(dialect).capabilities.events[event]?.native ?? null;
    if (mapped === null || mapped !== native.hook_event_name || NOT_CARRIED.test(event)) return;
    const [fieldsOf, missing] = client;
    const json = serializeInput({ ...native, ext } as Parameters<typeof serializeInput>[0]);
    const read = readAsClient(json, event, fieldsOf(event, mapped));
    const lost = new Set(missingOf(missing, event));
    for (const [field, value] of Object.entries(payload as Fields)) {
      const isRaisedApart = event === "beforeShellExecution" && field === "command";
      if (lost.has(field) || isRaisedApart || isEmpty(value) || /^tool_(response|result)$/.test(field)) continue;
      expect(read[field], field).toEqual(value);
    }
  });
});

/** Fields without a value are left out of a policy's input. */
const isEmpty = (value: unknown): boolean =>
  value === null || value === "" || (typeof value === "object" && Object.keys(value).length === 0);

describe("the result of a tool", () => {
  const resultOf = (tool_name: string, tool_response: string, fieldsOf = claudeFields) => {
    const tool_input = { file_path: "/w/a.txt", tool_response: "an argument" };
    const input = JSON.stringify({
      session_id: "s",
      cwd: "/w",
      hook_event_name: "post_tool_use",
      tool_name,
      tool_input,
      tool_response,
    });
    return readAsClient(input, "PostToolUse", fieldsOf("PostToolUse", "post_tool_use"));
  };
  const text = 'a "quoted" text\\ with {\n';

  it("has the form that Claude Code gives it, by tool", () => {
    expect(resultOf("Bash", text).tool_response).toMatchObject({ stdout: text, stderr: "" });
    expect(resultOf("Read", text).tool_response).toMatchObject({ file: { filePath: "/w/a.txt", content: text } });
    expect(resultOf("mcp__board__list", text).tool_response).toEqual([{ type: "text", text }]);
    expect(resultOf("Task", text).tool_response).toEqual({ content: [{ type: "text", text }] });
    expect(resultOf("WebFetch", text).tool_response).toEqual({ result: text });
  });

  it("is an object again where the input holds its JSON", () => {
    const result = { filePath: "/w/a.txt", lines: [text, "\\", '\\"'], none: {}, more: [{ x: 1 }] };
    for (const value of [result, {}, [], [result], ["a"]])
      expect(resultOf("Edit", JSON.stringify(value)).tool_response).toEqual(value);
    for (const other of ["{not JSON", "[note] done", ""]) expect(resultOf("Edit", other).tool_response).toBe(other);
  });

  it("is the one of Codex and of Copilot", () => {
    expect(resultOf("Bash", text, codexFields).tool_response).toBe(text);
    expect(resultOf("mcp__a__b", text, codexFields).tool_response).toEqual({ content: [{ type: "text", text }] });
    expect(resultOf("Bash", text, copilotFields).tool_result).toMatchObject({ text_result_for_llm: text });
  });

  it("changes nothing within the arguments", () => {
    expect(resultOf("Bash", text).tool_input).toEqual({ file_path: "/w/a.txt", tool_response: "an argument" });
  });
});

describe("fields below ext", () => {
  const read = (input: object) =>
    readAsClient(JSON.stringify(input), "PreToolUse", claudeFields("PreToolUse", "pre_tool_use"));
  const base = { session_id: "s", cwd: "/w", hook_event_name: "pre_tool_use", tool_name: "Bash" };

  it("of an argument stay there", () => {
    const tool_input = { command: "ls", ext: { dialect: "claude-code", permission_mode: "plan" } };
    expect(read({ ...base, tool_input })).toEqual({ ...base, hook_event_name: "PreToolUse", tool_input });
  });

  it("do not take the place of a field of the input", () => {
    const ext = { dialect: "claude-code", permission_mode: "plan" };
    expect(read({ ...base, permission_mode: "default", ext }).permission_mode).toBe("default");
  });

  it("are found behind a call of 4 MiB with quotes, braces and backslashes", () => {
    const tool_input = {
      texts: Array.from({ length: 60_000 }, (_, at) => `"{[${at}\\ and a few more words to carry on`),
    };
    const { permission_mode, tool_input: given } = read({ ...base, tool_input, ext: { permission_mode: "plan" } });
    expect(permission_mode).toBe("plan");
    expect(given).toEqual(tool_input);
  });
});

it("an input that awk cannot read is a failure", () => {
  const script = clientInput("PreToolUse", claudeFields("PreToolUse", "pre_tool_use"), "exit 2").join("\n");
  const env = { PATH: "/nowhere", NODE_ENV: "test" } as const;
  expect(() => execFileSync("/bin/sh", ["-c", script], { input: "{}", env, stdio: "pipe" })).toThrow(
    expect.objectContaining({ status: 2 }),
  );
});
