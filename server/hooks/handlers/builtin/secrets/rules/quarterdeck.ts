/** The console's own keys. The second half of an agent's key is 64 hex digits, like a checksum; only its name identifies it. */
import { assignedValueRule, prefixedTokenRule } from "../rule.ts";
import { AN, HEX } from "./shapes.ts";

export const QUARTERDECK = [
  prefixedTokenRule("quarterdeck-agent", ["qd_"], `${AN}{43}(?:_${HEX}{64})?`),
  prefixedTokenRule("quarterdeck-token", ["qds_", "qdj_", "qda_"], `${AN}{43}`),
  assignedValueRule("quarterdeck-answer-key", ["answer-key", "answer_key", "answerkey"], `${HEX}{64}`),
];
