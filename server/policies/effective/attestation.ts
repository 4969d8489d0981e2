/**
 * The signed statement that is sent with a policy: the hash of its bytes, the agent and the key, the time and the
 * sequence number. The body's own signature covers none of that, so an old policy or another agent's would be accepted
 * as the one in force.
 */
import { sign } from "node:crypto";
import type { AgentActor } from "../../access/actor.ts";
import { ATTESTATION_TYPE, type PolicyAttestation } from "../../access/local-executor-schema.ts";
import { AppError } from "../../errors/app-error.ts";
import type { Secrets } from "../../platform/secrets.ts";

/** No machine uses a policy longer than this without an answer from the console, whatever its own setting. */
const VALID_SECONDS = 30 * 86_400;
const NONCE = /^[A-Za-z0-9_-]{16,64}$/;

export interface Attested {
  readonly sequence: number;
  readonly revision: string;
  readonly sha256: string;
  readonly nonce: string;
  readonly nowMs: number;
}

/** Signs a compact JSON Web Token for `actor`. */
export function attest(
  { signingKey, signingKeyId }: Pick<Secrets, "signingKey" | "signingKeyId">,
  { id, workspaceId, keyFingerprint = "" }: AgentActor,
  { sequence, revision, sha256, nonce, nowMs }: Attested,
): string {
  const iat = nowMs / 1_000;
  const claims: PolicyAttestation = {
    ...{ iss: "quarterdeck", sub: id, workspace: workspaceId, key: keyFingerprint, nonce },
    ...{ iat, exp: iat + VALID_SECONDS, sequence, revision, sha256 },
  };
  const head = encoded({ alg: "EdDSA", typ: ATTESTATION_TYPE, kid: signingKeyId });
  const signed = `${head}.${encoded(claims)}`;
  return `${signed}.${sign(null, Buffer.from(signed), signingKey).toString("base64url")}`;
}

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");

/** "" without a nonce. Errors: `invalid_input`. */
export function readNonce(stated: string | undefined): string {
  if (stated === undefined || NONCE.test(stated)) return stated ?? "";
  const says = "Quarterdeck-Nonce has 16 to 64 letters, digits, - and _.";
  throw new AppError("invalid_input", undefined, { says });
}

/** The newest sequence number that the client has seen; 0 if it sends none. Errors: `invalid_input`. */
export function readSequence(stated: string | undefined): number {
  if (stated === undefined) return 0;
  if (/^\d{1,15}$/.test(stated)) return Number(stated);
  throw new AppError("invalid_input", undefined, { says: "Quarterdeck-Sequence is a whole number." });
}
