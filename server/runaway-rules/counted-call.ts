/** Digests of a call for the counters: short, and without any of its text. */
import type { HookInput } from "@quarterdeck/hooks";
import { bindingOf, hasExactNumbers } from "../approvals/index.ts";
import { sha256 } from "../platform/secrets.ts";
import { indexKeyText } from "../recording/index.ts";
import type { CountedCall, ToolOutcome } from "./repository.ts";

interface IdentifiedCall {
  readonly agent: string;
  /** The delivery; null for a call that is only checked. */
  readonly request: string | null;
  /** The gate of the call: each gate counts separately. */
  readonly stage: string;
  readonly input: HookInput;
}

/**
 * Like calls are those of one tool with the same input, without what only comments on it (as approvals
 * bind it). Ids that the client gives are not asked: a constant one would hide every repeat.
 */
export function countedCall({ agent, request, stage, input }: IdentifiedCall): CountedCall {
  const { toolName, inputSha256 } = bindingOf({ ...input, tool_input: canonicalInput(input) });
  const call = [stage, toolName, inputSha256.toString("hex")];
  return {
    agent,
    session: sessionDigest(input),
    call: digest("call", ...call),
    // With the call: an input that a person edited is another one, though it comes with the same delivery.
    request: digest("request", request ?? "", ...call),
    tool: digest("tool", toolName),
  };
}

/** An agent can send 1e999, which RFC 8785 cannot represent. It is counted as null, so that the guard does not fail. */
const canonicalInput = ({ tool_input }: HookInput): HookInput["tool_input"] =>
  hasExactNumbers(tool_input) ? tool_input : JSON.parse(JSON.stringify(tool_input));

export function toolOutcome(agent: string, request: string, input: HookInput): ToolOutcome {
  return {
    agent,
    session: sessionDigest(input),
    request: digest("outcome", request),
    tool: digest("tool", toolNameOf(input)),
    isFailure: input.tool_error === true,
  };
}

export const sessionDigest = ({ session_id }: HookInput): Buffer => sha256(indexKeyText(session_id ?? ""));

/** As decisions store it. */
export const toolNameOf = ({ tool_name }: HookInput): string => indexKeyText(tool_name ?? "");

/** 64 bits, as PostgreSQL's bigint holds them. */
const digest = (...parts: readonly string[]): bigint => sha256(JSON.stringify(parts)).readBigInt64BE(0);
