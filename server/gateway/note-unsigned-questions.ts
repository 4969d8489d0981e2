/** Notes the agents that ask about a gate without a nonce: their relay cannot tell this console's answer from that of another server. */
import type { AgentRequest, AgentRoute } from "../access/agent-api-types.ts";
import { NONCE, NONCE_HEADER } from "../platform/answer-mac.ts";
import type { App } from "../trpc/context.ts";

const HOOKS = "/api/v1/hooks/";

/** The routes, of which those of gates also note such a question. */
export function noteUnsignedQuestions(
  routes: readonly AgentRoute[],
  clientSigns: Pick<App["clientSigns"], "note">,
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
