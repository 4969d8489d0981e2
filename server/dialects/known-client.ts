/** A client's table of abilities as the linter of the core takes it: by native event. */
import type { ClientKnown } from "@quarterdeck/hooks/contract/client-known";
import { eventNames } from "../hooks/index.ts";
import { CLIENT_TOOLS } from "./client-tools.ts";
import { CLIENT_CAPABILITIES } from "./clients.ts";
import { answeringEvents } from "./native-events.ts";
import type { ClientName } from "./schema.ts";

export function knownClient(name: ClientName): ClientKnown {
  const client = CLIENT_CAPABILITIES[name];
  const byNative = eventNames("2026-08").flatMap((native) => {
    const answering = answeringEvents(client, native).map(([event, { native: _native, ...cells }]) => ({
      ...cells,
      name: event,
    }));
    return answering.length > 0 ? [[native, answering] as const] : [];
  });
  return { name, title: client.title, events: Object.fromEntries(byNative), tools: CLIENT_TOOLS[name] };
}
