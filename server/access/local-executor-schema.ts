/** Constants and types shared by the local executor and the console. No zod here: the executor starts without it. */

/** A policy with each hook's origin. The version is part of the name. */
export const EXECUTOR_POLICY_TYPE = "application/vnd.quarterdeck.policy.v2+json";
/** A hook input with the local executor's decision: `{"input": {...}, "local": {...}}`. */
export const LOCAL_DISPATCH_TYPE = "application/vnd.quarterdeck.dispatch.v1+json";

/** The largest hook input that is taken. */
export const INPUT_BYTES_MAX = 4 * 1024 * 1024;
/** The maximum size of the envelope around an input: its id, its time, and the results of local hooks. */
export const ENVELOPE_OVERHEAD_BYTES_MAX = 512 * 1024;

/** A well-formed `Quarterdeck-Executor`: the id, or none where the executor can keep none. */
export const EXECUTOR_STATED = /^id=([0-9a-f]{16})?$/;

/** The `typ` of the JSON Web Token (RFC 7519, EdDSA) that travels with a policy in `Quarterdeck-Attestation`. */
export const ATTESTATION_TYPE = "quarterdeck-policy+jwt";

/** The claims of that token: the agent, its policy revision, and the time. */
export interface PolicyAttestation {
  readonly iss: "quarterdeck";
  /** The agent's id. */
  readonly sub: string;
  readonly workspace: string;
  /** The fingerprint of the key in the request; "" when there was no key. */
  readonly key: string;
  /** The request's `Quarterdeck-Nonce`; "" when it had none. */
  readonly nonce: string;
  /** Seconds since 1970. */
  readonly iat: number;
  readonly exp: number;
  /** Increases with every change of policies in force in the workspace. */
  readonly sequence: number;
  readonly revision: string;
  /** SHA-256 of the policy's exact bytes: of the body, or of the body that a 304 refers to. */
  readonly sha256: string;
}
