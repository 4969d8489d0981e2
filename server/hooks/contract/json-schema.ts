/** The JSON schema of the hooks block, for editors. Generated from the zod schemas that also parse it. */
import { z } from "zod";
import { contractOf, eventNames, judgesCalls, type Profile } from "./events.ts";
import { HANDLER_TYPES, hookDefinition, hookDefinitionOf, matcherEntry, NATIVE_TYPES } from "./hook.ts";
import { PROFILE_RULES } from "./profiles.ts";

const made = new Map<Profile, Record<string, unknown>>();

/**
 * The JSON schema (2020-12) of the value below `hooks:`, with a description for every key. References point to `#/$defs`, which
 * has the rules and their nested conditions.
 */
export function hooksJsonSchema(profile: Profile): Record<string, unknown> {
  const known = made.get(profile);
  if (known) return known;
  const rules = PROFILE_RULES[profile];
  const isKnown = (type: string) => !rules.unknownHookTypes.includes(type);
  const anyType = hookDefinition.shape.type.unwrap().meta({ enum: HANDLER_TYPES.filter(isKnown) });
  const hook = (
    rules.strictOutput ? hookDefinitionOf(profile) : hookDefinitionOf(profile).omit({ strict_output: true })
  )
    .extend({ type: anyType })
    .required({ type: true });
  // Rules are only allowed on events that judge a tool call.
  const type = hookDefinition.shape.type.unwrap().meta({
    description: "What runs: a shell command, a hook built in, or a judgement by a model.",
    enum: NATIVE_TYPES.filter(isKnown),
  });
  const withoutRules = hook.omit({ rules: true }).extend({ type });
  const events = eventNames(profile).map((event) => {
    const contract = contractOf(event, profile);
    const hooks = listOf(judgesCalls(contract) ? hook : withoutRules, profile).meta({ description: "What to run." });
    const entry = matcherEntry.extend({ hooks });
    const list = contract.matchesTools ? listOf(entry, profile) : hooks;
    return [event, list.optional().meta({ description: contract.says })] as const;
  });
  const schema = z.toJSONSchema(z.strictObject(Object.fromEntries(events)), { io: "input" }) as Record<string, unknown>; // holds: a schema is a plain object
  made.set(profile, schema);
  return schema;
}

function listOf(item: z.ZodType, profile: Profile): z.ZodType {
  return PROFILE_RULES[profile].singleForList ? z.union([z.array(item), item]) : z.array(item);
}
