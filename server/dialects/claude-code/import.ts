/** Claude Code's settings to a policy: its permission rules and its hooks. */

import { CLAUDE_MISSING, claudeFields } from "../import/client-fields.ts";
import { type ClientImport, createImportDraft, effectiveMembers, type ImportDraft } from "../import/client-import.ts";
import { type HookWords, importHooks } from "../import/hooks.ts";
import { readJsonSettings, type SettingsValue } from "../import/settings-text.ts";
import { IMPORTED_CLIENTS } from "../import-schema.ts";
import { claudeCode } from "./capabilities.ts";
import { familyMatcher, type GateFamily, type GateRule, gateScripts, verdictCommand } from "./permission-gates.ts";
import { ACTIONS, type Action, readRule } from "./permission-rules.ts";

const WORDS: HookWords = {
  capabilities: claudeCode,
  fields: claudeFields,
  missing: CLAUDE_MISSING,
  projectVariable: "CLAUDE_PROJECT_DIR",
  isNested: true,
};

export function importClaudeCode(text: string): ClientImport {
  const draft = createImportDraft();
  for (const { key, line, value } of effectiveMembers(readJsonSettings(text), draft)) {
    if (key === "permissions") importPermissions(value, draft);
    else if (key === "hooks") importHooks(value, WORDS, draft);
    else if (key === "disableAllHooks")
      draft.leave(
        line,
        key,
        "A policy has no such switch. The file's hooks are carried, whether it switches them off or not.",
      );
    else if (key !== "$schema") draft.leave(line, key, "A setting of the client, which no hook can say.");
  }
  return draft.finish(IMPORTED_CLIENTS["claude-code"].title);
}

interface StatedRule {
  readonly action: Action;
  readonly line: number;
  readonly text: string;
}

function importPermissions(value: SettingsValue, draft: ImportDraft): void {
  if (value.kind !== "object") {
    draft.leave(value.line, "permissions", "It is not a mapping, and the client reads no rule in it.");
    return;
  }
  const stated: StatedRule[] = [];
  for (const { key, line, value: listed } of effectiveMembers(value, draft, "permissions.")) {
    const action = ACTIONS.find((one) => one === key);
    if (action === undefined)
      draft.leave(line, `permissions.${key}`, "A setting of the client, which no rule can say.");
    else if (listed.kind !== "list")
      draft.leave(line, `permissions.${key}`, "It is not a list, and the client reads no rule in it.");
    else
      for (const item of listed.items) {
        if (item.kind === "scalar" && typeof item.value === "string")
          stated.push({ action, line: item.line, text: item.value });
        else draft.leave(item.line, `permissions.${key}`, "A rule is a text. This is none.");
      }
  }
  // Denials come first: Claude Code reads rules in this order.
  const rules = ACTIONS.flatMap((action) => stated.filter((rule) => rule.action === action)).flatMap((rule) =>
    formed(rule, draft),
  );
  for (const family of ["shell", "read", "edit", "fetch", "agent"] as const) addGates(family, rules, draft);
}

/** A rule for a whole tool becomes a separate hook; any other rule becomes a line of a gate. */
function formed({ action, line, text }: StatedRule, draft: ImportDraft): GateRule[] {
  const shown = `${action} ${text}`;
  const form = readRule(action, text);
  if (form.kind === "left") {
    draft.leave(line, shown, form.reason);
    return [];
  }
  draft.carry(line, shown, form.note);
  if (form.kind === "gates" && action !== "allow") return form.gates.map((gate) => ({ ...gate, action, rule: text }));
  if (form.kind === "tool")
    draft.add({
      event: "pre_tool_use",
      matcher: form.matcher,
      isPreempting: action !== "allow",
      hook: { name: `imported ${action}`, type: "command", timeout: 10, command: verdictCommand(action, text) },
    });
  return [];
}

function addGates(family: GateFamily, rules: readonly GateRule[], draft: ImportDraft): void {
  for (const command of gateScripts(
    family,
    rules.filter((rule) => rule.family === family),
  ))
    draft.add({
      event: "pre_tool_use",
      matcher: familyMatcher(family),
      isPreempting: true,
      hook: { name: `imported ${family} rules`, type: "command", timeout: 30, command },
    });
}
