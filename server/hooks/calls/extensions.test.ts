/** The extensions that a call uses, and those whose version is not accepted. */
import { describe, expect, it } from "vitest";
import type { ExtensionKind } from "../contract/extension-kinds.ts";
import { extensionKindsOf, type KnownExtension, unacceptedBy } from "./extensions.ts";

const known = (kind: ExtensionKind, name: string, isAccepted: boolean, client = "claude-code"): KnownExtension => ({
  ...{ kind, client, names: [name], isAccepted },
});
const ACCEPTED = [
  known("skill", "release-notes", true),
  known("command", "deploy", true),
  known("mcp_server", "wiki", true),
  known("mcp_server", "my.files", true),
  known("plugin", "reviewer", true),
  known("mcp_server", "notes", true, "opencode"),
];
const CHANGED = ACCEPTED.map((one) => ({ ...one, isAccepted: false }));
const skill = (name: string) => ({ tool: "Skill", input: { skill: name } });
const tool = (name: string) => ({ tool: name, input: {} });

describe.each<[title: string, call: { tool: string; input: unknown }, kind: ExtensionKind]>([
  ["a skill", skill("release-notes"), "skill"],
  ["a skill of docker-agent", { tool: "read_skill", input: { name: "release-notes" } }, "skill"],
  ["a slash command", { tool: "SlashCommand", input: { command: "/deploy production" } }, "command"],
  ["a slash command by the tool of skills", skill("deploy"), "command"],
  ["a skill of a plugin", skill("reviewer:check"), "plugin"],
  ["a tool of an MCP server", tool("mcp__wiki__search"), "mcp_server"],
  ["one whose name is written otherwise", tool("mcp__my_files__read"), "mcp_server"],
  ["one of Gemini", tool("mcp_wiki_search"), "mcp_server"],
  ["one of Codex", tool("wiki/search"), "mcp_server"],
  ["one of opencode", tool("notes_add"), "mcp_server"],
  ["a tool of a plugin's MCP server", tool("mcp__plugin_reviewer_files__read"), "plugin"],
])("%s", (_, call, kind) => {
  it("passes with an accepted version", () => {
    expect([...unacceptedBy(call, ACCEPTED)]).toEqual([]);
  });
  it("is found once its version changed", () => {
    expect([...unacceptedBy(call, CHANGED)]).toEqual([kind]);
  });
});

it.each([
  ["a skill", skill("unknown"), ["skill", "command"]],
  ["a skill without a name", { tool: "Skill", input: null }, ["skill", "command"]],
  ["a skill of a plugin", skill("unknown:check"), ["skill", "command", "plugin"]],
  ["an MCP server", tool("mcp__unknown__search"), ["mcp_server", "plugin"]],
  ["the server of a tool of Cursor", tool("MCP:search"), ["mcp_server", "plugin"]],
])("%s that no report names is not accepted", (_, call, kinds) => {
  expect([...unacceptedBy(call, ACCEPTED)]).toEqual(kinds);
  expect([...unacceptedBy(call, [])]).toEqual(kinds);
});

it("a tool of Cursor, whose server is not named, needs all of Cursor's servers accepted", () => {
  const servers = [known("mcp_server", "one", true, "cursor"), known("mcp_server", "two", true, "cursor")];
  expect(unacceptedBy(tool("MCP:search"), servers).size).toBe(0);
  const changed = [...servers, known("mcp_server", "three", false, "cursor")];
  expect([...unacceptedBy(tool("MCP:search"), changed)]).toEqual(["mcp_server"]);
});

it("of two extensions with one name, the one that is not accepted counts", () => {
  const both = [known("skill", "notes", true), known("skill", "notes", false, "codex")];
  expect([...unacceptedBy(skill("notes"), both)]).toEqual(["skill"]);
});

it.each(["Bash", "Read", "shell", "notes", ""])("the tool %j of a client uses none", (name) => {
  expect(unacceptedBy(tool(name), CHANGED).size).toBe(0);
  expect(extensionKindsOf(name, {}).size).toBe(0);
});
