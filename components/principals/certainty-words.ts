import type { CallPrincipal, Certainty } from "@/server/access/principal-schema";

/** The meaning of each certainty, for a hover text. */
export const CERTAINTY_TEXT: Readonly<Record<Certainty, string>> = {
  proven: "Proven: this person took the agent while signed in.",
  stated: "Stated by an admin, an enrolment token or the client's telemetry.",
  guessed: "Guessed from a hint.",
};

/** The place from which the person of a call is known. */
export const SOURCE_TEXT: Readonly<Record<CallPrincipal["source"], string>> = {
  sign_in: "chosen by the person, signed in",
  token: "from the enrolment token",
  console: "set on the agent's page",
  telemetry: "from the client's telemetry",
  os_user: "from the user of the operating system",
  login: "by quarterdeck login",
  earlier_session: "from the agent's session before",
};

export const UNKNOWN_TEXT = "Unknown person";
export const UNKNOWN_REASON =
  "Unknown person: the agent has no owner, and its telemetry had named no person when the call was recorded.";
