/** A client's capability table in the form that the core's linter expects: by native event. */
import type { ClientKnown } from "@quarterdeck/hooks/contract/client-known";
import { LRUCache } from "lru-cache";
import { eventNames, WIDEST_PROFILE } from "../hooks/index.ts";
import { CLIENT_TOOLS } from "./client-tools.ts";
import { waitSecondsOf } from "./client-waits.ts";
import { CLIENT_CAPABILITIES } from "./clients.ts";
import { eventsOfLaterVersions } from "./enforcement.ts";
import { answeringEvents } from "./native-events.ts";
import type { ClientName } from "./schema.ts";

/** Clients name their versions themselves. */
const VERSIONS_MAX = 500;
const byVersion = new LRUCache<string, ClientKnown>({ max: VERSIONS_MAX });

/** `version`: excludes events that only later versions raise. */
export function knownClient(name: ClientName, version: string | null = null): ClientKnown {
  const key = JSON.stringify([name, version]);
  const found = byVersion.get(key) ?? tableOf(name, version);
  byVersion.set(key, found);
  return found;
}

function tableOf(name: ClientName, version: string | null): ClientKnown {
  const client = CLIENT_CAPABILITIES[name];
  const later = version === null ? null : eventsOfLaterVersions(name, version);
  const byNative = eventNames(WIDEST_PROFILE).flatMap((native) => {
    const answering = answeringEvents(client, native)
      .filter(([event]) => !later?.has(event))
      .map(([event, { native: _native, ...cells }]) => ({
        ...cells,
        name: event,
        waitSeconds: waitSecondsOf(name, event),
      }));
    return answering.length > 0 ? [[native, answering] as const] : [];
  });
  return { name, title: client.title, events: Object.fromEntries(byNative), tools: CLIENT_TOOLS[name] };
}
