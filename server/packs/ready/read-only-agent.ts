import { kindMatcher } from "@quarterdeck/hooks/contract/tool-kinds";
import type { Pack } from "../pack.ts";

export const readOnlyAgent: Pack = {
  id: "read-only-agent",
  title: "Read-only agent",
  version: 5,
  promise: "Allows reading. All changes require approval.",
  denies: "tools that write, edit, move or delete files.",
  asks: "every shell command not known to be read-only, and every tool that is not on the list of reading tools.",
  changes: "",
  passes: "reading, searching, listing, thinking and handing over to another agent, which has its own policies.",
  limits:
    "It identifies a tool by its name, so a tool called `read_file` that writes is allowed. Reading is not limited, and the model sees all content that is read. An automatic answer (`permission_request`) may answer these questions.",
  source: `# Looks, and touches nothing. What is not known to only read is asked about.
profile: "2026-11"
hooks:
  pre_tool_use:
    - matcher: "${kindMatcher("shell")}"
      preempt_yolo: true
      hooks:
        # The rules below ask. The labels of this builtin say how grave a command is to the people who answer.
        - {name: labels of commands, type: builtin, command: safer_shell, args: [strict]}
    - matcher: "*"
      preempt_yolo: true
      hooks:
        - name: only reading
          type: rules
          rules:
            - deny: This agent only reads. Say what you would change, and where.
              any:
                - kind: [write, edit]
                - all: [{ kind: [mcp, other] }, { path: { access: [write, delete] } }]
            # Whatever the session calls safe, only reading is.
            - ask: This command is not known to only read.
              kind: shell
              label: [unknown, destructive]
            # Add the names of your own reading tools to the list.
            - ask: "This tool is not known to only read: a person decides."
              not:
                any:
                  - kind: [read, search, shell, agent]
                  - tool: [think, create_todo, create_todos, update_todo, update_todos, list_todos, search_memories, get_memories, handoff]
                  - tool: [read_multiple_files, list_directory_tree, directory_tree, search_files, search_files_content, get_file_info, list_allowed_directories, list_files]
`,
};
