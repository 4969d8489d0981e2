/** Owners and tickets of rules. They change no verdict. */
import { z } from "zod";
import { ruleName } from "../policies/assignments/monitored-rule-schema.ts";

/** Rules with an owner or a ticket in one workspace. */
export const OWNED_RULES_MAX = 2_000;
const TICKET_CHARS_MAX = 500;

const TICKET = "Enter the address of a ticket, such as https://tickets.example/SEC-12.";
/** An address without a user name or password; empty for no ticket. */
export const ticket = z.union([
  z.literal(""),
  z
    .url({ protocol: /^https?$/, error: TICKET })
    .max(TICKET_CHARS_MAX, `An address has at most ${TICKET_CHARS_MAX} characters.`)
    .refine((text) => !/^\w+:\/\/[^/]*@/.test(text), "Enter an address without a user name."),
]);

export const ownedRule = z.strictObject({ policyId: z.uuid(), ...ruleName.shape });
export type OwnedRule = z.infer<typeof ownedRule>;

export const setRuleOwner = ownedRule.extend({
  /** Null takes the owner away. */
  personId: z.uuid().nullable(),
  ticket,
});
export type SetRuleOwner = z.infer<typeof setRuleOwner>;

export const ruleOwnerView = z.strictObject({
  /** The name is null for a former member. */
  owner: z.strictObject({ id: z.uuid(), name: z.string().nullable() }).nullable(),
  ticket: z.string(),
});
export type RuleOwnerView = z.infer<typeof ruleOwnerView>;
