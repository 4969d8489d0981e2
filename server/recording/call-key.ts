/** The name of a request to a model, by which a call that is reported in two ways counts once. */
import { uuidOfText } from "../platform/ids.ts";

/** Longer ids are no ids of ours to compare. */
const REQUEST_ID_CHARACTERS_MAX = 200;

/** The same for every way that this request of this session is reported. */
export const callKeyOf = (sessionId: string, requestId: string): string =>
  uuidOfText(JSON.stringify(["model call", sessionId, requestId]));

/** The key of the call that an input reports; null when it does not identify the request. */
export function callKeyIn(event: string, input: Readonly<Record<string, unknown>>): string | null {
  if (event !== "after_llm_call") return null;
  const { session_id: session, request_id: request } = input;
  if (typeof session !== "string" || typeof request !== "string" || session === "" || request === "") return null;
  return request.length > REQUEST_ID_CHARACTERS_MAX ? null : callKeyOf(session, request);
}
