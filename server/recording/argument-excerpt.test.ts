/** The line of a call: every tool that a client's recorded calls use shows its argument, not JSON. */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { argumentExcerpt } from "./argument-excerpt.ts";

const VECTORS = new URL("../dialects/vectors/", import.meta.url);
type Input = Readonly<Record<string, unknown>>;

interface Vector {
  readonly expect?: { readonly native?: { readonly tool_name?: string; readonly tool_input?: Input } };
}

/** The first recorded arguments of each tool of each client. */
const recorded = new Map<string, Input>();
for (const file of readdirSync(VECTORS).filter((name) => name.endsWith(".json") && !name.startsWith("_"))) {
  const { expect: expected } = JSON.parse(readFileSync(new URL(file, VECTORS), "utf8")) as Vector; // holds: a vector
  const { tool_name: tool, tool_input: input } = expected?.native ?? {};
  const call = `${file.split(".")[0]} ${tool}`;
  if (tool !== undefined && input !== undefined && !recorded.has(call)) recorded.set(call, input);
}

/** Tools whose arguments have no order for a reader: numbers, or a change of a state. */
const AS_JSON = /add$| TaskUpdate$| list_mcp_resources$/;

it("has recorded calls of every client with hooks in its own process", () => {
  const clients = new Set([...recorded.keys()].map((call) => call.split(" ")[0]));
  expect([...clients].sort()).toEqual(
    "claude-code cline codex copilot cursor docker-agent gemini opencode qwen".split(" "),
  );
});

describe.each([...recorded])("%s", (call, input) => {
  it("shows one of its arguments, or all of them", () => {
    const excerpt = argumentExcerpt(input);
    if (AS_JSON.test(call)) expect(excerpt).toBe(Object.keys(input).length === 0 ? "" : JSON.stringify(input));
    else expect(excerpt).not.toMatch(/^[{[]/);
  });
});

it.each<[string, Input, string]>([
  ["Read", { file_path: "/srv/app.ts", limit: 20 }, "/srv/app.ts"],
  ["Edit", { file_path: "/srv/app.ts", old_string: "a", new_string: "b" }, "/srv/app.ts"],
  ["Write", { file_path: "/srv/notes.md", content: "text" }, "/srv/notes.md"],
  ["NotebookEdit", { notebook_path: "/srv/a.ipynb", new_source: "x" }, "/srv/a.ipynb"],
  ["Glob", { pattern: "**/*.ts", path: "/srv" }, "**/*.ts"],
  ["Grep", { pattern: "TODO", path: "/srv", output_mode: "content" }, "TODO"],
  ["WebSearch", { query: "postgres 18" }, "postgres 18"],
  ["WebFetch", { url: "https://example.com", prompt: "what is it" }, "https://example.com"],
  ["Agent", { description: "Count files", prompt: "count the files" }, "count the files"],
  ["opencode read", { filePath: "/srv/app.ts" }, "/srv/app.ts"],
  ["list_directory", { dir_path: "/srv" }, "/srv"],
  ["read_files", { files: [{ path: "/srv/a" }, { path: "/srv/b" }] }, "/srv/a /srv/b"],
  ["run_commands", { commands: ["cd /srv", "rm -rf data"] }, "cd /srv\nrm -rf data"],
  ["shell with parts", { command: ["bash", "-lc", "ls"] }, "bash -lc ls"],
  ["transfer_task", { agent: "coder", task: "write the test" }, "write the test"],
])("%s shows %j as %j", (_tool, input, line) => {
  expect(argumentExcerpt(input)).toBe(line);
});

it("shows all arguments when a main one is neither text nor a list of texts", () => {
  expect(argumentExcerpt({ path: 3, deep: true })).toBe('{"path":3,"deep":true}');
  expect(argumentExcerpt({ files: [{ id: 1 }] })).toBe('{"files":[{"id":1}]}');
  expect(argumentExcerpt({})).toBe("");
});

it("cuts a long argument at 240 characters, and reads at most 20 of a list", () => {
  expect(argumentExcerpt({ command: "x".repeat(500) })).toHaveLength(240);
  expect(argumentExcerpt({ paths: Array.from({ length: 30 }, () => "a") })).toBe(Array(20).fill("a").join(" "));
});
