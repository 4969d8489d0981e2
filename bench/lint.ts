/**
 * Reading, checking and linting a policy's text, as the editor's worker does at every keystroke: in this process, each time
 * with one character more.
 *
 *     npm run bench lint
 */
import { checkText } from "@quarterdeck/hooks/contract/text/check";
import { ms, percentile } from "./fixtures/percentile.ts";

const ROUNDS = 30;
const WARM_UP = 10;
/** The longest time a keystroke may take on an ordinary policy; a very long one is only measured. */
const KEYSTROKE_MS_MAX = 100;
const LINES = [500, 5_000] as const;

const context = {
  equipment: { builtins: ["safer_shell"], models: true },
  tools: [
    { name: "shell", count: 500 },
    { name: "edit_file", count: 120 },
  ],
};

/** True if a keystroke on 500 lines stays within `KEYSTROKE_MS_MAX`, at the 95th percentile. */
export async function bench(): Promise<boolean> {
  let isKept = true;
  for (const lines of LINES) {
    const text = policyOf(lines);
    const times: number[] = [];
    for (let round = -WARM_UP; round < ROUNDS; round += 1) {
      const startMs = performance.now();
      checkText(`${text}# ${"x".repeat(round + WARM_UP)}`, context);
      if (round >= 0) times.push(performance.now() - startMs);
    }
    const [p50, p95] = [percentile(times, 0.5), percentile(times, 0.95)];
    const { findings, problems } = checkText(text, context);
    const said = `${findings.length} findings, ${problems.length} problems`;
    console.log(`${String(lines).padStart(6)} lines  p50 ${ms(p50)}  p95 ${ms(p95)}  ${said}`);
    if (lines === LINES[0]) isKept = p95 <= KEYSTROKE_MS_MAX;
  }
  console.log(`to hold: p95 of 500 lines under ${KEYSTROKE_MS_MAX} ms`);
  return isKept;
}

/** Entries of eleven lines each, every one with a script of its own. */
function policyOf(lines: number): string {
  const entries = Array.from(
    { length: Math.floor(lines / 11) },
    (_, at) => `    - matcher: shell|tool_${at}
      hooks:
        - name: gate ${at}
          type: command
          timeout: 5
          command: |
            cmd=$(jq -r .tool_input.cmd)
            if printf '%s' "$cmd" | grep -q 'mkfs${at}'; then
              echo "Not ${at}." >&2
              exit 2
            fi
`,
  );
  return `hooks:\n  pre_tool_use:\n${entries.join("")}`;
}
