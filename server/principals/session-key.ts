/** A session as the store of its person names it: a secret in its id is hidden, as in the record. */
import { redactText } from "@quarterdeck/hooks";
import { indexKeyText } from "../recording/index.ts";

export const sessionKey = (sessionId: unknown): string => indexKeyText(redactText(String(sessionId)));
