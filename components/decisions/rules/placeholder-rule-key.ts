import type { RuleKey } from "@/server/decisions/rules/schema";

/** A well-formed key of nothing, for a query that is not asked. */
export const PLACEHOLDER_RULE_KEY: RuleKey = { policy: "", event: "", hook: "" };
