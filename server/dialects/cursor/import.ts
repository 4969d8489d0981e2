/** Cursor's hooks to a policy. Each older event passes one kind of call to a script, with its own field names. */

import { CURSOR_MISSING, cursorFields } from "../import/client-fields.ts";
import { type ClientImport, createImportDraft, effectiveMembers } from "../import/client-import.ts";
import { type HookWords, importHooks } from "../import/hooks.ts";
import { readJsonSettings } from "../import/settings-text.ts";
import { IMPORTED_CLIENTS } from "../import-schema.ts";
import { cursor } from "./capabilities.ts";

const reads = (field: string, tools: string) =>
  `Its script reads \`${field}\` at the top of its input, and a policy hands it \`tool_input.${field}\`. Change the script, enter it as preToolUse with the matcher ${tools}, and import it again.`;
const AFTERWARDS = "Its script reads words that a policy does not have. Write it anew as a hook on post_tool_use.";

const WORDS: HookWords = {
  capabilities: cursor,
  fields: cursorFields,
  missing: CURSOR_MISSING,
  projectVariable: "CURSOR_PROJECT_DIR",
  isNested: false,
  callEvents: { beforeShellExecution: { matcher: "Shell", field: "command" } },
  foreignEvents: {
    beforeMCPExecution:
      "Its script reads the call as a text, and a policy hands it an object. Change the script, enter it as preToolUse with the matcher MCP:.*, and import it again.",
    beforeReadFile: reads("file_path", "Read"),
    beforeTabFileRead: reads("file_path", "TabRead"),
    afterShellExecution: AFTERWARDS,
    afterMCPExecution: AFTERWARDS,
    afterFileEdit: AFTERWARDS,
    afterTabFileEdit: AFTERWARDS,
    postToolUse: AFTERWARDS,
    postToolUseFailure: AFTERWARDS,
    afterAgentResponse:
      "Its script reads words that a policy does not have. Write it anew as a hook on after_llm_call.",
  },
};

export function importCursor(text: string): ClientImport {
  const draft = createImportDraft();
  for (const { key, line, value } of effectiveMembers(readJsonSettings(text), draft)) {
    if (key === "hooks") importHooks(value, WORDS, draft);
    else if (key !== "version" && key !== "$schema")
      draft.leave(line, key, "A setting of the client, which no hook can say.");
  }
  return draft.finish(IMPORTED_CLIENTS.cursor.title);
}
