/** Pairs results with the calls of a client that sends no call id: same session, tool and arguments, in order. Pure. */

export interface UnnamedEvent {
  readonly id: string;
  readonly occurredAt: Date;
  readonly agentId: string;
  readonly sessionId: string;
  readonly tool: string;
  readonly event: string;
  readonly lane: string;
  readonly verdict: string;
  readonly toolError: boolean | null;
  /** Digests of the arguments and of the ones a hook put in their place; null when absent, erased or too long. */
  readonly sent: string | null;
  readonly rewritten: string | null;
}

export interface PairedResult {
  /** The result's own record. */
  readonly id: string;
  readonly occurredAt: Date;
  readonly isError: boolean;
  /** More than one equal call was open, and the result went to the oldest. */
  readonly isByOrder: boolean;
}

/**
 * The result of each call by the id of the call's event. `events` are in order. A result goes to the oldest equal call without
 * one, and to a denied call only when no other is open: clients do not run denied calls.
 */
export function pairResults(events: readonly UnnamedEvent[]): ReadonlyMap<string, PairedResult> {
  const openByCall = new Map<string, Map<string, UnnamedEvent[]>>();
  const paired = new Map<string, PairedResult>();
  for (const event of events) {
    const open = valueAt(openByCall, callKey(event), () => new Map<string, UnnamedEvent[]>());
    if (event.event !== "post_tool_use") {
      valueAt(open, `${event.event} ${event.lane}`, () => []).push(event);
      continue;
    }
    // A call passes each gate once, so each gate has its own order.
    for (const [gate, calls] of open) {
      const { call, isByOrder } = nextOf(calls, event);
      if (call === undefined) continue;
      const { id, occurredAt, toolError } = event;
      paired.set(call.id, { id, occurredAt, isError: toolError === true, isByOrder });
      open.set(
        gate,
        calls.filter((one) => one !== call),
      );
    }
  }
  return paired;
}

function nextOf(calls: readonly UnnamedEvent[], { sent }: UnnamedEvent) {
  const equal = calls.filter((call) => sent !== null && (call.sent === sent || call.rewritten === sent));
  const allowed = equal.filter(({ verdict }) => verdict !== "deny");
  const candidates = allowed.length > 0 ? allowed : equal;
  return { call: candidates[0], isByOrder: candidates.length > 1 };
}

const callKey = ({ agentId, sessionId, tool }: UnnamedEvent): string => JSON.stringify([agentId, sessionId, tool]);

function valueAt<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
