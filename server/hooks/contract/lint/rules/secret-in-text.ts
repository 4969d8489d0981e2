import type { FindSecrets } from "../context.ts";
import type { LintedHook } from "../policy.ts";
import type { Rule, Said } from "../rule.ts";
import { plainSecrets } from "../secret-shapes.ts";

export const secretInText: Rule = {
  id: "secret-in-text",
  severity: "warning",
  title: "The text contains a secret",
  why: "A policy is stored in each revision, sent to agents and exported. All its readers can see the secret.",
  fix: "Revoke the secret. Read the new one at run time, from the environment or from a protected file.",
  firing: {
    // Split in two, so that secret scanners do not report this file.
    policy: `hooks:
  turn_end:
    - type: command
      network: true
      command: >-
        curl -s -H "Authorization: Bearer ${"ghp_"}${"A1b2".repeat(9)}" https://ci.example.com/done
`,
  },
  silent: {
    policy: `hooks:
  turn_end:
    - type: command
      network: true
      command: >-
        curl -s -H "Authorization: Bearer $CI_TOKEN" https://ci.example.com/done
      env:
        CI_TOKEN: $\{env.CI_TOKEN}
`,
  },
  *check({ hooks, findSecrets = plainSecrets }) {
    for (const linted of hooks) for (const field of fieldsOf(linted)) yield* inField(field, findSecrets);
  },
};

interface Field {
  readonly at: Said["at"];
  readonly text: string;
}

function fieldsOf({ hook, at }: LintedHook): Field[] {
  const { command, prompt, name, working_dir, args = [], env = {}, rules = [] } = hook;
  const texts = Object.entries({ command, prompt, name, working_dir });
  return [
    ...texts.flatMap(([key, text]) => (text ? [{ at: [...at, key], text }] : [])),
    ...args.map((text, index) => ({ at: [...at, "args", index], text })),
    ...Object.entries(env).map(([key, text]) => ({ at: [...at, "env", key], text })),
    ...textsIn(rules, [...at, "rules"]),
  ];
}

/** Every text in a value. The nesting of conditions limits the depth. */
function textsIn(value: unknown, at: Said["at"]): Field[] {
  if (typeof value === "string") return [{ at, text: value }];
  if (Array.isArray(value)) return value.flatMap((one, index) => textsIn(one, [...at, index]));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) => textsIn(one, [...at, key]));
}

function* inField({ at, text }: Field, find: FindSecrets): Iterable<Said> {
  for (const { start, end, kind } of find(text).slice(0, 3)) {
    // Long enough to find the secret, too short to use it.
    const shown = text.slice(start, Math.min(start + 4, end));
    yield { at, message: `${shown}… looks like ${kind}` };
  }
}
