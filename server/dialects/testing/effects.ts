/** The effect of an answer on a call, by the native contract and by each client's real behaviour (client-models.ts). */
import { isDeepStrictEqual } from "node:util";
import { EVENTS, type EventName, type HookOutput } from "../../hooks/index.ts";
import type { Ability } from "../capabilities.ts";
import type { Effect, Json } from "../client-effect.ts";

/** The native effect. `updated_tool_response` counts on `post_tool_use`, where clients read the answer of both events. */
export function nativeEffect(output: HookOutput, event: EventName, original: unknown): Effect {
  const contract = EVENTS[event];
  const verdict = output.hook_specific_output?.permission_decision ?? "";
  const judges = contract.decides || contract.approves;
  const blocks = contract.canBlock && (output.decision === "block" || output.continue === false);
  const isResult = event === "post_tool_use";
  const refused = !isResult && (blocks || (judges && verdict === "deny"));
  return {
    refused,
    asked: contract.decides && verdict === "ask" && !refused,
    approved: judges && verdict === "allow" && !refused,
    input: nativeInput(output, event, original),
    result: isResult ? (output.hook_specific_output?.updated_tool_response ?? undefined) : undefined,
    ended: blocks && isResult,
  };
}

/** Changed arguments also count on `permission_request`: a client that accepts them must enforce them, and any other client denies. */
function nativeInput(output: HookOutput, event: EventName, original: unknown): unknown {
  const { rewrites, approves } = EVENTS[event];
  const { updated_input, updated_messages } = output.hook_specific_output ?? {};
  if (rewrites === "messages") return updated_messages?.length ? updated_messages : undefined;
  if (rewrites !== "tool_input" && !approves) return undefined;
  return updated_input ? { ...(original as Json), ...updated_input } : original;
}

/** The wishes of the native effect that the client's effect does not fulfil, and an approval that no policy gave. */
export function looserIn(native: Effect, client: Effect, secret: string): (Ability | "approve")[] {
  const runs = !client.refused;
  const isOtherInput = native.input !== undefined && !isDeepStrictEqual(native.input, client.input);
  const isRead = !client.ended && (client.result === undefined || JSON.stringify(client.result).includes(secret));
  return [
    ...(native.refused && runs ? (["deny"] as const) : []),
    ...(native.asked && runs && !client.asked ? (["ask"] as const) : []),
    ...(!native.refused && runs && isOtherInput ? (["rewriteInput"] as const) : []),
    ...(native.result !== undefined && isRead ? (["rewriteOutput"] as const) : []),
    ...(native.ended && !client.ended ? (["stop"] as const) : []),
    ...(client.approved && runs && !native.approved ? (["approve"] as const) : []),
  ];
}
