/** The clients that a policy binds, as the linter needs to know them. Which clients there are, the core does not know: it is handed them. */
import { z } from "zod";

/** The wishes of a hook's output that a client may or may not follow. */
export const CLIENT_ABILITIES = ["deny", "ask", "rewriteInput", "rewriteOutput", "stop"] as const;
export type ClientAbility = (typeof CLIENT_ABILITIES)[number];

/**
 * The form in which a wish reaches a client: `held` as it is, `denied` as a denial, `ended` as the end of the run; `none` where
 * the event has no such wish, a gap where the client does not follow.
 */
const reception = z.union([z.enum(["held", "denied", "ended", "none"]), z.strictObject({ gap: z.string() })]);
export type Reception = z.infer<typeof reception>;

const clientEvent = z.strictObject({
  /** The client's own name of the event. */
  name: z.string(),
  deny: reception,
  ask: reception,
  rewriteInput: reception,
  rewriteOutput: reception,
  stop: reception,
  /** `additional_context` reaches the model. */
  addsContext: z.boolean(),
});
export type ClientEvent = z.infer<typeof clientEvent>;

export const clientKnown = z.strictObject({
  name: z.string(),
  /** The name that people know. */
  title: z.string(),
  /** By native event, the client's own events that bring it about, the main one first. A native event that is not among them never comes. */
  events: z.record(z.string(), z.array(clientEvent)),
  /** By tool kind, the names that its calls have; a kind that is missing is not known. */
  tools: z.record(z.string(), z.array(z.string()).readonly()),
});
export type ClientKnown = z.infer<typeof clientKnown>;
