/**
 * Step-up: for some acts, a browser left open is not enough authentication. The person must have confirmed their
 * identity in that browser a short while ago. docs/adr/0072-the-gravest-acts-ask-who-you-are.md gives the reasons, and
 * why tokens are exempt.
 */
import { AppError } from "../errors/app-error.ts";
import type { Actor } from "./actor.ts";

/** The time for which a confirmation of identity is valid. */
export const CONFIRMED_MS = 15 * 60_000;

interface StepUp {
  /** Follows "To": "To resume what was halted, confirm that it is you." */
  readonly act: string;
  /** For which inputs, where it is not all of them. The input was not parsed yet. */
  readonly when?: (input: Readonly<Record<string, unknown>>) => boolean;
}

/** Every role but a viewer's may do some of the rest: halt, lift a denial, be the second person, or export evidence. */
const givesPower: StepUp["when"] = ({ role }) => role !== "viewer";

/**
 * The acts that require it, by the path of their procedure. This is the only table; trpc/step-up.proof.test.ts checks
 * it. `halts.halt` is not in it: a halt can only stop agents.
 */
export const STEP_UP = {
  "halts.resume": { act: "resume what was halted" },
  "reviews.changeInEmergency": { act: "make a change that nobody has reviewed" },
  "reviews.setFourEyes": { act: "take four eyes off a policy", when: ({ isOn }) => isOn !== true },
  "policies.setRequirements": { act: "change what a publication requires" },
  "approvals.setRules": { act: "change who approves what" },
  "exceptions.make": { act: "lift a denial", when: ({ dispatch }) => dispatch !== undefined },
  "decisions.evidence": { act: "export what was decided" },
  "audit.setRaw": { act: "change whether inputs are stored unmasked" },
  "maskingSettings.save": { act: "change what is masked" },
  "audit.setRetention": { act: "change how long data is kept" },
  "audit.releaseHold": { act: "let go of what a legal hold keeps" },
  "audit.requestErasure": { act: "erase a session" },
  "audit.erasePerson": { act: "erase a person" },
  // The ways around: each opens an account, or makes one, that could do the above unasked.
  "people.setRole": { act: "give a person a role that can decide or export", when: givesPower },
  "people.extendAccess": { act: "let a person keep their access" },
  "people.invite": { act: "invite a person who can decide or export", when: givesPower },
  "people.createResetLink": { act: "make a link that opens the account of a person" },
  "access.setPassword": { act: "set a password" },
  "serviceAccounts.createToken": { act: "make a token" },
  "access.createSignInLink": { act: "make a link that signs you in" },
  // Acts that send data out of the console or admit a program.
  "agents.create": { act: "make an agent with a key" },
  "agents.createKey": { act: "make a key of an agent" },
  "agents.createKeyByName": { act: "make a key of an agent" },
  "agents.rotateKey": { act: "replace a key of an agent" },
  "deviceLogin.confirm": { act: "log in a computer" },
  "agents.createEnrolmentToken": { act: "make an enrolment token" },
  "webhooks.save": { act: "change where webhooks are sent" },
  "webhooks.rotate": { act: "replace the secret of a webhook" },
  "streams.save": { act: "change where the record is sent" },
  "streams.rewind": { act: "send a part of the record again" },
  "streams.sendAgain": { act: "send events of the record again" },
  "streams.tail": { act: "export the record" },
  "audit.startExport": { act: "export the record" },
  "audit.exportPage": { act: "export the record" },
  "installation.saveSignOn": { act: "change how people sign on" },
  "installation.removeSignOn": { act: "take sign-on by a provider away" },
  "installation.saveMail": { act: "change the server that mails links" },
} as const satisfies Record<string, StepUp>;

const STEP_UP_BY_PATH: ReadonlyMap<string, StepUp> = new Map(Object.entries(STEP_UP));

export interface StepUpCall {
  readonly actor: Actor;
  /** The time when the actor last confirmed their identity in the calling browser. */
  readonly confirmedAt: Date | null | undefined;
  readonly path: string;
  /** As it was sent. */
  readonly readInput: () => Promise<unknown>;
}

/** Errors: `step_up_required`, for a person whose last proof is missing or too old for this act. */
export async function requireConfirmed({ actor, confirmedAt, path, readInput }: StepUpCall): Promise<void> {
  const stepUp = STEP_UP_BY_PATH.get(path);
  if (stepUp === undefined || actor.kind !== "person") return;
  if (confirmedAt && Date.now() - confirmedAt.getTime() < CONFIRMED_MS) return;
  if (stepUp.when && !stepUp.when(membersOf(await readInput()))) return;
  throw new AppError("step_up_required", path, { says: `To ${stepUp.act}, confirm that it is you.` });
}

function membersOf(input: unknown): Readonly<Record<string, unknown>> {
  return typeof input === "object" && input !== null ? { ...input } : {};
}
