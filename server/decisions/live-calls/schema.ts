/**
 * Calls as the stream of a list sends them. Each is whole: the page finds its place in the range that it shows. The
 * browser reads this module too.
 */
import { z } from "zod";
import { CALL_OUTCOMES } from "../call-outcome-schema.ts";
import {
  type CallView,
  callView,
  type DecisionFilters,
  type DecisionRange,
  decisionFilters,
  decisionView,
} from "../schema.ts";

/** Lists that rows cannot keep up are read again at most this often. */
export const READ_AGAIN_MS = 5_000;

export const followCallsInput = z.strictObject({ filters: decisionFilters.prefault({}) });
export type FollowCallsInput = z.infer<typeof followCallsInput>;

export const liveCall = callView.pick({ request: true, ran: true, followUp: true }).extend({
  /** The earliest first; never empty. */
  decisions: z.array(decisionView),
  /** The places in `decisions` of those that the filters find. Without any, the call is not in the list. */
  matching: z.array(z.number().int()),
});
export type LiveCall = z.infer<typeof liveCall>;

/**
 * `started`: later changes are sent. `calls`: new and changed calls. `missed`: changes were not sent, and the list is
 * read again. `pace`: while slowed, some changes wait for the next `missed`.
 */
export const liveCallsMessage = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("started") }),
  z.strictObject({ kind: z.literal("calls"), calls: z.array(liveCall) }),
  z.strictObject({ kind: z.literal("missed") }),
  z.strictObject({ kind: z.literal("pace"), isSlowed: z.boolean() }),
]);
export type LiveCallsMessage = z.infer<typeof liveCallsMessage>;

const OUTCOMES: ReadonlySet<string> = new Set(CALL_OUTCOMES);

/**
 * True if the decisions of a call alone decide whether these filters find it. Words are searched by PostgreSQL, whose
 * rules for upper case are its own. Groups, merged people, follow-ups, requests and results of rules change without the call.
 */
export const isFollowable = ({
  text,
  settled,
  group,
  person,
  assignee,
  keyword,
  has,
  outcome,
}: DecisionFilters): boolean =>
  text.trim() === "" &&
  [settled, group, person, assignee, keyword, has].every(({ length }) => length === 0) &&
  outcome.every((one) => OUTCOMES.has(one));

type Named = Pick<CallView, "id" | "agentId" | "sessionId" | "toolUseId">;

/** Equal for all decisions over one call. */
export const callNameOf = ({ id, agentId, sessionId, toolUseId }: Named): string =>
  toolUseId === null ? id : JSON.stringify([agentId, sessionId, toolUseId]);

/** The row of a call in a list of this range; null if it is not in the list. */
export function callViewIn(
  { decisions, matching, request, ran, followUp }: LiveCall,
  { from, to }: DecisionRange,
): CallView | null {
  const found = matching.map((place) => decisions[place]);
  const first = found.find((one) => one !== undefined && one.occurredAt >= from && one.occurredAt < to);
  if (first === undefined) return null;
  const chain = decisions.map(({ occurredAt, id, kind, event, verdict, source, reason }) => ({
    ...{ occurredAt, id, kind, event, verdict, source, reason },
  }));
  return { ...first, chain, request, isRecorded: true, ran, isRanByOrder: false, followUp };
}
