import type { MaskedCall, MaskedShape, MaskedTexts, MaskHits, Masking } from "@quarterdeck/hooks";
import { parseExactJson, printExactJson } from "@quarterdeck/hooks/contract/exact-json";
import type { DispatchRecord, RecordedDelivery } from "../recording/index.ts";
import type { StoredHook } from "../recording/schema.ts";
import type { HiddenInput, OwnMasked } from "./dispatch-request.ts";

/** The input of a request as it was masked where it was read: without secrets, or as it is stored. */
export interface MaskedAlready {
  readonly hidden?: HiddenInput;
  readonly ownMasked?: OwnMasked;
}

/** The form of a record that is stored. */
export type StoredForm = (record: DispatchRecord, already: MaskedAlready) => DispatchRecord;

export interface RecordMask {
  readonly masking: MaskedTexts;
  /** Hides secrets in a name. A name is kept by own masking: figures and rules are by name. */
  readonly name: (text: string) => string;
  /** Encrypts an answer for the delivery it was given to. */
  readonly seal: (delivery: RecordedDelivery, answer: string) => Buffer;
  /** Counts what the workspace's own masking takes away. */
  readonly hits: MaskHits;
}

/**
 * The record as stored, masked in the input, the answer, the hooks' output and the reason; the same record if there is nothing to
 * mask. All derived data is derived from this record. If the sender gave an idempotency key, an answer that is masked is also kept
 * encrypted: a repeated delivery must get the original answer. `hidden` is the input if it was masked before.
 */
export function maskRecord(
  record: DispatchRecord,
  { masking, name, seal, hits }: RecordMask,
  hidden: HiddenInput | undefined,
): DispatchRecord {
  const call = callOf(record);
  const inputText =
    hidden === undefined ? masking.json(record.inputText, "input", call, hits) : (hidden?.text ?? record.inputText);
  const agentName = name(record.agentName);
  const reason = masking.text(record.reason, call, hits);
  const hooks = maskedValue(record.hooks, "hooks", call, masking);
  const answer = maskedValue(record.answer, "answer", call, masking);
  const isClean =
    inputText === record.inputText &&
    agentName === record.agentName &&
    reason === record.reason &&
    hooks === record.hooks &&
    answer === record.answer;
  if (isClean) return record;
  const { delivery } = record;
  const sealedAnswer = delivery && answer !== record.answer && seal(delivery, printExactJson(record.answer));
  return {
    ...record,
    ...{ inputText, input: hidden?.input ?? maskedInput(inputText), agentName, reason, hooks, answer },
    ...(sealedAnswer && { delivery: { ...delivery, sealedAnswer } }),
  };
}

/** The call of a record, with what hooks made of it. */
function callOf({ input, answer }: DispatchRecord): MaskedCall {
  const specific = answer.hook_specific_output;
  if (typeof specific !== "object" || specific === null) return input;
  const [updated_input, updated_tool_response]: unknown[] = [
    Reflect.get(specific, "updated_input"),
    Reflect.get(specific, "updated_tool_response"),
  ];
  return { ...input, updated_input, updated_tool_response };
}

/** Hooks as they are stored, masked. */
export const maskStoredHooks = (
  hooks: readonly StoredHook[],
  call: MaskedCall,
  masking: Pick<Masking, "json">,
): readonly StoredHook[] => maskedValue(hooks, "hooks", call, masking);

// Holds: the text of an input is an object.
const maskedInput = (text: string) => parseExactJson(text) as DispatchRecord["input"];

function maskedValue<T extends object>(
  value: T,
  shape: MaskedShape,
  call: MaskedCall,
  masking: Pick<Masking, "json">,
): T {
  if (Object.keys(value).length === 0) return value;
  const json = printExactJson(value);
  const safe = masking.json(json, shape, call);
  // Holds: masking keeps the shape of a JSON text.
  return safe === json ? value : (parseExactJson(safe) as T);
}
