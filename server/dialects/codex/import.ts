/** Codex's hooks to a policy, from `hooks.json`, `config.toml` or `requirements.toml`. */

import { CODEX_MISSING, codexFields } from "../import/client-fields.ts";
import { type ClientImport, createImportDraft, effectiveMembers } from "../import/client-import.ts";
import { type HookWords, importHooks } from "../import/hooks.ts";
import { readJsonSettings, readTomlSettings, type SettingsValue } from "../import/settings-text.ts";
import { IMPORTED_CLIENTS } from "../import-schema.ts";
import { codex } from "./capabilities.ts";

const WORDS: HookWords = {
  capabilities: codex,
  fields: codexFields,
  missing: CODEX_MISSING,
  isNested: true,
  matcherNames: (names) =>
    names.some((name) => name === "Edit" || name === "Write") ? [...names, "apply_patch"] : names,
};
/** Keys of `[hooks]` that are not events. */
const NO_EVENTS = new Set(["managed_dir", "windows_managed_dir", "state"]);

export function importCodex(text: string): ClientImport {
  const draft = createImportDraft();
  const settings = /^\s*(\{|\/[/*])/.test(text) ? readJsonSettings(text) : readTomlSettings(text);
  for (const { key, line, value } of effectiveMembers(settings, draft)) {
    if (key !== "hooks") draft.leave(line, key, "A setting of the client, which no hook can say.");
    else importHooks(withoutSettings(value), WORDS, draft);
    if (key !== "hooks" || value.kind !== "object") continue;
    for (const member of value.members)
      if (NO_EVENTS.has(member.key))
        draft.leave(member.line, `hooks.${member.key}`, "A setting of the client, which no hook can say.");
  }
  return draft.finish(IMPORTED_CLIENTS.codex.title);
}

const withoutSettings = (value: SettingsValue): SettingsValue =>
  value.kind === "object" ? { ...value, members: value.members.filter(({ key }) => !NO_EVENTS.has(key)) } : value;
