import type { HooksConfig } from "../contract/hook.ts";
import { compileMatcher } from "../contract/matcher.ts";

/**
 * Compiles the matchers of `blocks` before their plan is built. A plan is built in one turn of the event loop, and compiling
 * thousands of steps would block it too long. `pause` is called after each matcher.
 */
export async function compileMatchers(
  blocks: readonly HooksConfig[],
  pause: () => Promise<void> | undefined,
): Promise<void> {
  for (const block of blocks)
    for (const value of Object.values(block))
      for (const entry of Array.isArray(value) ? value : [value]) {
        const matcher: unknown =
          typeof entry === "object" && entry !== null ? Reflect.get(entry, "matcher") : undefined;
        if (typeof matcher !== "string") continue;
        compileMatcher(matcher);
        await pause();
      }
}
