/** The demo's policies: real ones, run by this server on what the scripted agents do, and not bound to other agents. */
import { judgeLabel } from "@quarterdeck/hooks/contract/judge-prompt";
import { JUDGE, JUDGE_TEXT, JUDGE_TOOL } from "./judge.ts";

export interface DemoPolicy {
  readonly name: string;
  readonly note: string;
  readonly source: string;
  /** True if its gates stand on events that only docker-agent sends, so that it could not stop another client. */
  readonly isForDockerAgent?: true;
}

const SAFE_SHELL = `# Nothing is deleted in bulk, history is not rewritten, and what leaves this machine is asked for.
profile: "2026-11"
hooks:
  pre_tool_use:
    - matcher: "*"
      hooks:
        - name: no bulk delete
          type: rules
          rules:
            - deny: Bulk deletes are refused. Move it aside, or ask a person to do it.
              any:
                - command: { program: rm, flags: [recursive, force] }
                - command: { program: git, subcommand: clean, flags: [force] }
        - name: no rewritten history
          type: rules
          rules:
            - deny: A forced push rewrites what others have. Open a pull request.
              command: { program: git, subcommand: push, flags: [force] }
        - name: publishing is asked for
          type: rules
          rules:
            - ask: "This leaves the machine: a person decides."
              any:
                - command: { program: npm, subcommand: publish }
                - command: { program: [git, docker], subcommand: push }
                - command: { program: gh, subcommand: release create }
`;

/** A command gets the input as compact JSON on stdin, so plain grep reads it. */
const SECRETS = `# A secret in an argument ends up in logs, shells and other people's terminals.
profile: "2026-11"
hooks:
  pre_tool_use:
    - matcher: "*"
      hooks:
        - name: no secrets in arguments
          type: command
          timeout: 5
          command: |
            if grep -Eq 'AKIA[0-9A-Z]{16}|gh[pousr]_[A-Za-z0-9]{36}|BEGIN [A-Z ]*PRIVATE KEY|postgres(ql)?://[^: "]+:[^@ "]+@'; then
              echo "The arguments hold a credential. Read it from the environment instead." >&2
              exit 2
            fi
`;

const FROZEN_PATHS = `# What was shipped stays as it is: a change to it is a new file.
profile: "2026-11"
hooks:
  pre_tool_use:
    - matcher: "*"
      hooks:
        - name: frozen paths
          type: rules
          rules:
            - deny: This path is frozen. Add a new file next to it.
              kind: [write, edit]
              path: { access: write, path: ["**/vendor/**", "**/migrations/0*/**", "**/migrations/0*", ".env", "**/dist/**"] }
`;

const STEWARD = `# What a summary must not lose, and when none is needed.
profile: "2026-11"
hooks:
  pre_compact:
    - name: what to keep
      type: command
      timeout: 5
      command: |
        echo "Keep: the failing test's name, the files touched, decisions and their reasons, what is still to do."
  before_compaction:
    - name: not before it is worth it
      type: command
      timeout: 5
      command: |
        input=$(cat)
        case $input in
          *'"compaction_reason":"overflow"'*) exit 0 ;; # without it the run is stuck
        esac
        if printf '%s' "$input" | grep -Eq '"input_tokens":[0-9]{1,4},'; then
          echo "The conversation is short: compacting would lose more than it saves." >&2
          exit 2
        fi
    - name: chores need no summary by a model
      type: command
      timeout: 5
      command: |
        if grep -q '"agent_name":"demo-docs"'; then
          cat <<'JSON'
        {"hook_specific_output": {"summary": "Documentation chores. The pages done so far are in git; take the next one from docs/TODO.md."}}
        JSON
        fi
`;

const BUDGET = String.raw`# Said at the start of every session, and kept before every model call where a hard budget applies.
profile: "2026-11"
hooks:
  before_llm_call:
    - name: budget
      type: builtin
      command: budget_guard
  session_start:
    - name: budget note
      type: command
      timeout: 5
      command: |
        echo "Budget: about \$10 a day for this project. Say so before a step that may cost more than \$0.50."
`;

const DEPLOYMENTS = `# A deployment waits for a person.
profile: "2026-11"
hooks:
  pre_tool_use:
    - matcher: deploy
      hooks:
        - name: deployments are asked for
          type: builtin
          command: ask_a_person
          args: ["Deploy this version now?"]
`;

const indented = (text: string, spaces: number): string =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => (line === "" ? "" : `${" ".repeat(spaces)}${line}`))
    .join("\n");

const MESSAGES = `# A judge reads what is sent to customers. The model is the demo's own script.
profile: "2026-11"
hooks:
  pre_tool_use:
    - matcher: ${JUDGE_TOOL}
      hooks:
        - name: customer messages
          type: model
          judge: ${judgeLabel(JUDGE)}
          model: ${JUDGE_TEXT.model}
          schema: ${JUDGE_TEXT.schema}
          timeout: 20
          prompt: |
${indented(JUDGE_TEXT.template, 12)}
`;

export const DEMO_POLICIES: readonly DemoPolicy[] = [
  {
    name: "Demo - safe shell",
    note: "No bulk deletes, no forced pushes; publishing is asked for.",
    source: SAFE_SHELL,
  },
  { name: "Demo - no secrets in arguments", note: "Credentials stay in the environment.", source: SECRETS },
  { name: "Demo - frozen paths", note: "Applied migrations and vendored code stay as they are.", source: FROZEN_PATHS },
  {
    name: "Demo - compaction steward",
    note: "Keeps what a summary tends to lose.",
    source: STEWARD,
    isForDockerAgent: true,
  },
  { name: "Demo - customer messages", note: "A judge reads each message to a customer.", source: MESSAGES },
  { name: "Demo - deployments", note: "A person answers each deployment.", source: DEPLOYMENTS },
  {
    name: "Demo - budget note",
    note: "Everyone knows the budget, and hard ones are kept.",
    source: BUDGET,
    isForDockerAgent: true,
  },
];
