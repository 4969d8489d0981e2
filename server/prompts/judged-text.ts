/** The text of a prompt: its stored form, its comparison with another text, and its validation. */
import { createHash } from "node:crypto";
import { parseTemplate, TemplateSyntaxError } from "@quarterdeck/go-template/syntax/parse";
import { AppError } from "../errors/app-error.ts";
import type { JudgedText } from "./schema.ts";

/** One kind of line end, so that a template reads back from a policy's YAML as it was. */
export const normaliseLineEnds = ({ template, model, schema }: JudgedText): JudgedText => ({
  template: template.replaceAll("\r\n", "\n"),
  model: model.trim(),
  schema,
});

export const isSame = (a: JudgedText, b: JudgedText) =>
  a.template === b.template && a.model === b.model && a.schema === b.schema;

/** The hash of the judge's text only: the same text has the same hash under every name. */
export const sha256Of = ({ template, model, schema }: JudgedText): string =>
  createHash("sha256")
    .update(JSON.stringify([template, model, schema]))
    .digest("hex");

/** Errors: `prompt_invalid` with the problem and its position. */
export function requireWhole({ template, model }: JudgedText): void {
  const refuse = (says: string, path: string) =>
    new AppError("prompt_invalid", undefined, { says, problems: [{ path, message: says }] });
  if (template.trim() === "") throw refuse("The template is empty. Enter the prompt text.", "template");
  if (!/^[^/\s][^/]*\/\S/.test(model))
    throw refuse("Choose a model: CONNECTION/MODEL, such as openai/gpt-4o-mini.", "model");
  try {
    parseTemplate(template);
  } catch (error) {
    if (!(error instanceof TemplateSyntaxError)) throw error;
    throw refuse(`Line ${error.line}, column ${error.column}: ${error.message}.`, "template");
  }
}
