/** A tag of an agent: a free word such as `payments` or `prod`. An environment is a tag. */
import { z } from "zod";

export const AGENT_TAGS_MAX = 20;

export const agentTag = z
  .string()
  .trim()
  .min(1, "A tag is not empty.")
  .max(40, "A tag has at most 40 characters.")
  .regex(/^[^+,\p{Cc}]*$/u, "A tag holds no comma, no plus and no control character.");

/** Each once, in the order of their letters. */
export const agentTags = z
  .array(agentTag)
  .max(AGENT_TAGS_MAX, `An agent has at most ${AGENT_TAGS_MAX} tags.`)
  .transform((tags) => [...new Set(tags)].sort());
