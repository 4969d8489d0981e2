import { labelOnlyMessage, listLabelOnlyGates } from "../label-only-gates.ts";
import { createAddRepair, GATE_ONLY_LABELS, type Rule } from "../rule.ts";

const ASKING_HOOK = {
  name: "ask about shell commands",
  type: "rules",
  rules: [{ ask: "This command is not known to only read.", label: ["unknown", "destructive"] }],
};

export const gateOnlyLabels: Rule = {
  id: GATE_ONLY_LABELS,
  severity: "error",
  title: "A gate only labels calls in this profile",
  why: "From profile 2026-11, safer_shell writes labels into the metadata and never asks. Without another hook that decides on shell commands, each command runs.",
  fix: "Add a hook with type: rules to the same entry, with the rule `ask: ...` and `label: [unknown, destructive]`. It asks as the builtin did.",
  firing: {
    policy: `profile: "2026-11"
hooks:
  pre_tool_use:
    - matcher: shell
      preempt_yolo: true
      hooks:
        - {type: builtin, command: safer_shell}
`,
  },
  silent: {
    policy: `profile: "2026-11"
hooks:
  pre_tool_use:
    - matcher: shell
      preempt_yolo: true
      hooks:
        - {type: builtin, command: safer_shell}
        - name: no forced pushes
          type: rules
          rules:
            - deny: Push without force.
              command: {program: git, subcommand: push, flags: [force]}
`,
  },
  *check(policy) {
    for (const linted of listLabelOnlyGates(policy))
      yield {
        ...{ at: [...linted.at, "command"], message: labelOnlyMessage(linted, policy.profile) },
        repair: createAddRepair(linted.at.slice(0, -1), ASKING_HOOK, "Add a rule that asks"),
      };
  },
};
