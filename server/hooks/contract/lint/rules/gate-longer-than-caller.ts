import { GATE_LONGER_THAN_CALLER } from "../blocking-rules.ts";
import { CODEX, QWEN } from "../example-clients.ts";
import { type GateWait, listGateWaits, type WaitStep } from "../gate-waits.ts";
import { createSetRepair, type Rule, type Said } from "../rule.ts";

/** The time for the answer itself, in seconds. */
const MARGIN = 5;

export const gateLongerThanCaller: Rule = {
  id: GATE_LONGER_THAN_CALLER,
  severity: "error",
  title: "The time limits of a gate add up to more than a client waits",
  why: "A client stops waiting after its own time and then denies without the hook's reason. Hooks of a chain run one after the other, and one question passes every gate before a tool call, so their limits add up. A hook without a timeout counts as zero.",
  fix: "Write shorter timeouts, or run the hooks on the agent's machine.",
  firing: {
    policy: `profile: "2026-08"
hooks:
  pre_tool_use:
    - matcher: Bash|run_shell_command
      hooks:
        - {name: scan, type: command, command: ./scan.sh, timeout: 40}
        - {name: ask the registry, type: command, command: ./registry.sh, timeout: 20}
`,
    clients: [CODEX, QWEN],
  },
  silent: {
    policy: `profile: "2026-08"
hooks:
  pre_tool_use:
    - matcher: Bash|run_shell_command
      hooks:
        - {name: scan, type: command, command: ./scan.sh, run_on: agent, timeout: 40}
        - name: registry
          type: command
          command: |
            if grep -q internal; then echo "Not from here." >&2; exit 2; fi
          timeout: 20
`,
    clients: [CODEX, QWEN],
  },
  *check(policy) {
    for (const wait of listGateWaits(policy)) yield* overlong(wait);
  },
};

function overlong({ event, steps, seconds, clients }: GateWait): Said[] {
  const late = clients.filter((client) => client.seconds < seconds);
  const [first] = late;
  const longest = steps.reduce<WaitStep | undefined>(
    (most, step) => (step.seconds > (most?.seconds ?? 0) ? step : most),
    undefined,
  );
  if (!first || !longest) return [];
  const waits = late.map(({ client, seconds: own }) => `${client} waits ${own} s`).join(", ");
  const sum =
    steps.length === 1
      ? `${seconds} s for "${longest.hook}"`
      : `${steps.map((step) => `${step.seconds} s for "${step.hook}"`).join(" and ")} add up to ${seconds} s`;
  const fitting = first.seconds - MARGIN - (seconds - longest.seconds);
  return [
    {
      at: longest.at,
      message: `${sum}, but ${waits} on ${event}`,
      ...(fitting > 0 && { repair: createSetRepair(longest.at, fitting, `Write ${fitting}`) }),
    },
  ];
}
