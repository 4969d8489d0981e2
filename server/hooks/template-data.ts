/** A hook's input in the form that templates use: a struct with Go's names, types and JSON keys. */
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
import type { Profile } from "./contract/events.ts";
import type { HookInput } from "./contract/input.ts";
import {
  ANNOTATION_FIELDS,
  DOCUMENT_FIELDS,
  DOCUMENT_SOURCE_FIELDS,
  FILE_FIELDS,
  FUNCTION_CALL_FIELDS,
  IMAGE_FIELDS,
  MESSAGE_FIELDS,
  PART_FIELDS,
  TOOL_CALL_FIELDS,
  TOOL_FIELDS,
} from "./contract/message-fields.ts";
import { PROFILES } from "./contract/profiles.ts";
import {
  CONVERSATION_FIELDS,
  ENDPOINT_FIELDS,
  type FieldType,
  INPUT_FIELDS,
  PROMPT_FILE_FIELDS,
  SKILL_FIELDS,
  type TemplateField,
  USAGE_FIELDS,
} from "./contract/template-fields.ts";

type Read = (json: unknown) => Value;

const named =
  (type?: string): Read =>
  (json) =>
    stringValue(bytesOf(typeof json === "string" ? json : ""), type);
const whole = (json: unknown) => (typeof json === "number" && Number.isFinite(json) ? Math.trunc(json) : 0);
const float: Read = (json) => ({ kind: "float", value: typeof json === "number" ? json : 0 });
const bool: Read = (json) => boolValue(json === true);

const sliceOf =
  (element: string, read: Read): Read =>
  (json) => ({ kind: "slice", element, items: Array.isArray(json) ? json.map((one) => read(one)) : null });
const pointerTo =
  (to: string, isThere: (json: unknown) => boolean, read: Read): Read =>
  (json) => ({ kind: "pointer", to, target: isThere(json) ? read(json) : null });
const structOf =
  (type: string, rows: readonly TemplateField[]): Read =>
  (json) =>
    struct(type, rows, json);
const structs = (type: string, rows: readonly TemplateField[]): Read => sliceOf(type, structOf(type, rows));
const structPointer = (type: string, rows: readonly TemplateField[]): Read =>
  pointerTo(type, isObject, structOf(type, rows));

/** Go sends bytes as base64. */
function bytes(json: unknown): Value {
  try {
    return { kind: "bytes", text: typeof json === "string" ? atob(json) : "" };
  } catch {
    return { kind: "bytes", text: "" };
  }
}

function isObject(json: unknown): json is object {
  return typeof json === "object" && json !== null && !Array.isArray(json);
}

const READS: Readonly<Record<FieldType, Read>> = {
  text: named(),
  eventType: named("hooks.EventType"),
  role: named("chat.MessageRole"),
  finishReason: named("chat.FinishReason"),
  partType: named("chat.MessagePartType"),
  imageDetail: named("chat.ImageURLDetail"),
  toolType: named("tools.ToolType"),
  int: (json) => intValue(whole(json)),
  int64: (json) => intValue(whole(json), "int64"),
  float,
  bool,
  bytes,
  boolPointer: pointerTo("bool", (json) => typeof json === "boolean", bool),
  cost: pointerTo("float64", (json) => typeof json === "number", float),
  texts: sliceOf("string", named()),
  map: (json) => mapValue(isObject(json) ? json : null),
  jsonValue,
  usage: structPointer("chat.Usage", USAGE_FIELDS),
  messages: structs("chat.Message", MESSAGE_FIELDS),
  parts: structs("chat.MessagePart", PART_FIELDS),
  imageUrl: structPointer("chat.MessageImageURL", IMAGE_FIELDS),
  file: structPointer("chat.MessageFile", FILE_FIELDS),
  document: structPointer("chat.Document", DOCUMENT_FIELDS),
  documentSource: structOf("chat.DocumentSource", DOCUMENT_SOURCE_FIELDS),
  functionCall: structOf("tools.FunctionCall", FUNCTION_CALL_FIELDS),
  functionCallPointer: structPointer("tools.FunctionCall", FUNCTION_CALL_FIELDS),
  toolCalls: structs("tools.ToolCall", TOOL_CALL_FIELDS),
  tools: structs("tools.Tool", TOOL_FIELDS),
  annotations: structOf("tools.ToolAnnotations", ANNOTATION_FIELDS),
  promptFile: structPointer("hooks.PromptFile", PROMPT_FILE_FIELDS),
  skill: structPointer("hooks.Skill", SKILL_FIELDS),
  conversation: structs("hooks.ConversationMessage", CONVERSATION_FIELDS),
  endpoints: structs("hooks.ModelEndpoint", ENDPOINT_FIELDS),
};

const INPUT_TYPE = "hooks.Input";

/** The data of a template. Each field is converted once, on first access. */
export function templateData(input: HookInput, profile: Profile): Value {
  const rows = INPUT_FIELDS.filter(
    ({ since }) => since === undefined || PROFILES.indexOf(profile) >= PROFILES.indexOf(since),
  );
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
