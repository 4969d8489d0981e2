import { createSetRepair, type Rule, type Said } from "../rule.ts";
import type { Script } from "../shell/script.ts";
import { type Unquoted, unquotedInput } from "../shell/unquoted.ts";

export const commandUnquotedInput: Rule = {
  id: "command-unquoted-input",
  severity: "warning",
  title: "The command uses its input without quotes",
  why: "A model writes the input. Unquoted, the shell splits it at spaces and replaces * by file names. Run as a program, it can bypass the gate.",
  fix: 'Put double quotes around it ("$cmd"), and never pass it to eval or sh -c.',
  firing: {
    policy: `hooks:
  pre_tool_use:
    - matcher: shell
      preempt_yolo: true
      hooks:
        - type: command
          command: |
            cmd=$(jq -r .tool_input.cmd)
            if echo $cmd | grep -q mkfs; then
              echo "No new file systems." >&2
              exit 2
            fi
`,
  },
  silent: {
    policy: `hooks:
  pre_tool_use:
    - matcher: shell
      preempt_yolo: true
      hooks:
        - type: command
          command: |
            cmd=$(jq -r .tool_input.cmd)
            if printf '%s' "$cmd" | grep -q mkfs; then
              echo "No new file systems." >&2
              exit 2
            fi
`,
  },
  *check({ hooks }) {
    for (const { script, at } of hooks) {
      if (!script) continue;
      const place = [...at, "command"];
      const uses = unquotedInput(script);
      yield* said(place, script, uses, true);
      for (const { script: inner } of script.inner) yield* said(place, inner, unquotedInput(inner), false);
    }
  },
};

function* said(at: Said["at"], script: Script, uses: readonly Unquoted[], isWhole: boolean): Iterable<Said> {
  const run = uses.find((use) => use.isRun);
  if (run) yield { at, message: `${run.written} holds input and is run as a program` };
  const plain = uses.filter((use) => !use.isRun);
  const [first] = plain;
  if (!first) return;
  const quoted = isWhole ? withQuotes(script.text, plain) : null;
  const names = [...new Set(plain.map(({ written }) => written))].slice(0, 3).join(", ");
  const repair = quoted === null ? {} : { repair: createSetRepair(at, quoted, `Quote ${names}`) };
  yield { at, message: `${names} holds input and has no quotes`, ...repair };
}

/** The text with every use quoted; null if a position does not match, or is already inside quotes. */
function withQuotes(text: string, uses: readonly Unquoted[]): string | null {
  let quoted = text;
  for (const { pos, end, written } of [...uses].sort((a, b) => b.pos - a.pos)) {
    if (quoted.slice(pos, end) !== written) return null;
    quoted = `${quoted.slice(0, pos)}"${written}"${quoted.slice(end)}`;
  }
  return quoted;
}
