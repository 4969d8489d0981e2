/** A tool's result as the text that native hooks read. */
import { printExactJson } from "@quarterdeck/hooks/contract/exact-json";
import { isObject } from "./ruling.ts";

const TEXT_FIELDS = ["llmContent", "text_result_for_llm", "textResultForLlm", "result"] as const;

/** Undefined without a result. */
export function responseText(response: unknown): string | undefined {
  if (response === undefined || response === null) return undefined;
  if (typeof response === "string") return response;
  const blocks = blocksText(response);
  if (blocks !== undefined) return blocks;
  if (!isObject(response)) return printExactJson(response);
  const { stdout, stderr, file, content } = response;
  if (typeof stdout === "string")
    return [stdout, stderr].filter((part) => part !== "" && typeof part === "string").join("\n");
  if (isObject(file) && typeof file.content === "string") return file.content;
  const inner = blocksText(content);
  if (inner !== undefined) return inner;
  for (const field of TEXT_FIELDS) {
    const text = response[field];
    if (typeof text === "string") return text;
    const parts = blocksText(text);
    if (parts !== undefined) return parts;
  }
  return printExactJson(response);
}

/** The joined texts of content blocks; undefined for any other value, or if a block is not text. */
function blocksText(value: unknown): string | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const texts = value.map((block) => (isObject(block) && block.type === "text" ? block.text : undefined));
  return texts.every((text) => typeof text === "string") ? texts.join("\n") : undefined;
}
