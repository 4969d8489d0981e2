import type { Pack } from "../pack.ts";

export const compactionSteward: Pack = {
  id: "compaction-steward",
  title: "Compaction steward",
  version: 4,
  promise: "A summary keeps what the work needs, and none is made before it is worth it.",
  denies:
    "a compaction by threshold while fewer than 10,000 input tokens and less than half of the context window are in use.",
  asks: "",
  changes: "the summary prompt: it lists the facts that the work needs.",
  passes:
    "every compaction that the run depends on (`overflow`) or a person starts (`manual`), and events that cannot be read.",
  limits: "It asks for a good summary. Check the result under Compactions.",
  source: `# What a summary must not lose, and when none is needed. Never in the way of an overflow.
profile: "2026-11"
hooks:
  pre_compact:
    - name: what to keep
      type: command
      timeout: 5
      command: |
        echo "Keep: the task in the person's own words; decisions and their reasons; files touched and why; failing tests by name; what was tried and did not work; what is still to do. Leave out: tool output that can be had again."
  before_compaction:
    - name: not before it is worth it
      type: command
      timeout: 5
      on_error: ignore # a compaction that could not be judged goes on
      command: |
        input=$(cat)
        case $input in
          *'"compaction_reason":"overflow"'*) exit 0 ;; # without it the run is stuck
          *'"compaction_reason":"threshold"'*) ;;
          *) exit 0 ;;
        esac
        number() { printf '%s' "$input" | sed -n 's/.*"'"$1"'":\\([0-9][0-9]*\\)[,}].*/\\1/p'; }
        used=$(number input_tokens)
        window=$(number context_limit)
        [ -n "$used" ] || exit 0
        if [ "$used" -lt 10000 ] && [ $((used * 2)) -lt "\${window:-20000}" ]; then
          echo "The conversation is short: compacting would lose more than it saves." >&2
          exit 2
        fi
`,
};
