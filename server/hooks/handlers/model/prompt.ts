/** Renders a hook's prompt with the input. */
import {
  parseTemplate,
  RenderError,
  render,
  type Template,
  TemplateSyntaxError,
  textOf,
} from "@quarterdeck/go-template";
import type { Profile } from "../../contract/events.ts";
import type { HookInput } from "../../contract/input.ts";
import { renderInSlices } from "../../render-in-slices.ts";
import { templateData } from "../../template-data.ts";

/**
 * The prompt for one input. Invalid bytes, such as a split character, become U+FFFD.
 *
 * Errors: throws with the whole message if the template cannot be parsed or rendered.
 */
export function renderPrompt(prompt: string, input: HookInput, profile: Profile): string {
  const template = parsed(prompt);
  try {
    return textOf(render(template, templateData(input, profile)));
  } catch (error) {
    throw named(error);
  }
}

/** The same without blocking other work: a template may run for a second. Ends early if `signal` is aborted. */
export async function renderPromptInSlices(
  prompt: string,
  input: HookInput,
  profile: Profile,
  { signal, boundary }: { readonly signal?: AbortSignal | undefined; readonly boundary: string },
): Promise<string> {
  const template = parsed(prompt);
  try {
    return await renderInSlices(template, templateData(input, profile), signal, { boundary });
  } catch (error) {
    throw named(error);
  }
}

const named = (error: unknown): unknown =>
  error instanceof RenderError ? new Error(`render prompt: ${error.message}`) : error;

/** The size of the template cache: a policy's hooks use the same few templates repeatedly. */
const PARSED_MAX = 50;
const recent = new Map<string, Template>();

function parsed(prompt: string): Template {
  const known = recent.get(prompt);
  if (known) return known;
  const template = parse(prompt);
  const oldest = recent.keys().next();
  if (recent.size >= PARSED_MAX && !oldest.done) recent.delete(oldest.value);
  recent.set(prompt, template);
  return template;
}

function parse(prompt: string): Template {
  try {
    return parseTemplate(prompt);
  } catch (error) {
    if (!(error instanceof TemplateSyntaxError)) throw error;
    const place = `line ${error.line}, column ${error.column}`;
    throw new Error(`model hook: parse prompt template: template: ${place}: ${error.message}`);
  }
}
