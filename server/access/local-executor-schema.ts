/** The words that the local executor and the console share. No zod here: the executor starts without it. */

/** A policy with each hook's origin. The version is part of the name. */
export const EXECUTOR_POLICY_TYPE = "application/vnd.quarterdeck.policy.v2+json";
/** A hook input with what was decided beside the agent: `{"input": {...}, "local": {...}}`. */
export const LOCAL_DISPATCH_TYPE = "application/vnd.quarterdeck.dispatch.v1+json";

/** The largest hook input that is taken. */
export const INPUT_BYTES_MAX = 4 * 1024 * 1024;
/** The most that may travel around an input in one body: its id, its time, and what the hooks of the machine said. */
export const ENVELOPE_OVERHEAD_BYTES_MAX = 512 * 1024;

/** A well-formed `Quarterdeck-Executor`: the id, or none where the executor can keep none. */
export const EXECUTOR_STATED = /^id=([0-9a-f]{16})?$/;

/** The `typ` of the JSON Web Token (RFC 7519, EdDSA) that travels with a policy in `Quarterdeck-Attestation`. */
export const ATTESTATION_TYPE = "quarterdeck-policy+jwt";

/** The claims of that token: which policy holds for whom, as of when. */
export interface PolicyAttestation {
  readonly iss: "quarterdeck";
  /** The agent's id. */
  readonly sub: string;
  readonly workspace: string;
  /** The fingerprint of the key that asked; "" when there was none. */
  readonly key: string;
  /** The request's `Quarterdeck-Nonce`; "" when it had none. */
  readonly nonce: string;
  /** Seconds since 1970. */
  readonly iat: number;
  readonly exp: number;
  /** Rises with every change of what is in force in the workspace. */
  readonly sequence: number;
  readonly revision: string;
  /** Of the policy's exact bytes: of the body, or of the one that a 304 stands for. */
  readonly sha256: string;
}
