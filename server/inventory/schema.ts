/** The inventory of tools, MCP servers and skills. */
import { TOOL_KINDS } from "@quarterdeck/hooks/contract/tool-kinds";
import { z } from "zod";
import { CLIENT_NAMES } from "../dialects/schema.ts";

/** The page shows the calls of this many days. */
export const INVENTORY_DAYS = 30;
/** Names kept per agent; the calls of all others are counted in one row. */
export const NAMES_MAX = 500;
/** Rules listed with a tool; `ruleCount` counts all. */
export const RULES_SHOWN = 10;
/** Names listed on an agent's page, and in an allow-list. */
export const NAMES_SHOWN = 100;

const name = z.string().max(2_000);
const toolCursor = z.strictObject({
  key: z.string().regex(/^-?\d{1,19}$/),
  agentId: z.uuid(),
  client: z.string().max(40),
  tool: name,
  skill: name,
});

export const TOOL_SORTS = ["last", "first", "calls"] as const;
export type ToolSort = (typeof TOOL_SORTS)[number];

export const listTools = z.strictObject({
  agentIds: z.array(z.uuid()).max(20).default([]),
  clients: z.array(z.enum(CLIENT_NAMES)).max(CLIENT_NAMES.length).default([]),
  kinds: z.array(z.enum(TOOL_KINDS)).max(TOOL_KINDS.length).default([]),
  /** Parts of the names of agents. */
  agents: z.array(z.string().min(1).max(200)).max(20).default([]),
  /** Words that the name of the tool, server or skill must all contain. */
  text: z.string().max(200).default(""),
  sort: z.enum(TOOL_SORTS).default("last"),
  isDescending: z.boolean().default(true),
  cursor: toolCursor.nullish(),
  /** Sent by paging clients; there is only one direction. */
  direction: z.literal("forward").optional(),
  limit: z.int().min(1).max(200).default(50),
});
export type ListTools = z.infer<typeof listTools>;

const ruleView = z.strictObject({
  policyId: z.uuid(),
  policy: z.string(),
  hook: z.string(),
});
export type ToolRuleView = z.infer<typeof ruleView>;

export const toolView = z.strictObject({
  agentId: z.uuid(),
  agent: z.string(),
  /** Null for a client that is not known. */
  client: z.enum(CLIENT_NAMES).nullable(),
  /** Empty in the row that counts the calls of all names beyond the agent's limit. */
  tool: z.string(),
  skill: z.string().nullable(),
  kind: z.enum(TOOL_KINDS),
  /** Null for a tool of no MCP server; empty where the client does not name the server. */
  mcpServer: z.string().nullable(),
  firstSeenAt: z.date(),
  lastSeenAt: z.date(),
  /** Calls that a gate was asked about, since it was first seen. */
  calls: z.number(),
  /** The hooks of type `rules` in force for the agent that check the tool. */
  rules: z.array(ruleView),
  ruleCount: z.int(),
});
export type ToolView = z.infer<typeof toolView>;

export const toolsPage = z.strictObject({
  rows: z.array(toolView),
  next: toolCursor.nullable(),
  /** Rows that match; null on later pages. */
  total: z.number().nullable(),
});
export type ToolsPage = z.infer<typeof toolsPage>;

export const toolsOfAgent = z.strictObject({ agentId: z.uuid() });
/** The tools of an agent that no hook of type `rules` in force checks. */
export const uncheckedToolsView = z.strictObject({
  /** The most frequent ones. */
  names: z.array(z.string()),
  unchecked: z.int(),
  /** All tools of the agent in the last 30 days. */
  total: z.int(),
  /** True if names beyond the agent's limit were called. */
  hasMore: z.boolean(),
});
export type UncheckedToolsView = z.infer<typeof uncheckedToolsView>;

/** The tools of one MCP server; without `server`, all tools of the agent's client. */
export const askAllowList = z.strictObject({ agentId: z.uuid(), server: name.optional() });
export const allowListView = z.strictObject({
  agent: z.string(),
  server: z.string().nullable(),
  /** The names that the rule lets pass. */
  names: z.array(z.string()),
  /** Names that were seen and are not listed: patterns, or beyond the limit. */
  leftOut: z.int(),
  /** An entry of `pre_tool_use`. */
  entry: z.record(z.string(), z.json()),
  yaml: z.string(),
});
export type AllowListView = z.infer<typeof allowListView>;
