import { parseExactJson, printExactJson } from "@quarterdeck/hooks/contract/exact-json";
import type { DispatchRecord, RecordedDelivery } from "../recording/index.ts";
import type { StoredHook } from "../recording/schema.ts";
import type { HiddenInput } from "./dispatch-request.ts";

/** The functions that hide secrets: in JSON text, keeping every other character, and in plain text. */
export interface Mask {
  readonly json: (text: string) => string;
  readonly text: (text: string) => string;
  /** Encrypts an answer for the delivery it was given to. */
  readonly seal: (delivery: RecordedDelivery, answer: string) => Buffer;
}

/** The form of a record that is stored. */
export type StoredForm = (record: DispatchRecord, hidden?: HiddenInput) => DispatchRecord;

/**
 * The record as stored, with the secrets masked in the input, the answer, the hooks' output and the reason; the same
 * record if it holds no secret. All derived data is derived from this record. If the sender gave an idempotency key, an
 * answer with a secret is also kept encrypted: a repeated delivery must get the original answer. `hidden` is the input
 * if it was masked before.
 */
export function maskRecord(record: DispatchRecord, mask: Mask, hidden?: HiddenInput): DispatchRecord {
  const inputText = hidden === undefined ? mask.json(record.inputText) : (hidden?.text ?? record.inputText);
  const agentName = mask.text(record.agentName);
  const reason = mask.text(record.reason);
  const hooks = withoutSecrets(record.hooks, mask);
  const answer = withoutSecrets(record.answer, mask);
  const isClean =
    inputText === record.inputText &&
    agentName === record.agentName &&
    reason === record.reason &&
    hooks === record.hooks &&
    answer === record.answer;
  if (isClean) return record;
  const { delivery } = record;
  const sealedAnswer = delivery && answer !== record.answer && mask.seal(delivery, printExactJson(record.answer));
  return {
    ...record,
    ...{ inputText, input: hidden?.input ?? maskedInput(inputText), agentName, reason, hooks, answer },
    ...(sealedAnswer && { delivery: { ...delivery, sealedAnswer } }),
  };
}

/** Hooks as they are stored, without secrets. */
export const maskStoredHooks = (hooks: readonly StoredHook[], mask: Pick<Mask, "json">): readonly StoredHook[] =>
  withoutSecrets(hooks, mask);

// Holds: the text of an input is an object.
const maskedInput = (text: string) => parseExactJson(text) as DispatchRecord["input"];

function withoutSecrets<T extends object>(value: T, mask: Pick<Mask, "json">): T {
  if (Object.keys(value).length === 0) return value;
  const json = printExactJson(value);
  const safe = mask.json(json);
  // Holds: masking keeps the shape of a JSON text.
  return safe === json ? value : (parseExactJson(safe) as T);
}
