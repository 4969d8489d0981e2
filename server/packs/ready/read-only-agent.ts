import { gateScript, WRITING_TOOLS } from "@quarterdeck/hooks/contract/gate-scripts";
import { kindMatcher } from "@quarterdeck/hooks/contract/tool-kinds";
import { indentBlock, type Pack } from "../pack.ts";

const RULES = `
reads='read_file|read_multiple_files|list_directory|list_directory_tree|directory_tree|list_files|search_files|search_files_content|grep|glob|get_file_info|list_allowed_directories|think|create_todo|create_todos|update_todo|update_todos|list_todos|search_memories|get_memories|transfer_task|handoff|${kindMatcher("read")}|${kindMatcher("search")}'
# The shell is judged by safer_shell above.
printf '%s\\n' "$text" | LC_ALL=C grep -Eqx -e "$reads|${kindMatcher("shell")}" || say ask "This tool is not known to only read: a person decides."
`;

export const readOnlyAgent: Pack = {
  id: "read-only-agent",
  title: "Read-only agent",
  version: 3,
  promise: "The agent may look at everything and changes nothing that a person has not seen first.",
  denies: "tools that write, edit, move or delete files.",
  asks: "every shell command that is not known to only read, and every tool that is not on the list of reading tools.",
  changes: "",
  passes: "reading, searching, listing, thinking and handing over to another agent, which its own policies bind.",
  limits:
    "A tool is known by its name: one called `read_file` that writes is believed. Reading itself is not limited; what was read can still be said to the model. An answer given in advance (`permission_request`) may answer what is asked here.",
  source: `# Looks, and touches nothing. What is not known to only read is asked about.
profile: "2026-08"
hooks:
  pre_tool_use:
    - matcher: "${WRITING_TOOLS}"
      preempt_yolo: true
      hooks:
        - name: no writing
          type: command
          timeout: 5
          command: |
            echo "This agent only reads. Say what you would change, and where." >&2
            exit 2
    - matcher: "${kindMatcher("shell")}"
      preempt_yolo: true
      hooks:
        # strict: whatever the session calls safe, only reading is.
        - {name: only reading commands, type: builtin, command: safer_shell, args: [strict]}
    - matcher: "*"
      preempt_yolo: true
      hooks:
        - name: only reading tools
          type: command
          timeout: 10
          # Add the names of your own reading tools to the list.
          command: |
            ${indentBlock(12, gateScript(RULES, "tool_name"))}
`,
};
