import type { Command, Statement, SyntaxNode } from "unbash";
import type { LintedHook } from "../policy.ts";
import { createSetRepair, type Rule } from "../rule.ts";
import type { Script } from "../shell/script.ts";

export const exit2WithJson: Rule = {
  id: "exit-2-with-json",
  severity: "warning",
  title: "A hook prints JSON and then exits with 2",
  why: "With exit 2, stdout is dropped and only stderr is the reason. The action is blocked without a reason.",
  fix: "Exit with 0 after printing the JSON, or print the reason on stderr (>&2) and exit with 2.",
  firing: {
    policy: `hooks:
  pre_tool_use:
    - matcher: shell
      preempt_yolo: true
      hooks:
        - type: command
          command: |
            if grep -q mkfs; then
              echo '{"decision": "block", "reason": "No new file systems."}'
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
            if grep -q mkfs; then
              echo "No new file systems." >&2
              exit 2
            fi
`,
  },
  *check({ hooks }) {
    for (const linted of hooks) yield* inScript(linted);
  },
};

function* inScript({ script, hook, at }: LintedHook) {
  if (!script) return;
  const lost = [script, ...script.inner.map((one) => one.script)].flatMap(lostReasons);
  const [first] = lost;
  if (!first) return;
  const { text } = script;
  const exits = first.script === script && text.slice(first.exit.pos, first.exit.end) === "exit 2";
  const value = `${text.slice(0, first.exit.pos)}exit 0${text.slice(first.exit.end)}`;
  const repair =
    exits && hook.command === text ? { repair: createSetRepair([...at, "command"], value, "Exit with 0") } : {};
  yield {
    at: [...at, "command"],
    message: `exit 2 after ${first.printer} has printed JSON: the reason in it is lost`,
    ...repair,
  };
}

interface Lost {
  readonly script: Script;
  readonly printer: string;
  readonly exit: Command;
}

/** Finds JSON on stdout that is followed by exit 2 in the same linear sequence of commands. */
function lostReasons(script: Script): Lost[] {
  return script.nodes.flatMap((node): Lost[] => {
    if (node.type !== "Script" && node.type !== "CompoundList") return [];
    const line = node.commands.flatMap(straight);
    const at = line.findIndex(isExit2);
    const exit = line[at];
    const printer = line.slice(0, Math.max(at, 0)).find(printsJson);
    return exit && printer ? [{ script, printer: printer.name?.value ?? "a command", exit }] : [];
  });
}

/** The consecutive simple commands of a statement, without those inside an if or a loop. */
function straight(node: SyntaxNode): Command[] {
  const { type } = node;
  if (type === "Command") return [node];
  if (type === "Statement") return straight((node as Statement).command);
  if (type === "AndOr" || type === "Pipeline") return node.commands.flatMap(straight);
  if (type === "BraceGroup") return node.body.commands.flatMap(straight);
  return [];
}

const isExit2 = ({ name, args }: Command): boolean =>
  name?.value === "exit" && args.length === 1 && args[0]?.type === "Word" && args[0].value === "2";

const PRINTERS = new Set(["echo", "printf", "jq", "cat"]);
const JSON_KEYS = /\b(?:permission_decision|hook_specific_output|stop_reason|decision|continue)\\?["']?\s*:/;

function printsJson({ name, args, redirects }: Command): boolean {
  if (!PRINTERS.has(name?.value ?? "")) return false;
  const isElsewhere = redirects.some(
    ({ type, operator }) => type === "Redirect" && operator !== "<" && operator !== "<&",
  );
  if (isElsewhere) return false;
  const bodies = redirects.flatMap((one) => (one.type === "HereDoc" ? [one.body.text] : []));
  return [...args.map(({ text }) => text), ...bodies].some((text) => JSON_KEYS.test(text));
}
