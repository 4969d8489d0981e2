/** Builds the messages to a model for one input, for a hook at run time and for a preview. */
import { randomBoundary } from "@quarterdeck/go-template";
import type { Profile } from "../../contract/events.ts";
import type { HookInput } from "../../contract/input.ts";
import { renderPromptInSlices } from "./prompt.ts";
import type { ReplySchema } from "./schemas.ts";
import { systemPrompt } from "./system-prompt.ts";

export interface Asking {
  readonly prompt: string;
  readonly schema: ReplySchema;
  /** The hook's own system message, sent unchanged. */
  readonly systemPrompt?: string;
  /** The input as hooks see it, with `cwd` and `hook_event_name` set. */
  readonly input: HookInput;
  readonly profile: Profile;
}

/** Errors: throws with the whole message if the template cannot be parsed or rendered. */
export async function questionOf(
  { prompt, schema, systemPrompt: own, input, profile }: Asking,
  redact: (text: string, input: HookInput) => string | Promise<string>,
  signal?: AbortSignal,
): Promise<{ readonly system: string; readonly user: string; readonly boundary: string }> {
  const boundary = randomBoundary();
  const user = await redact(await renderPromptInSlices(prompt, input, profile, { signal, boundary }), input);
  return { boundary, system: own || systemPrompt(schema.name === "" ? "text" : { ...schema.shape }), user };
}
