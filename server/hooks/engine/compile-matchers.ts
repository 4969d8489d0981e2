import type { HooksConfig } from "../contract/hook.ts";
import { compileMatcher } from "../contract/matcher.ts";

/**
 * Compiles the matchers of `blocks` ahead of their plan, which finds them compiled: a plan is made in one turn, and compiling
 * thousands of steps takes longer than one may. `pause` is called after each.
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
