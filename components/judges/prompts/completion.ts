/** The offers at a place of a template: fields of the event's input with their types, functions, words. Pure. */

import { FUNCTION_WORDS } from "@quarterdeck/go-template/syntax/functions";
import type { EventName } from "@quarterdeck/hooks/contract/events";
import { MESSAGE_FIELDS } from "@quarterdeck/hooks/contract/message-fields";
import {
  ENDPOINT_FIELDS,
  FIELD_TYPES,
  fieldsOn,
  INPUT_FIELDS,
  type TemplateField,
  USAGE_FIELDS,
} from "@quarterdeck/hooks/contract/template-fields";

export interface Offer {
  readonly label: string;
  /** Its type, or its parameters. */
  readonly detail: string;
  readonly info: string;
}
export interface Offers {
  /** The start of the replaced text. */
  readonly from: number;
  readonly offers: readonly Offer[];
}

const WORDS: readonly Offer[] = [
  { label: "if", detail: "condition", info: "Renders the block if the condition is not empty." },
  { label: "else", detail: "", info: "Renders the block if the condition is empty." },
  { label: "end", detail: "", info: "Ends a block of if, range or with." },
  { label: "range", detail: "list", info: "Renders the block once for each element of the list." },
  {
    label: "with",
    detail: "value",
    info: "Renders the block if the value is not empty. Inside the block, “.” is the value.",
  },
];
const FUNCTIONS: readonly Offer[] = Object.entries(FUNCTION_WORDS).map(([label, { takes, says }]) => ({
  label,
  detail: takes,
  info: says,
}));
const INSIDE: Readonly<Record<string, readonly TemplateField[]>> = {
  Usage: USAGE_FIELDS,
  Messages: MESSAGE_FIELDS,
  FromAgentModels: ENDPOINT_FIELDS,
};

/** Null outside of an action, inside a text literal, and where nothing fits. `before` is the text up to the cursor. */
export function listCompletionsAt(
  before: string,
  event: EventName,
  keys: readonly { readonly name: string; readonly type: string }[],
): Offers | null {
  const opened = before.lastIndexOf("{{");
  if (opened === -1 || before.indexOf("}}", opened) !== -1) return null;
  const action = before.slice(opened + 2);
  if (isInText(action)) return null;
  const [path] = /(?:\$?\.[\w.]*)$/.exec(action) ?? [];
  if (path !== undefined) {
    const steps = path.replace(/^\$/, "").slice(1).split(".");
    const typed = steps.pop() ?? "";
    return given(before.length - typed.length, fieldOffers(steps, event, keys));
  }
  const [word = ""] = /\w*$/.exec(action) ?? [];
  const dotted = fieldOffers([], event, keys).map((offer) => ({ ...offer, label: `.${offer.label}` }));
  return given(before.length - word.length, [...dotted, ...FUNCTIONS, ...WORDS]);
}

const given = (from: number, offers: readonly Offer[]): Offers | null =>
  offers.length === 0 ? null : { from, offers };

function isInText(action: string): boolean {
  const bare = action.replace(/"(?:[^"\\\n]|\\.)*"|`[^`]*`/g, "");
  return /["`]/.test(bare);
}

function fieldOffers(
  steps: readonly string[],
  event: EventName,
  keys: readonly { readonly name: string; readonly type: string }[],
): Offer[] {
  const [first, ...deeper] = steps;
  if (first === undefined) return fieldsOn(event).map(offerOf);
  if (deeper.length > 0) return [];
  // A key that is no word is had by index, not by a dot.
  if (first === "ToolInput")
    return keys
      .filter(({ name }) => /^[A-Za-z_]\w*$/.test(name))
      .map(({ name, type }) => ({ label: name, detail: type, info: "A tool argument that recorded calls contain." }));
  return (INSIDE[first] ?? []).map(offerOf);
}

const offerOf = ({ name, type, says, since }: TemplateField): Offer => ({
  label: name,
  detail: FIELD_TYPES[type],
  info: since ? `${says} Requires profile: ${since}.` : says,
});

/** The meaning of a field, by its name; null for an unknown one. */
export const meaningOfField = (name: string): Offer | null => {
  const field = INPUT_FIELDS.find((one) => one.name === name);
  return field ? offerOf(field) : null;
};
