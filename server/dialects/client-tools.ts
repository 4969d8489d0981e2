/** The tools of each client by kind: the names that it sends in its hooks. docs/dialects.md shows them. */
import type { SelectableKind } from "@quarterdeck/hooks/contract/tool-kinds";
import type { ClientName } from "./schema.ts";

type NamedKind = Exclude<SelectableKind, "mcp">;
export type ClientTools = Readonly<Partial<Record<NamedKind, readonly string[]>>>;

/** Tool names by kind. A missing kind has no known tool name. */
export const CLIENT_TOOLS: Readonly<Record<ClientName, ClientTools>> = {
  "docker-agent": {
    shell: ["shell"],
    read: ["read_file"],
    write: ["write_file"],
    edit: ["edit_file"],
    fetch: ["fetch"],
    agent: ["transfer_task"],
  },
  "claude-code": {
    shell: ["Bash"],
    read: ["Read"],
    write: ["Write"],
    edit: ["Edit"],
    search: ["Grep", "Glob"],
    fetch: ["WebFetch", "WebSearch"],
    agent: ["Agent"],
  },
  codex: { shell: ["Bash"], read: ["view_image"], edit: ["apply_patch"], agent: ["spawn_agent"] },
  copilot: {
    shell: ["bash", "Bash"],
    read: ["view", "Read"],
    write: ["create", "Write"],
    edit: ["edit", "Edit"],
    agent: ["task", "Agent"],
  },
  cursor: { shell: ["Shell"], read: ["Read"], write: ["Write"], search: ["Grep"], agent: ["Task"] },
  gemini: {
    shell: ["run_shell_command"],
    read: ["read_file"],
    write: ["write_file"],
    edit: ["replace"],
    search: ["glob", "list_directory"],
    fetch: ["web_fetch", "google_web_search"],
  },
  qwen: {
    shell: ["run_shell_command"],
    read: ["read_file"],
    write: ["write_file"],
    edit: ["edit"],
    search: ["glob", "list_directory"],
    fetch: ["web_fetch"],
  },
  cline: {
    shell: ["run_commands"],
    read: ["read_files"],
    edit: ["editor"],
    search: ["search_codebase"],
    fetch: ["fetch_web_content"],
  },
  opencode: {
    shell: ["bash"],
    read: ["read"],
    write: ["write"],
    edit: ["edit"],
    search: ["grep", "glob", "list"],
    fetch: ["webfetch"],
    agent: ["task"],
  },
};
