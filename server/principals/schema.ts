/** The people and services that agents work for: inputs and views. */
import { z } from "zod";
import { certainty, principalSource } from "../access/principal-schema.ts";

export const PRINCIPAL_LIMITS = {
  /** In one workspace. */
  perWorkspace: 5_000,
  nameCharacters: 254,
  /** People that one export of telemetry may name. */
  perExport: 20,
} as const;

const serviceName = z
  .string()
  .trim()
  .min(1, "Enter the name of the service.")
  .max(64, "At most 64 characters.")
  .refine((text) => !text.includes("\0"), "No name holds this character.");

/** The owner that an administrator chooses: a member, a known principal, or a service by its name. */
export const ownerChoice = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("account"), accountId: z.uuid("Choose the person.") }),
  z.strictObject({ kind: z.literal("principal"), principalId: z.uuid("Choose the person.") }),
  z.strictObject({ kind: z.literal("service"), name: serviceName }),
]);
export type OwnerChoice = z.infer<typeof ownerChoice>;

/** Null: the agent works for an unknown person. */
export const setOwner = z.strictObject({ agentId: z.uuid(), owner: ownerChoice.nullable() });
export type SetOwner = z.infer<typeof setOwner>;

export const PRINCIPAL_KINDS = ["person", "service"] as const;
export const principalView = z.strictObject({
  id: z.uuid(),
  kind: z.enum(PRINCIPAL_KINDS),
  /** The account's present name, the name of a service, or the address that telemetry states; "an erased person". */
  name: z.string(),
  isErased: z.boolean(),
  /** The account of the person is no longer a member of the workspace. */
  hasLeft: z.boolean(),
  /** The principal that this one turned out to be: pages show that one. */
  mergedInto: z.uuid().nullable(),
});
export type PrincipalView = z.infer<typeof principalView>;
export const principalNames = z.array(principalView);

/** A person's row in the list of people. */
export const personRow = principalView.extend({
  /** Agents that work for them now. */
  agents: z.number().int(),
  isReader: z.boolean(),
});
export type PersonRow = z.infer<typeof personRow>;
export const peopleList = z.array(personRow);

/** `me`: the reader. */
export const personById = z.strictObject({ personId: z.union([z.uuid(), z.literal("me")]) });
export type PersonById = z.infer<typeof personById>;
export const personView = personRow.extend({
  /** The principals that were merged into this one. */
  merged: z.array(z.strictObject({ id: z.uuid(), name: z.string() })),
});
export type PersonView = z.infer<typeof personView>;

/** `personId` turned out to be `intoId`. */
export const mergePeople = z.strictObject({ personId: z.uuid(), intoId: z.uuid("Choose the person.") });
export type MergePeople = z.infer<typeof mergePeople>;

export const agentById = z.strictObject({ agentId: z.uuid() });
export const ownerView = z.strictObject({
  owner: principalView.extend({ certainty, source: principalSource, setAt: z.date() }).nullable(),
  /** The people whom telemetry named for the agent's sessions of the last 30 days, the newest first; at most 5. */
  named: z.array(principalView.extend({ sessions: z.number().int(), namedAt: z.date() })),
});
export type OwnerView = z.infer<typeof ownerView>;

/** The people and services that can be chosen as an owner. */
export const ownerChoices = z.strictObject({
  /** Members of the workspace; the first is the reader, if the reader is one. */
  members: z.array(z.strictObject({ accountId: z.uuid(), name: z.string(), isReader: z.boolean() })),
  /** People and services that are known without an account. */
  others: z.array(principalView),
});
export type OwnerChoices = z.infer<typeof ownerChoices>;
