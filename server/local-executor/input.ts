/** The hook input on stdin: bounded, and an object for sure. */

import type { Readable } from "node:stream";
import { findRepeatedKey, repeatedKeyFault, toolNameFault } from "@quarterdeck/hooks/contract/call-text";
import { parseExactJson } from "@quarterdeck/hooks/contract/exact-json";
import { INPUT_BYTES_MAX } from "../access/local-executor-schema.ts";
import { Trouble } from "./errors.ts";

export interface Input {
  readonly text: string;
  readonly value: Readonly<Record<string, unknown>>;
}

/** Errors: a `Trouble` when it is too large or no JSON object. */
export async function readInput(stdin: Readable): Promise<Input> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stdin) {
    const part = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
    bytes += part.length;
    if (bytes > INPUT_BYTES_MAX) throw new Trouble("The hook input on stdin is larger than 4 MiB.");
    chunks.push(part);
  }
  const text = textOf(Buffer.concat(chunks));
  const value = parsed(text);
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    requireOneReading(text, value);
    return { text, value: value as Input["value"] }; // an object has members
  }
  throw new Trouble("The hook input on stdin is not a JSON object.");
}

/** Errors: a `Trouble`, for a call that a rule and the agent could read in two ways. */
function requireOneReading(text: string, value: object): void {
  const key = findRepeatedKey(text);
  if (key !== null) throw new Trouble(repeatedKeyFault(key));
  const fault = "tool_name" in value && typeof value.tool_name === "string" ? toolNameFault(value.tool_name) : null;
  if (fault !== null) throw new Trouble(fault);
}

function textOf(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new Trouble("The hook input on stdin is not UTF-8.");
  }
}

function parsed(text: string): unknown {
  try {
    return parseExactJson(text);
  } catch {
    return undefined;
  }
}
