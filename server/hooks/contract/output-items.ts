/** The output fields that profile 2026-11 added: the transition to another agent, and the items of `instruction_context`. */
import { z } from "zod";

const text = z.string().nullish();
const flag = z.boolean().nullish();

/** A request to hand the run to another agent, as a hook writes it. */
export const transitionOutput = z.looseObject({ action: text, agent: text });

/** A valid transition. */
export interface Transition {
  readonly action: "route";
  readonly agent: string;
}

/** One instruction of the list in `instruction_context`. */
export const instructionItem = z.looseObject({
  path: text,
  key: text,
  group: text,
  label: text,
  content: text,
  changed_content: text,
  removed_content: text,
  removed: flag,
  unavailable: flag,
  complete_group: flag,
  set_marker: flag,
});

const ITEM_FIELDS = Object.keys(instructionItem.shape);

/** An instruction in a Result: the known fields that the hook gave. */
export type Instruction = Readonly<Record<string, string | boolean>>;

/** The item without unknown and absent fields. */
export function instructionOf(item: z.infer<typeof instructionItem>): Instruction {
  const given = ITEM_FIELDS.map((field) => [field, item[field]] as const);
  return Object.fromEntries(
    given.filter((entry): entry is readonly [string, string | boolean] => entry[1] !== undefined && entry[1] !== null),
  );
}

/** The first field of an item or a transition that is not part of the protocol. */
export function unknownItemField(specific: { readonly transition?: unknown; readonly instruction_context?: unknown }) {
  const items = Array.isArray(specific.instruction_context) ? specific.instruction_context : [];
  return (
    keysOf(specific.transition).find((key) => !Object.hasOwn(transitionOutput.shape, key)) ??
    items.flatMap(keysOf).find((key) => !Object.hasOwn(instructionItem.shape, key))
  );
}

const keysOf = (value: unknown): string[] => (typeof value === "object" && value !== null ? Object.keys(value) : []);
