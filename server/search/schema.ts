import { z } from "zod";
import { role } from "../access/role-schema.ts";
import { ruleKey } from "../decisions/rules/schema.ts";
import { sessionRef } from "../sessions/schema.ts";

/** Results of one kind; the palette has no room for more. */
export const FOUND_MAX = 6;
export const SEARCH_TEXT_MAX = 200;

export const searchInput = z.strictObject({ text: z.string().trim().max(SEARCH_TEXT_MAX) });
export type SearchInput = z.infer<typeof searchInput>;

/** The kinds that have a name and an id of their own. */
export const NAMED_KINDS = ["policy", "agent", "group", "prompt", "budget", "alert"] as const;

export const searchResult = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.enum(NAMED_KINDS), id: z.uuid(), name: z.string() }),
  z.strictObject({ kind: z.literal("person"), id: z.uuid(), name: z.string(), email: z.string().nullable(), role }),
  ruleKey.extend({ kind: z.literal("rule") }),
  z.strictObject({
    kind: z.literal("request"),
    number: z.number(),
    isOpen: z.boolean(),
    agentName: z.string(),
    toolName: z.string(),
  }),
  z.strictObject({ kind: z.literal("exception"), number: z.number(), reason: z.string() }),
  sessionRef.extend({ kind: z.literal("session"), agentName: z.string(), lastAt: z.date() }),
]);
export type SearchResult = z.infer<typeof searchResult>;

export const searchResults = z.array(searchResult);
