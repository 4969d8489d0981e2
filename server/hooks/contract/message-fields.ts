/** The template fields of a message and of its structs, in Go's order. */
import type { TemplateField } from "./template-fields.ts";

export const MESSAGE_FIELDS: readonly TemplateField[] = [
  { name: "Role", key: "role", type: "role", says: "user, assistant, system or tool.", always: true },
  { name: "Content", key: "content", type: "text", says: "The text.", always: true },
  { name: "MultiContent", key: "multi_content", type: "parts", says: "The parts of a message that is more than text." },
  { name: "ReasoningContent", key: "reasoning_content", type: "text", says: "The reasoning of the model." },
  { name: "ThinkingSignature", key: "thinking_signature", type: "text", says: "The signature of the reasoning." },
  { name: "ThoughtSignature", key: "thought_signature", type: "bytes", says: "The signature of a thought, as bytes." },
  { name: "FunctionCall", key: "function_call", type: "functionCallPointer", says: "The call in the older form." },
  { name: "ToolCalls", key: "tool_calls", type: "toolCalls", says: "The tool calls that the model asks for." },
  { name: "ToolDefinitions", key: "tool_definitions", type: "tools", says: "The definitions of the called tools." },
  { name: "ToolCallID", key: "tool_call_id", type: "text", says: "The call that a tool's message answers." },
  { name: "IsError", key: "is_error", type: "bool", says: "True if the tool failed." },
  { name: "CreatedAt", key: "created_at", type: "text", says: "The time of the message." },
  { name: "Usage", key: "usage", type: "usage", says: "The tokens of the model call." },
  { name: "Model", key: "model", type: "text", says: "The model that wrote the message." },
  { name: "Cost", key: "cost", type: "float", says: "The cost in US dollars." },
  { name: "FinishReason", key: "finish_reason", type: "finishReason", says: "stop, tool_calls or length." },
  { name: "CacheControl", key: "cache_control", type: "bool", says: "True at a checkpoint of the prompt cache." },
];

export const PART_FIELDS: readonly TemplateField[] = [
  { name: "Type", key: "type", type: "partType", says: "text, image_url, file or document." },
  { name: "Text", key: "text", type: "text", says: "The text." },
  { name: "ImageURL", key: "image_url", type: "imageUrl", says: "The image." },
  { name: "File", key: "file", type: "file", says: "The file." },
  { name: "Document", key: "document", type: "document", says: "The document." },
];

export const IMAGE_FIELDS: readonly TemplateField[] = [
  { name: "URL", key: "url", type: "text", says: "The address or the data." },
  { name: "Detail", key: "detail", type: "imageDetail", says: "high, low or auto." },
];

export const FILE_FIELDS: readonly TemplateField[] = [
  { name: "Path", key: "path", type: "text", says: "The path." },
  { name: "FileID", key: "file_id", type: "text", says: "The id at the provider." },
  { name: "MimeType", key: "mime_type", type: "text", says: "The media type." },
];

export const DOCUMENT_FIELDS: readonly TemplateField[] = [
  { name: "Name", key: "name", type: "text", says: "The name.", always: true },
  { name: "MimeType", key: "mime_type", type: "text", says: "The media type.", always: true },
  { name: "Size", key: "size", type: "int64", says: "The size in bytes." },
  { name: "Source", key: "source", type: "documentSource", says: "The content.", always: true },
];

export const DOCUMENT_SOURCE_FIELDS: readonly TemplateField[] = [
  { name: "InlineText", key: "inline_text", type: "text", says: "The text." },
  { name: "InlineData", key: "inline_data", type: "bytes", says: "The bytes." },
];

export const TOOL_CALL_FIELDS: readonly TemplateField[] = [
  { name: "ID", key: "id", type: "text", says: "The id of the call." },
  { name: "Type", key: "type", type: "toolType", says: "function.", always: true },
  { name: "Function", key: "function", type: "functionCall", says: "The tool and its arguments.", always: true },
];

export const FUNCTION_CALL_FIELDS: readonly TemplateField[] = [
  { name: "Name", key: "name", type: "text", says: "The tool." },
  { name: "Arguments", key: "arguments", type: "text", says: "The arguments as JSON text." },
];

export const TOOL_FIELDS: readonly TemplateField[] = [
  { name: "Name", key: "name", type: "text", says: "The name.", always: true },
  { name: "Category", key: "category", type: "text", says: "The category.", always: true },
  { name: "Description", key: "description", type: "text", says: "The description." },
  { name: "Parameters", key: "parameters", type: "jsonValue", says: "The schema of the arguments.", always: true },
  { name: "Annotations", key: "annotations", type: "annotations", says: "The tool's own hints.", always: true },
  { name: "OutputSchema", key: "outputSchema", type: "jsonValue", says: "The schema of the answer.", always: true },
];

export const ANNOTATION_FIELDS: readonly TemplateField[] = [
  { name: "DestructiveHint", key: "destructiveHint", type: "boolPointer", says: "True if it may destroy." },
  { name: "IdempotentHint", key: "idempotentHint", type: "bool", says: "True if a repeated call changes nothing." },
  { name: "OpenWorldHint", key: "openWorldHint", type: "boolPointer", says: "True if it reaches outside." },
  { name: "ReadOnlyHint", key: "readOnlyHint", type: "bool", says: "True if it only reads." },
  { name: "Title", key: "title", type: "text", says: "The title." },
];
