import { kindMatcher } from "@quarterdeck/hooks/contract/tool-kinds";
import type { Pack } from "../pack.ts";

export const readOnlyAgent: Pack = {
  id: "read-only-agent",
  title: "Read-only agent",
  version: 5,
  promise: "The agent may look at everything and changes nothing that a person has not seen first.",
  denies: "tools that write, edit, move or delete files.",
  asks: "every shell command that is not known to only read, and every tool that is not on the list of reading tools.",
  changes: "",
  passes: "reading, searching, listing, thinking and handing over to another agent, which its own policies bind.",
  limits:
    "A tool is known by its name: one called `read_file` that writes is believed. Reading itself is not limited; what was read can still be said to the model. An answer given in advance (`permission_request`) may answer what is asked here.",
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
