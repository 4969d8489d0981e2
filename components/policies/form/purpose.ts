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
  { id: "gate", title: "Gates", says: "These hooks can block an action before it happens." },
  { id: "rewrite", title: "Rewrites", says: "These hooks can change requests and answers of tools and models." },
  { id: "context", title: "Context", says: "These hooks add information for the model." },
  { id: "observe", title: "Observers", says: "These hooks only observe. Their answers have no effect." },
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
      ? "On this event, a time-out always denies the call. Other failures allow the call in profile 2026-07."
      : "On this event, a hook that fails always denies the call.";
  switch (onError) {
    case "ignore":
      return "If the hook fails, the agent continues and the user is not warned.";
    case "block":
      if (contract?.canBlock) return "If the hook fails, the action is blocked.";
      return PROFILE_RULES[profile].checksAtLoad
        ? "Hooks on this event cannot block. Choose another value for “When it fails” before you publish."
        : "Hooks on this event cannot block. A failure is only logged.";
    default:
      return PROFILE_RULES[profile].warnsUser
        ? "If the hook fails, the user is warned and the agent continues."
        : "If the hook fails, the failure is logged and the agent continues.";
  }
}

/** The powers of hooks on an event, in a few words each. */
export function powers(contract: EventContract, profile: Profile): string[] {
  return [
    ...(contract.decides ? ["can allow, ask or deny"] : contract.canBlock ? ["can block"] : []),
    ...(contract.approves ? ["can answer for the person"] : []),
    ...(contract.rewrites === "nothing" ? [] : [`can rewrite the ${contract.rewrites.replace("_", " ")}`]),
    ...(contract.addsContext ? ["can add context"] : []),
    ...(contract.addsInstructions && PROFILE_RULES[profile].readsInstructions ? ["can add instructions"] : []),
    ...(contract.control ? ["can hand over to another agent"] : []),
    ...(contract.guardsContent ? ["needs a verdict for each text"] : []),
    ...(contract.suppliesSummary ? ["can supply the summary"] : []),
    ...(contract.failsClosed ? [profile === "2026-07" ? "denies on a time-out" : "fails closed"] : []),
  ];
}
