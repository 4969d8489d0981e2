/** A hook's prompt with the input filled in. */
import type { Profile } from "../../contract/events.ts";
import type { HookInput } from "../../contract/input.ts";
import { textOf } from "../../contract/template/bytes.ts";
import type { Template } from "../../contract/template/nodes.ts";
import { parseTemplate, TemplateSyntaxError } from "../../contract/template/parse.ts";
import { RenderError } from "./template/failure.ts";
import { render } from "./template/render.ts";

/**
 * The prompt for one input. Bytes that are no character, as a cut through one leaves them, are U+FFFD.
 *
 * Errors: throws with the whole message of the failure, whether the template cannot be parsed or not be rendered.
 */
export function renderPrompt(prompt: string, input: HookInput, profile: Profile): string {
  const template = parsed(prompt);
  try {
    return textOf(render(template, input, profile));
  } catch (error) {
    throw error instanceof RenderError ? new Error(`render prompt: ${error.message}`) : error;
  }
}

function parsed(prompt: string): Template {
  try {
    return parseTemplate(prompt);
  } catch (error) {
    if (!(error instanceof TemplateSyntaxError)) throw error;
    const place = `line ${error.line}, column ${error.column}`;
    throw new Error(`model hook: parse prompt template: template: ${place}: ${error.message}`);
  }
}
