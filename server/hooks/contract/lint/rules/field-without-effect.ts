import type { HookDefinition } from "../../hook.ts";
import { createRemoveRepair, type Rule } from "../rule.ts";

const USELESS: Readonly<Record<string, readonly (keyof HookDefinition)[]>> = {
  command: ["args", "model", "prompt", "schema"],
  builtin: ["model", "prompt", "schema"],
  model: ["command", "args", "env", "working_dir"],
  rules: ["command", "args", "env", "working_dir", "model", "prompt", "schema", "strict_output"],
};

export const fieldWithoutEffect: Rule = {
  id: "field-without-effect",
  severity: "advice",
  title: "A field has no effect on this type of hook",
  why: "The field is not used: a command gets no args, a judge has no environment or directory, and rules run no command.",
  fix: "Remove it, or change the type of the hook.",
  firing: {
    policy: `hooks:
  session_start:
    - {type: command, command: uptime, args: [--pretty]}
`,
  },
  silent: {
    policy: `hooks:
  session_start:
    - {type: command, command: uptime --pretty}
`,
  },
  *check({ hooks }) {
    for (const { hook, at } of hooks) {
      for (const field of USELESS[hook.type ?? ""] ?? []) {
        if (hook[field] === undefined) continue;
        const place = [...at, field];
        yield {
          at: place,
          message: `${field} has no effect on a ${hook.type} hook`,
          repair: createRemoveRepair(place, `Remove ${field}`),
        };
      }
    }
  },
};
