export { agentNameOf } from "./agent-name.ts";
export type { CallerWait, DispatchRequest, HiddenInput } from "./dispatch-request.ts";
export { isGate } from "./event-class.ts";
export type { Decided, GateCall, GateStep, HaltedBy, Judged, Next } from "./gate-step.ts";
export { type CallJudge, createCallJudge } from "./judge-call.ts";
export { type Mask, maskRecord, maskStoredHooks } from "./mask-record.ts";
export { mergeLocalResult } from "./merge-local-result.ts";
export { createDispatcher, type Dispatcher } from "./service.ts";
export { toStoredHook } from "./to-stored-hook.ts";
