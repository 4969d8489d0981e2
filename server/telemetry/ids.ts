/** Ids that every node derives identically: a session is one trace, even if several nodes recorded it. */
import { sha256 } from "../platform/secrets.ts";

const TRACE_HEX = 32;
const SPAN_HEX = 16;
const hex = (parts: readonly string[], length: number): string =>
  sha256(parts.join("\n")).toString("hex").slice(0, length);

/** An event without a session is a trace of its own. */
export const traceIdOf = (workspaceId: string, sessionId: string, dispatchId: string): string =>
  hex(sessionId === "" ? ["dispatch", dispatchId] : ["session", workspaceId, sessionId], TRACE_HEX);

/** The id of the span of the whole session. */
export const rootIdOf = (workspaceId: string, sessionId: string): string =>
  hex(["root", workspaceId, sessionId], SPAN_HEX);

export const spanIdOf = (...parts: readonly string[]): string => hex(["span", ...parts], SPAN_HEX);
