/** Logins of machines by RFC 8628: inputs and views. */
import { z } from "zod";
import { certainty, principalSource } from "../access/principal-schema.ts";
import { PRINCIPAL_KINDS } from "../principals/schema.ts";

export const LOGIN_LIMITS = {
  minutes: 10,
  /** Seconds between two questions of a machine, at first, and after it asked too soon again and again. */
  intervalSeconds: 5,
  intervalSecondsMax: 60,
  /** In ten minutes: of one agent, of one workspace, and from one address. */
  perAgent: 10,
  perWorkspace: 1_000,
  perAddress: 60,
  /** Wrong codes of one person in ten minutes. */
  wrongCodes: 10,
} as const;

/** Letters without look-alikes and without vowels, so that no code is a word (RFC 8628, section 6.1). */
export const CODE_LETTERS = "BCDFGHJKLMNPQRSTVWXZ";
export const CODE_LENGTH = 8;
const CODE = new RegExp(`^[${CODE_LETTERS}]{${CODE_LENGTH}}$`);

/** A code as a person types it: the case, spaces and dashes do not matter. */
export const userCode = z
  .string()
  .max(40, "A code has eight letters.")
  .transform((text) => text.toUpperCase().replace(/[^A-Z0-9]/g, ""))
  .refine((text) => CODE.test(text), "A code has eight letters, like BCDF-GHJK.");
export const byUserCode = z.strictObject({ userCode });
export type ByUserCode = z.infer<typeof byUserCode>;

export const shownCode = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`;

/** The body of `POST /api/v1/login`. */
export const loginRequest = z.strictObject({
  /** The machine's name, as it states it. */
  host_name: z
    .string()
    .regex(/^[A-Za-z0-9._-]{1,253}$/, "A host name of at most 253 letters, digits, dots and dashes."),
});
export type LoginRequest = z.infer<typeof loginRequest>;

/** The device authorization response of RFC 8628. */
export const deviceCodeView = z.strictObject({
  device_code: z.string(),
  user_code: z.string(),
  verification_uri: z.string(),
  /** Seconds. */
  expires_in: z.int(),
  /** Seconds. */
  interval: z.int(),
  agent: z.string(),
  workspace: z.string(),
});
export type DeviceCodeView = z.infer<typeof deviceCodeView>;

/** The body of `POST /api/v1/login/result`. */
export const resultRequest = z.strictObject({ device_code: z.string().regex(/^[0-9A-Za-z]{43}$/, "No device code.") });
export type ResultRequest = z.infer<typeof resultRequest>;

const person = z.strictObject({ kind: z.enum(PRINCIPAL_KINDS), name: z.string() });
/** The machine's agent, and the person or service that it works for; null: unknown. */
export const agentOwnerView = z.strictObject({
  agent: z.string(),
  owner: person.extend({ certainty, source: principalSource }).nullable(),
});
export type AgentOwnerView = z.infer<typeof agentOwnerView>;

/** `replaced`: the person or service that the agent worked for before; null without another one. */
export const loginResult = agentOwnerView.extend({ replaced: person.nullable() });
export type LoginResult = z.infer<typeof loginResult>;

/** `ended`: the person who was logged in; null without a login. */
export const logoutResult = agentOwnerView.extend({ ended: person.nullable() });
export type LogoutResult = z.infer<typeof logoutResult>;

/** A login that waits, as the person sees it who may confirm it. */
export const waitingLogin = z.strictObject({
  code: z.string(),
  agentId: z.uuid(),
  agentName: z.string(),
  /** As the machine states it. */
  hostName: z.string(),
  ip: z.string().nullable(),
  askedAt: z.date(),
  expiresAt: z.date(),
  owner: person.extend({ certainty, isReader: z.boolean() }).nullable(),
  /**
   * The reason why the person cannot confirm; null without one. `shared_agent`: the agent of a service, without the
   * permission to manage agents. `policies`: the agent would lose policies, without the permission to publish.
   */
  obstacle: z.enum(["shared_agent", "policies"]).nullable(),
});
export type WaitingLogin = z.infer<typeof waitingLogin>;

export const confirmedLogin = z.strictObject({ agentId: z.uuid(), agentName: z.string(), replaced: person.nullable() });
export type ConfirmedLogin = z.infer<typeof confirmedLogin>;
