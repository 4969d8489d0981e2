/** The agent API's procedures, over the same services as its plain HTTP. */

import type { HookOutput } from "@quarterdeck/hooks";
import { parseExactJson } from "@quarterdeck/hooks/contract/exact-json";
import { policyView } from "../policies/index.ts";
import { agentPolicyView } from "../policies/schema.ts";
import { asAgent, router } from "../trpc/init.ts";
import { checkEvent } from "./check-event.ts";
import { dispatchCall } from "./dispatch-call.ts";
import { parseHookInput } from "./parse-hook-input.ts";
import { procedureInputText } from "./procedure-input-text.ts";
import { recordReport } from "./record-report.ts";
import { requireSingleKeys } from "./require-single-keys.ts";
import { dispatchEvent, dispatchedView, reportEvents, reportView } from "./schema.ts";
import type { Dispatcher } from "./service.ts";

declare module "../trpc/context.ts" {
  interface App {
    readonly dispatcher: Dispatcher;
  }
}

export const agentRouter = router({
  dispatch: asAgent("agent:dispatch")
    .input(dispatchEvent)
    .output(dispatchedView)
    .mutation(async ({ ctx, input: asked, signal, batchIndex = 0 }) => {
      const { event, lane, input, idempotencyKey } = asked;
      checkEvent(event, input, "/input");
      const text = procedureInputText(ctx.body, batchIndex).input(input);
      requireSingleKeys(text);
      // superjson's numbers have lost digits; the text is the one of the same input.
      const read = { input: parseHookInput(parseExactJson(text), "/input"), text };
      const question = {
        event,
        idempotencyKey: idempotencyKey ?? null,
        // As over plain HTTP: a sender with an idempotency key retries for the answer.
        client: { signal: idempotencyKey === undefined && signal ? signal : new AbortController().signal },
      };
      const { dispatcher } = ctx.app;
      const done = lane
        ? await dispatcher.dispatch(ctx.actor, { ...question, lane, ...read })
        : await dispatchCall(dispatcher, ctx.actor, { ...question, read });
      const { dispatchId, revision, isRepeated } = done;
      // Holds: the dispatcher's own answer.
      const answer = parseExactJson(done.answer) as HookOutput;
      return { answer, dispatchId, revision, isRepeated };
    }),
  report: asAgent("agent:report")
    .input(reportEvents)
    .output(reportView)
    .mutation(({ ctx, input, batchIndex = 0 }) =>
      recordReport(
        ctx.app.dispatcher,
        ctx.actor,
        procedureInputText(ctx.body, batchIndex).events(input.events),
        Date.now(),
      ),
    ),
  policy: asAgent("agent:policy")
    .output(agentPolicyView)
    .query(async ({ ctx }) => policyView(await ctx.app.plans.planFor(ctx.actor))),
});
