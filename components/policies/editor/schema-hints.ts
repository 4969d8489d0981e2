/** The keys and values for a place of a policy, with their meaning: read from the contracts and the hooks schema. */

import { contractOf, isEventName, PROFILES, type Profile } from "@quarterdeck/hooks/contract/events";
import { hooksJsonSchema } from "@quarterdeck/hooks/contract/json-schema";
import { FLAG_MEANINGS, PROGRAM_NAMES } from "@quarterdeck/hooks/contract/rules/program-names";
import type { Step, YamlPosition } from "@/components/policies/editor/yaml-position";

export interface Hint {
  readonly label: string;
  /** A few words right of the label. */
  readonly detail?: string;
  readonly info?: string;
  /** The text that is inserted; `label` when absent. */
  readonly insert?: string;
}

interface Schema {
  readonly description?: string;
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly examples?: readonly unknown[];
  readonly default?: unknown;
  readonly minimum?: number;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly const?: unknown;
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
}

/** The profile a text names; the oldest one by default. */
export function profileOf(text: string): Profile {
  const stated = /^profile:\s*["']?([\w-]+)/m.exec(text)?.[1];
  return PROFILES.find((profile) => profile === stated) ?? PROFILES[0];
}

const root = (profile: Profile): Schema => ({
  properties: {
    profile: {
      description: "The version of docker-agent's hook rules that these hooks follow, as a date.",
      enum: [...PROFILES],
      default: PROFILES[0],
    },
    // Holds: this interface describes the parts of a JSON schema that are read.
    hooks: { description: "Hooks by event.", ...(hooksJsonSchema(profile) as Schema) },
  },
});

/** Suggestions for a place, without the keys that are already there. */
export function hintsAt(place: YamlPosition, profile: Profile, taken: ReadonlySet<string>): Hint[] {
  if (place.writing === "text") return [];
  const around = schemaAt(place.path, profile);
  if (!around) return [];
  const fields = listless(around).properties;
  if (place.writing === "value") return [...nameHints(fields, place.key), ...valueHints(fields?.[place.key])];
  // An item of a list of words.
  if (!fields) return valueHints(around);
  const keys = Object.entries(fields).filter(([key]) => !taken.has(key));
  return keys.map(([key, schema]) => keyHint(key, schema, place, profile));
}

/** The meaning of a key, as lines without Markdown: the first is the description, the others its allowed values. */
export function meaningOf(path: readonly Step[], profile: Profile): string[] | null {
  const key = path.at(-1) ?? "";
  const around = schemaAt(path.slice(0, -1), profile);
  const schema = around ? listless(around).properties?.[key] : undefined;
  if (!schema) return null;
  const facts = isEventAt(path, profile) ? eventFacts(key, profile) : valueFacts(schema);
  return [schema.description ?? key, ...facts];
}

function schemaAt(path: readonly Step[], profile: Profile): Schema | null {
  // A block without `hooks:` on top begins with its events.
  const isBare = path.length > 0 && path[0] !== "hooks" && path[0] !== "profile";
  let schema: Schema | undefined = root(profile);
  for (const step of isBare ? ["hooks", ...path] : path) {
    const below: Schema | undefined = step === "[]" ? listOf(schema).items : listless(schema).properties?.[step];
    if (!below) return null;
    schema = resolved(below, profile);
  }
  return schema;
}

/** The schema of a reference, with the description from the place of use. */
function resolved(schema: Schema, profile: Profile): Schema {
  const name = schema.$ref?.replace("#/$defs/", "");
  if (name === undefined) return schema;
  const { $defs } = hooksJsonSchema(profile) as Schema; // holds: as in `root`
  return { ...$defs?.[name], ...(schema.description !== undefined && { description: schema.description }) };
}

/** A single mapping is allowed in place of a list: the schema holds both as alternatives. */
const listOf = (schema: Schema): Schema => schema.anyOf?.find((one) => one.items) ?? schema;
const listless = (schema: Schema): Schema => schema.anyOf?.find((one) => one.properties) ?? schema;

function isEventAt(path: readonly Step[], profile: Profile): boolean {
  const key = path.at(-1) ?? "";
  return path.length <= 2 && isEventName(key, profile);
}

function keyHint(key: string, schema: Schema, place: YamlPosition, profile: Profile): Hint {
  const info = schema.description ? { info: schema.description } : {};
  const holds = holdsOf(schema);
  if (place.isFlow) return { label: key, detail: holds, ...info, insert: `${key}: ` };
  const below = "\n".padEnd(place.from + 3);
  const isEvent = isEventAt([...place.path, key], profile);
  if (isEvent) {
    const contract = contractOf(key as Parameters<typeof contractOf>[0], profile); // holds: isEventAt asked isEventName
    const entry = contract.matchesTools
      ? `${below}- matcher: "*"${below}  hooks:${below}    - type: command${below}      command: `
      : `${below}- type: command${below}  command: `;
    const facts = eventFacts(key, profile);
    return {
      label: key,
      detail: contract.canBlock ? "can block" : contract.addsContext ? "adds context" : "observes",
      info: [schema.description ?? "", ...facts].join("\n"),
      insert: `${key}:${entry}`,
    };
  }
  const insert = holds === "list" ? `${key}:${below}- ` : holds === "mapping" ? `${key}:${below}` : `${key}: `;
  return { label: key, detail: holds, ...info, insert };
}

/** Words and numbers may be one or a list: they are written on the line. */
function holdsOf(schema: Schema): string {
  if (schema.$ref === "#/$defs/condition" || schema.type === "object") return "mapping";
  const isText = (one: Schema) => one.type === "string" || one.enum !== undefined || one.const !== undefined;
  if (schema.anyOf?.some(isText)) return "text or list";
  return listOf(schema).type === "array" || schema.$ref ? "list" : (schema.enum?.join(" | ") ?? schema.type ?? "");
}

/** Names that the reader of commands knows. Others may be written, too. */
function nameHints(fields: Schema["properties"], key: string): Hint[] {
  if (!fields?.program || !fields.without_flags) return [];
  if (key === "program") return PROGRAM_NAMES.map((label) => ({ label }));
  return key === "flags" || key === "without_flags" ? FLAG_MEANINGS.map((label) => ({ label })) : [];
}

function valueHints(schema: Schema | undefined): Hint[] {
  if (!schema) return [];
  const asText = (value: unknown) => (/^[\w./-]+$/.test(String(value)) ? String(value) : JSON.stringify(value));
  const words = wordsOf(schema);
  if (words.length > 0) return words.map((value) => ({ label: String(value), insert: quotedDate(asText(value)) }));
  if (schema.type === "boolean") return [{ label: "true" }, { label: "false" }];
  const values = [...(schema.examples ?? []), ...(schema.default === undefined ? [] : [schema.default])];
  return values.map((value) => ({ label: asText(value), detail: value === schema.default ? "default" : "example" }));
}

/** The words of a value, or of the items of a list of values. */
function wordsOf(schema: Schema): readonly unknown[] {
  if (schema.enum) return schema.enum;
  if (schema.const !== undefined) return [schema.const];
  const found = [...(schema.anyOf ?? []), ...(schema.items ? [schema.items] : [])].flatMap((one) => wordsOf(one));
  return [...new Set(found)];
}

/** Some readers take a bare 2026-07 for a date. */
const quotedDate = (text: string): string => (/^\d{4}-\d{2}$/.test(text) ? `"${text}"` : text);

function valueFacts(schema: Schema): string[] {
  return [
    ...(wordsOf(schema).length > 0 ? [`One of ${wordsOf(schema).join(", ")}.`] : []),
    ...(schema.default === undefined ? [] : [`Default: ${String(schema.default)}.`]),
    ...(schema.examples ? [`For example ${schema.examples.join(" or ")}.`] : []),
  ];
}

function eventFacts(event: string, profile: Profile): string[] {
  if (!isEventName(event, profile)) return [];
  const contract = contractOf(event, profile);
  const rewrites = { nothing: "", tool_input: "the arguments", messages: "the messages", tool_response: "the answer" };
  const may = [
    contract.canBlock ? "block the action" : "",
    contract.decides ? "allow, ask or deny" : contract.approves ? "answer for the person" : "",
    contract.rewrites === "nothing" ? "" : `replace ${rewrites[contract.rewrites]}`,
    contract.addsContext ? "add context" : "",
    contract.suppliesSummary ? "supply the summary" : "",
  ].filter(Boolean);
  return [
    may.length > 0
      ? `A hook on this event may ${may.join(", ")}.`
      : "Hooks on this event only observe. Their answers have no effect.",
    contract.failsClosed ? "A hook that fails denies the action." : "",
    contract.matchesTools ? "Each entry selects its tools with a matcher." : "",
  ].filter(Boolean);
}
