/** The entries about agents, their keys and groups. */
import { z } from "zod";
import { entry, number, ownEntry, text } from "./entry-shape.ts";

const tokenFields = { token: text, name: text, group: text.nullable(), usesMax: number, expiresAt: text };
/** A version of a skill, plugin, slash command or MCP server. */
const version = z.strictObject({ extension: text, name: text, digest: text });

export const AGENT_ENTRIES = [
  entry("agent_created", { agent: text, name: text }),
  entry("agent_renamed", { agent: text, from: text, to: text }),
  entry("agent_retired", { agent: text, name: text }),
  entry("agent_restored", { agent: text, name: text }),
  /** The agent's row, keys and memberships were removed; its records and costs stay. */
  entry("agent_removed", { agent: text, name: text }),
  z.discriminatedUnion("version", [
    entry("agent_key_created", { agent: text, key: text }),
    entry("agent_key_created", { agent: text, key: text, scopes: z.array(text), expiresAt: text.nullable() }, 2),
  ]),
  entry("agent_key_rotated", { agent: text, key: text, next: text, oldEndsAt: text }),
  entry("agent_key_revoked", { agent: text, key: text }),
  /** A revocation of the minute before was undone. */
  entry("agent_key_restored", { agent: text, key: text }),
  z.discriminatedUnion("version", [
    entry("enrolment_token_created", tokenFields),
    entry("enrolment_token_created", { ...tokenFields, tags: z.array(text) }, 2),
    /** `owner` is the id of the person or service that its agents work for. */
    entry("enrolment_token_created", { ...tokenFields, tags: z.array(text), owner: text.nullable() }, 3),
  ]),
  entry("enrolment_token_revoked", { token: text, name: text }),
  /** Written together with the entries of the agent and its key, in the same exchange. */
  entry("enrolment_token_used", { token: text, name: text, agent: text, agentName: text }),
  /**
   * A nonce was issued. Calls under it are in no figure, and this entry shows that there may be such calls, reported or
   * not.
   */
  entry("agent_drill_begun", {
    ...{ agent: text, name: text, drill: text },
    mode: z.enum(["liveness", "outage"]),
  }),
  /** Known-bad calls through a client's own hooks, as its machine reported them and the gate saw them. */
  entry("agent_drilled", {
    ...{ agent: text, name: text, drill: text, client: text },
    ...{ mode: z.enum(["liveness", "outage"]), calls: number, blocked: number },
  }),
  /** Digests on the agent's machine differ from the former report. Names the first of `count`. */
  entry("extensions_changed", {
    ...{ agent: text, name: text, client: text, count: number },
    changes: z.array(z.strictObject({ extension: text, name: text, from: text.nullable(), to: text.nullable() })),
  }),
  entry("extensions_accepted", { extensions: z.array(version) }),
  entry("extensions_withdrawn", { extensions: z.array(version) }),
  entry("group_created", { group: text, name: text }),
  entry("group_renamed", { group: text, from: text, to: text }),
  entry("group_deleted", { group: text, name: text }),
  entry("group_members_set", { group: text, agents: z.array(text) }),
  /** `pattern` is null when the group's agents are a list from then on; they are in a separate entry. */
  entry("group_pattern_set", { group: text, pattern: text.nullable() }),
  /** An agent was created, renamed or restored, and its name changed its groups. */
  entry("agent_regrouped", { agent: text, joined: z.array(text), left: z.array(text) }),
  entry("groups_ordered", { groups: z.array(text) }),
  /** The person or service that the agent works for from then on; null: unknown. */
  entry("agent_owner_set", {
    ...{ agent: text, principal: text.nullable(), name: text.nullable() },
    certainty: z.enum(["proven", "stated", "guessed"]).nullable(),
  }),
  /** A signed-in person confirmed `quarterdeck login`; `former` is the person or service that the agent worked for. */
  entry("agent_login_confirmed", {
    ...{ agent: text, principal: text, name: text, host: text },
    ...{ former: text.nullable(), formerName: text.nullable() },
  }),
  entry("agent_login_refused", { agent: text, host: text }),
  /** `quarterdeck logout`; `next` is the owner from before the login. */
  entry("agent_logged_out", {
    agent: text,
    principal: text,
    name: text,
    next: text.nullable(),
    nextName: text.nullable(),
  }),
  /** The person left: their logins on these agents are stated from then on, and no longer proven. */
  ownEntry("agent_logins_ended", { person: text, name: text, agents: z.array(text) }),
  /** One person behind agents turned out to be another; records keep their ids. */
  entry("people_merged", { principal: text, name: text, into: text, intoName: text }),
  entry("agent_tagged", { agent: text, tags: z.array(text) }),
] as const;
