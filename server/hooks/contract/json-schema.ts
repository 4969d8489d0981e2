/** The hooks block as a JSON schema, for editors: made from the zod objects that also parse it. */
import { z } from "zod";
import { contractOf, eventNames, type Profile } from "./events.ts";
import { hookDefinition, matcherEntry } from "./hook.ts";
import { PROFILE_RULES } from "./profiles.ts";

const made = new Map<Profile, Record<string, unknown>>();

/** JSON schema (2020-12) of the value below `hooks:`, without references, with a description on every key. */
export function hooksJsonSchema(profile: Profile): Record<string, unknown> {
  const known = made.get(profile);
  if (known) return known;
  const rules = PROFILE_RULES[profile];
  const hook = (rules.strictOutput ? hookDefinition : hookDefinition.omit({ strict_output: true })).required({
    type: true,
  });
  const entry = matcherEntry.extend({ hooks: listOf(hook, profile) });
  const events = eventNames(profile).map((event) => {
    const contract = contractOf(event, profile);
    const list = contract.matchesTools ? listOf(entry, profile) : listOf(hook, profile);
    return [event, list.optional().meta({ description: contract.says })] as const;
  });
  const schema = z.toJSONSchema(z.strictObject(Object.fromEntries(events)), { io: "input" }) as Record<string, unknown>; // holds: a schema is a plain object
  made.set(profile, schema);
  return schema;
}

function listOf(item: z.ZodType, profile: Profile): z.ZodType {
  return PROFILE_RULES[profile].singleForList ? z.union([z.array(item), item]) : z.array(item);
}
