/** The purposes of the events of the contracts table, in groups a person chooses from. Pure. */
import {
  contractOf,
  type EventContract,
  type EventName,
  eventNames,
  type Profile,
} from "@quarterdeck/hooks/contract/events";
import { PROFILE_RULES } from "@quarterdeck/hooks/contract/profiles";

export const PURPOSES = [
  { id: "gate", title: "Gates", says: "May stop what the agent is about to do." },
  { id: "rewrite", title: "Rewrites", says: "May change what is sent to a tool or a model, or what comes back." },
  { id: "context", title: "Context", says: "Tell the model something it would not know." },
  { id: "observe", title: "Observers", says: "Hear of what happened; nothing they answer is used." },
] as const;
export type Purpose = (typeof PURPOSES)[number]["id"];

export function purposeOf(contract: EventContract): Purpose {
  if (contract.decides || contract.approves) return "gate";
  if (contract.rewrites !== "nothing") return "rewrite";
  if (contract.canBlock) return "gate";
  return contract.addsContext ? "context" : "observe";
}

/** The events of a profile with a purpose, in the order an agent meets them. */
export function eventsFor(purpose: Purpose, profile: Profile): EventName[] {
  return eventNames(profile).filter((event) => purposeOf(contractOf(event, profile)) === purpose);
}

/** The meaning of a hook's failure on an event, for a choice of `on_error`. */
export function failureWords(onError: string, contract: EventContract | null, profile: Profile): string {
  if (contract?.failsClosed)
    return profile === "2026-07"
      ? "On this event a time-out denies the call, whatever is chosen. Other failures allow it in profile 2026-07."
      : "On this event a failure denies the call, whatever is chosen.";
  switch (onError) {
    case "ignore":
      return "When the hook fails, nothing happens and nobody is notified. The agent goes on.";
    case "block":
      if (contract?.canBlock) return "When the hook fails, what the agent was about to do is stopped.";
      return PROFILE_RULES[profile].checksAtLoad
        ? "This event stops nothing: this choice is refused when you publish."
        : "This event stops nothing: a failure is only logged.";
    default:
      return PROFILE_RULES[profile].warnsUser
        ? "When the hook fails, the person is warned and the agent goes on."
        : "When the hook fails, that is logged and the agent goes on.";
  }
}

/** The powers of hooks on an event, in a few words each. */
export function powers(contract: EventContract, profile: Profile): string[] {
  return [
    ...(contract.decides ? ["may allow, ask or deny"] : contract.canBlock ? ["may stop it"] : []),
    ...(contract.approves ? ["may answer for the person"] : []),
    ...(contract.rewrites === "nothing" ? [] : [`may rewrite the ${contract.rewrites.replace("_", " ")}`]),
    ...(contract.addsContext ? ["may add context"] : []),
    ...(contract.addsInstructions && PROFILE_RULES[profile].readsInstructions ? ["may add instructions"] : []),
    ...(contract.control ? ["may hand the run to another agent"] : []),
    ...(contract.guardsContent ? ["needs a verdict for each text"] : []),
    ...(contract.suppliesSummary ? ["may supply the summary"] : []),
    ...(contract.failsClosed ? [profile === "2026-07" ? "denies on a time-out" : "fails closed"] : []),
  ];
}
