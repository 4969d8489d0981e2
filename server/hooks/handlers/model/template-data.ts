/** The input of a hook as templates see it: a struct with Go's names, types and JSON keys. */
import {
  boolValue,
  bytesOf,
  type Field,
  intValue,
  jsonValue,
  mapValue,
  type Struct,
  stringValue,
  type Value,
} from "@quarterdeck/go-template";
import type { Profile } from "../../contract/events.ts";
import type { HookInput } from "../../contract/input.ts";
import {
  ENDPOINT_FIELDS,
  type FieldType,
  INPUT_FIELDS,
  MESSAGE_FIELDS,
  type TemplateField,
  USAGE_FIELDS,
} from "../../contract/template-fields.ts";

type Read = (json: unknown) => Value;

const text: Read = (json) => stringValue(bytesOf(typeof json === "string" ? json : ""));
const eventType: Read = (json) => stringValue(bytesOf(typeof json === "string" ? json : ""), "hooks.EventType");
const role: Read = (json) => stringValue(bytesOf(typeof json === "string" ? json : ""), "chat.MessageRole");
const whole = (json: unknown) => (typeof json === "number" && Number.isFinite(json) ? Math.trunc(json) : 0);
const int: Read = (json) => intValue(whole(json));
const int64: Read = (json) => intValue(whole(json), "int64");
const bool: Read = (json) => boolValue(json === true);
const texts: Read = (json) => ({
  kind: "slice",
  element: "string",
  items: Array.isArray(json) ? json.map(text) : null,
});
const map: Read = (json) => mapValue(isObject(json) ? json : null);
const cost: Read = (json) => ({
  kind: "pointer",
  to: "float64",
  target: typeof json === "number" ? { kind: "float", value: json } : null,
});
const usage: Read = (json) => ({
  kind: "pointer",
  to: "chat.Usage",
  target: isObject(json) ? struct("chat.Usage", USAGE_FIELDS, json) : null,
});
const messages: Read = (json) => ({
  kind: "slice",
  element: "chat.Message",
  items: Array.isArray(json) ? json.map((one) => struct("chat.Message", MESSAGE_FIELDS, one)) : null,
});
const endpoints: Read = (json) => ({
  kind: "slice",
  element: "hooks.ModelEndpoint",
  items: Array.isArray(json) ? json.map((one) => struct("hooks.ModelEndpoint", ENDPOINT_FIELDS, one)) : null,
});

function isObject(json: unknown): json is object {
  return typeof json === "object" && json !== null && !Array.isArray(json);
}

const READS: Readonly<Record<FieldType, Read>> = {
  text,
  eventType,
  role,
  int,
  int64,
  bool,
  texts,
  map,
  jsonValue,
  cost,
  usage,
  messages,
  endpoints,
};

const INPUT_TYPE = "hooks.Input";

/** The data of a template. Fields are converted when somebody looks at them, once. */
export function templateData(input: HookInput, profile: Profile): Value {
  const rows = INPUT_FIELDS.filter(({ since }) => since === undefined || profile === since);
  return { kind: "pointer", to: INPUT_TYPE, hasToJson: true, target: struct(INPUT_TYPE, rows, input) };
}

function struct(type: string, rows: readonly TemplateField[], json: unknown): Struct {
  const source = isObject(json) ? new Map<string, unknown>(Object.entries(json)) : new Map<string, unknown>();
  const fields = rows.map(({ name, key, type: fieldType, always }): Field => {
    let known: Value | undefined;
    const value = () => {
      known ??= READS[fieldType](source.get(key));
      return known;
    };
    return { name, key, value, ...(always && { always }) };
  });
  return { kind: "struct", type, fields };
}
