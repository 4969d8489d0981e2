/** When two configured hooks are the same one. */
import type { HookDefinition } from "./hook.ts";

/**
 * A text that is equal for hooks equal in every configured field, as written: absent and empty lists are the same,
 * a default that is written out is not the same as an absent one, the order of `env` does not matter.
 */
export function identityOf(hook: HookDefinition): string {
  const env = Object.entries(hook.env ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([
    hook.name ?? "",
    hook.type ?? "",
    hook.command ?? "",
    hook.args ?? [],
    hook.timeout ?? 0,
    env,
    hook.working_dir ?? "",
    hook.on_error ?? "",
    hook.strict_output ?? false,
    hook.model ?? "",
    hook.prompt ?? "",
    hook.schema ?? "",
    hook.network ?? false,
  ]);
}
