/** The door of the package: the client, its errors, and the gate for the tools of an agent loop. */
export {
  type Budget,
  createQuarterdeck,
  type Denial,
  type Dispatched,
  type DispatchOptions,
  type EventName,
  type HookInput,
  type HookOutput,
  type Lane,
  type Policy,
  type Quarterdeck,
  type QuarterdeckOptions,
  type Question,
} from "./client.ts";
export { CallDenied, QuarterdeckError } from "./errors.ts";
export { type GovernedSession, governTools } from "./govern-tools.ts";
