/** The words a model is sent for one input: by a hook when it runs, and to whoever wants to read them first. */
import type { Profile } from "../../contract/events.ts";
import type { HookInput } from "../../contract/input.ts";
import { renderPromptInSlices } from "./prompt.ts";
import type { ReplySchema } from "./schemas.ts";
import { systemPrompt } from "./system-prompt.ts";

/** The longest prompt a model is sent. Longer is refused, not cut: half a question has another answer. */
export const PROMPT_CHARS_MAX = 1_048_576;

export interface Asking {
  readonly prompt: string;
  readonly schema: ReplySchema;
  /** The hook's own system message, sent as it is. */
  readonly systemPrompt?: string;
  /** As hooks see it, with `cwd` and `hook_event_name` filled in. */
  readonly input: HookInput;
  readonly profile: Profile;
}

/** Errors: throws with the whole message when the template cannot be parsed or not be rendered. */
export async function questionOf(
  { prompt, schema, systemPrompt: own, input, profile }: Asking,
  redact: (text: string) => string,
  signal?: AbortSignal,
): Promise<{ readonly system: string; readonly user: string }> {
  const user = redact(await renderPromptInSlices(prompt, input, profile, signal));
  return { system: own || systemPrompt(schema.name === "" ? "text" : { ...schema.shape }), user };
}
