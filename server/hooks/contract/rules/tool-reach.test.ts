import { describe, expect, it } from "vitest";
import { mcpToolOf } from "../../calls/call.ts";
import { toolKindOf } from "../tool-kinds.ts";
import type { Condition } from "./schema.ts";
import { type CalledTool, looksAt } from "./tool-reach.ts";

const tool = (name: string): CalledTool => {
  const mcp = mcpToolOf(name);
  return { name, mcp, kind: mcp ? "mcp" : toolKindOf(name), agent: "builder", tags: ["nightly"] };
};

const SHELL = "Bash";
const READ = "Read";
const EDIT = "Edit";
const FETCH = "WebFetch";
const ISSUES = "mcp__tracker__list_issues";
const CLOSE = "mcp__tracker__close_issue";
const TERMINAL = "mcp__desktop__run_command";
const OTHER = "TodoWrite2";
const ALL = [SHELL, READ, EDIT, FETCH, ISSUES, CLOSE, TERMINAL];

const table: readonly (readonly [condition: Condition, tools: readonly string[]])[] = [
  [{}, ALL],
  [{ command: { program: "rm" } }, [SHELL, TERMINAL]],
  [{ opaque: true }, [SHELL, TERMINAL]],
  [{ path: { class: "credentials" } }, [SHELL, READ, EDIT, ISSUES, TERMINAL]],
  [{ path: { access: "read" } }, [SHELL, READ, ISSUES, TERMINAL]],
  [{ path: { access: ["delete"] } }, [SHELL, EDIT, TERMINAL]],
  [{ host: { class: "private" } }, [SHELL, FETCH, TERMINAL]],
  [{ sql: { statement: "truncate" } }, [SHELL, TERMINAL]],
  [{ mcp: { server: "tracker" } }, [ISSUES, CLOSE]],
  [{ mcp: { server: "tracker", not: "list_*" } }, [ISSUES, CLOSE]],
  [{ mcp: { tool: "run_*" } }, [TERMINAL]],
  [{ mcp: {} }, [ISSUES, CLOSE, TERMINAL]],
  [{ tool: "web*" }, [FETCH]],
  [{ tool: ["Read", "Edit"] }, [READ, EDIT]],
  [{ kind: "mcp" }, [ISSUES, CLOSE, TERMINAL]],
  [{ kind: ["shell", "read"] }, [SHELL, READ]],
  [{ larger_than: 10 }, ALL],
  [{ after: "read_secret", within: "1h" }, ALL],
  [{ agent: "build*" }, ALL],
  [{ agent: "reviewer" }, []],
  [{ tag: "nightly", kind: "fetch" }, [FETCH]],
  [{ tag: "weekly" }, []],
  [{ all: [{ kind: "read" }, { path: { class: "home" } }] }, [READ]],
  [{ all: [{ kind: "read" }, { command: {} }] }, []],
  [{ any: [{ kind: "fetch" }, { command: { program: "curl" } }] }, [SHELL, FETCH, TERMINAL]],
  [{ not: { tool: ["Bash", "Read"] } }, ALL],
  [{ not: { path: { class: "project" } } }, ALL],
  [{ not: { any: [{ kind: "mcp" }, { tool: "Bash" }] } }, [SHELL, READ, EDIT, FETCH]],
  [{ not: { not: { kind: "edit" } } }, [EDIT]],
  [{ not: {} }, []],
];

describe("the tools that a condition looks at", () => {
  it.each(table)("%j: %j", (condition, tools) => {
    expect(ALL.filter((name) => looksAt(condition, tool(name)))).toEqual(tools);
  });
});

it("a tool of no known kind is met by its name, and by no condition on commands or hosts", () => {
  expect(looksAt({ tool: "todo*" }, tool(OTHER))).toBe(true);
  expect(looksAt({ any: [{ command: {} }, { host: {} }] }, tool(OTHER))).toBe(false);
  expect(looksAt({ host: {} }, tool("open_url"))).toBe(true);
  expect(looksAt({ sql: {} }, tool("run_query"))).toBe(true);
});
