/**
 * Notes the agents that ask about a gate without a nonce: their relay cannot verify that the answer comes from this
 * console.
 */
import type { AgentActor } from "../access/actor.ts";
import type { AgentRequest, AgentRoute } from "../access/agent-api-types.ts";
import { NONCE, NONCE_HEADER } from "../platform/answer-mac.ts";

const HOOKS = "/api/v1/hooks/";

/** Wraps the routes: those of gates also note such a question. */
export function noteUnsignedQuestions(
  routes: readonly AgentRoute[],
  clientSigns: { note(actor: AgentActor, sign: { readonly isUnsigned: true }): void },
): readonly AgentRoute[] {
  return routes.map((route) => {
    if (route.access === "open" || !route.path.startsWith(HOOKS)) return route;
    return {
      ...route,
      handle(request: AgentRequest) {
        const isGate = route.loadClass?.(request.parameters) === "gate";
        if (isGate && !NONCE.test(request.header(NONCE_HEADER) ?? ""))
          clientSigns.note(request.actor, { isUnsigned: true });
        return route.handle(request);
      },
    };
  });
}
