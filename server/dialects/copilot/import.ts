/** Copilot's hooks to a policy, in both spellings of its events. */

import { COPILOT_MISSING, copilotFields } from "../import/client-fields.ts";
import { type ClientImport, createImportDraft, effectiveMembers } from "../import/client-import.ts";
import { type HookWords, importHooks } from "../import/hooks.ts";
import { readJsonSettings } from "../import/settings-text.ts";
import { IMPORTED_CLIENTS } from "../import-schema.ts";
import { copilot } from "./capabilities.ts";

const OTHER_RESULT =
  "It reads the result in words that a policy does not have. Write it anew as a hook on post_tool_use, or enter it as PostToolUse.";

const WORDS: HookWords = {
  capabilities: copilot,
  fields: copilotFields,
  missing: COPILOT_MISSING,
  isNested: false,
  foreignEvents: { postToolUse: OTHER_RESULT, postToolUseFailure: OTHER_RESULT },
};

export function importCopilot(text: string): ClientImport {
  const draft = createImportDraft();
  for (const { key, line, value } of effectiveMembers(readJsonSettings(text), draft)) {
    if (key === "hooks") importHooks(value, WORDS, draft);
    else if (key === "disableAllHooks")
      draft.leave(
        line,
        key,
        "A policy has no such switch. The file's hooks are carried, whether it switches them off or not.",
      );
    else if (key !== "version" && key !== "$schema")
      draft.leave(line, key, "A setting of the client, which no hook can say.");
  }
  return draft.finish(IMPORTED_CLIENTS.copilot.title);
}
