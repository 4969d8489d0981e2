/**
 * The HTTP way of the dialects without a network, a database or hooks: the route itself, with a judge whose answer the
 * caller sets.
 */
import type { AgentActor } from "../../access/actor.ts";
import type { Delivered, Delivery, Way } from "../../dialects/index.ts";
import { systemClock } from "../../platform/clock.ts";
import { dialectRoute } from "../dialect-http.ts";
import type { Dispatcher } from "../service.ts";

const NEVER = new AbortController().signal;
/** There is no agent whose row could keep them. */
const NO_SIGNS = { note: () => undefined, notePoll: () => undefined };
/** The fields that are added to the payload when an event without a native counterpart is recorded. */
const NOTICE = ["notification_level", "notification_message"];

export const httpWay: Way = {
  name: "HTTP",
  async deliver(delivery): Promise<Delivered> {
    let input: Record<string, unknown> = {};
    const dispatcher: Pick<Dispatcher, "findHooked" | "findDelivered" | "dispatch" | "report"> = {
      findHooked: async () => null,
      findDelivered: async () => new Set(),
      async dispatch(_actor, { text }) {
        input = JSON.parse(text);
        return { answer: JSON.stringify(delivery.output), dispatchId: "", revision: "", isRepeated: false };
      },
      async report(_actor, { text }) {
        const notice: Record<string, unknown> = JSON.parse(text);
        input = Object.fromEntries(Object.entries(notice).filter(([field]) => !NOTICE.includes(field)));
        input.hook_event_name = null;
        return { kind: "stored" };
      },
    };
    const route = dialectRoute({ dispatcher, clock: systemClock, clientSigns: NO_SIGNS });
    const { status, body = "" } = await route.handle(requestOf(delivery));
    if (status !== 200) throw new Error(`it answered with ${status}: ${body}`);
    return { input, body: JSON.parse(String(body)) };
  },
};

function requestOf({ dialect, event, payload, interactive }: Delivery) {
  const actor: AgentActor = {
    kind: "agent",
    id: "conformance",
    name: "conformance",
    workspaceId: "conformance",
    scopes: ["dispatch"],
  };
  return {
    actor,
    parameters: [dialect, event],
    address: null,
    query: new URLSearchParams(interactive ? { interactive: "true" } : {}),
    header: () => undefined,
    body: async () => Buffer.from(JSON.stringify(payload)),
    confirm: async () => undefined,
    setAside: () => undefined,
    signal: NEVER,
    draining: NEVER,
    ending: NEVER,
  };
}
