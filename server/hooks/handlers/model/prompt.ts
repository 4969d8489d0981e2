/** A hook's prompt with the input filled in. */

import type { Profile } from "../../contract/events.ts";
import type { HookInput } from "../../contract/input.ts";

/**
 * The prompt for one input.
 *
 * Errors: throws with the whole message of the failure.
 */
export type RenderPrompt = (template: string, input: HookInput, profile: Profile) => string;

/** Not filled in yet: the text as it stands. */
export const renderPrompt: RenderPrompt = (template) => template;
