import { NEWEST_PROFILE } from "@quarterdeck/hooks/contract/profiles";
import { kindMatcher } from "@quarterdeck/hooks/contract/tool-kinds";

/** The text that a new policy's editor opens with. It holds every client: a tool kind selects the names that each gives to its shell. */
export const STARTING_SOURCE = `# Hooks run at points of an agent's life. This one reads every shell command of every client before it runs and denies recursive deletes.
profile: "${NEWEST_PROFILE}"
hooks:
  pre_tool_use:
    - matcher: ${kindMatcher("shell")}
      hooks:
        - name: no recursive delete
          type: command
          timeout: 5
          # The call is on stdin as JSON. Exit 2 denies it, and the agent reads what was printed on stderr.
          command: |
            if grep -Eq '(^|[^[:alnum:]_-]|\\\\[nrt])rm[ ",]+([^;|&]*[ ",])?(-[[:alpha:]]*[rR]|--recursive)'; then
              echo "Recursive deletes are not allowed here. Delete single files, or ask a person." >&2
              exit 2
            fi
`;
