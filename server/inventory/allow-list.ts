/** A hook of type `rules` that allows the listed tools and denies the others. Pure. */
import { mcpToolOf } from "@quarterdeck/hooks";
import { stringify } from "yaml";
import { type AllowListView, NAMES_SHOWN } from "./schema.ts";

interface SeenTools {
  readonly agent: string;
  /**
   * The MCP server whose tools are listed, empty if the client does not name servers; null for all tools of the agent.
   */
  readonly server: string | null;
  /** As clients call them; the most frequent first. */
  readonly tools: readonly string[];
}

/** A name that a rule would read as a pattern lets more pass than itself. */
const isPlain = (name: string): boolean => name !== "" && name.length <= 200 && !/[*?[\]]/.test(name);

export function allowList({ agent, server, tools }: SeenTools): AllowListView {
  const own = tools.filter((tool) => server === null || mcpToolOf(tool)?.server === server);
  const isNamed = server !== null && isPlain(server);
  const all = [...new Set(own.map((tool) => (isNamed ? (mcpToolOf(tool)?.tool ?? tool) : tool)))];
  const names = all.filter(isPlain).slice(0, NAMES_SHOWN).sort();
  const entry = {
    matcher: "*",
    preempt_yolo: true,
    hooks: [{ name: titleOf(server), type: "rules", rules: [ruleOf(server, names, isNamed)] }],
  };
  const yaml = stringify({ hooks: { pre_tool_use: [entry] } }, { lineWidth: 120 });
  return { agent, server, names, leftOut: all.length - names.length, entry, yaml };
}

const titleOf = (server: string | null): string =>
  server === null ? "listed tools" : server === "" ? "listed MCP tools" : `listed tools of ${server}`.slice(0, 60);

function ruleOf(server: string | null, names: string[], isNamed: boolean) {
  if (server === null) return { deny: "This tool is not on the list of allowed tools.", ...without(names) };
  const deny = "This tool is not on the list of allowed tools of its MCP server.";
  if (isNamed) return { deny, mcp: { server, ...(names.length > 0 && { not: names }) } };
  // Cursor does not name the server of a tool.
  return { deny, tool: "MCP:*", ...without(names) };
}

const without = (names: string[]) => (names.length > 0 ? { not: { tool: names } } : {});
