/** The linter's view of the clients that a policy binds. The core has no list of clients; the caller passes them in. */
import { z } from "zod";

/** The wishes of a hook's output that a client may or may not follow. */
export const CLIENT_ABILITIES = ["deny", "ask", "rewriteInput", "rewriteOutput", "stop"] as const;
export type ClientAbility = (typeof CLIENT_ABILITIES)[number];

/**
 * The form in which a wish reaches a client: `held` as it is, `denied` as a denial, `ended` as the end of the run. `none`: the
 * event has no such wish. A gap: the client does not follow the wish.
 */
const reception = z.union([z.enum(["held", "denied", "ended", "none"]), z.strictObject({ gap: z.string() })]);
export type Reception = z.infer<typeof reception>;

const clientEvent = z.strictObject({
  /** The client's own name for the event. */
  name: z.string(),
  deny: reception,
  ask: reception,
  rewriteInput: reception,
  rewriteOutput: reception,
  stop: reception,
  /** `additional_context` reaches the model. */
  addsContext: z.boolean(),
  /** The time that its enrolment waits for an answer. */
  waitSeconds: z.number(),
});
export type ClientEvent = z.infer<typeof clientEvent>;

export const clientKnown = z.strictObject({
  name: z.string(),
  /** The display name. */
  title: z.string(),
  /** By native event: the client's own events that raise it, the main one first. Clients never raise a missing native event. */
  events: z.record(z.string(), z.array(clientEvent)),
  /** By tool kind: the tool names in the client's calls. A missing kind is unknown. */
  tools: z.record(z.string(), z.array(z.string()).readonly()),
});
export type ClientKnown = z.infer<typeof clientKnown>;
