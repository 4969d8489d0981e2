/** The programs that command hooks name, looked for in the sandbox that the hooks run in. */
import {
  contractOf,
  everyHook,
  type FindPrograms,
  type HooksConfig,
  type PlacedHook,
  type Profile,
  type ProgramAnswer,
  runsOn,
} from "@quarterdeck/hooks";
import { displayName } from "@quarterdeck/hooks/contract/hook";
import { namedPrograms } from "@quarterdeck/hooks/contract/lint/shell/named-programs";

export interface ProgramFinding {
  /** `missing`: not in the sandbox. `unknown`: the script or the sandbox cannot be read. `beside_agent`: it runs on another machine. */
  readonly kind: "missing" | "unknown" | "beside_agent";
  /** True if the hook can deny, and only with this program. */
  readonly isGate: boolean;
  readonly place: PlacedHook["place"];
  /** The hook's event and name. */
  readonly hook: string;
  /** Null where no program can be named. */
  readonly program: string | null;
  /** The finding for people, with the next step. */
  readonly says: string;
}

const FINDINGS_MAX = 100;
const SEARCHES_MAX = 20;

/** One finding for each missing program, and for each hook whose programs cannot be determined. */
export async function findProgramGaps(
  hooks: HooksConfig,
  profile: Profile,
  find: FindPrograms,
): Promise<ProgramFinding[]> {
  const findings: ProgramFinding[] = [];
  const answers = new Map<string, Promise<ProgramAnswer>>();
  for (const placed of everyHook(hooks)) {
    if (findings.length >= FINDINGS_MAX) break;
    const { hook, event, place } = placed;
    const { type, command } = hook;
    if (type !== "command" || !command) continue;
    const name = `${event}, ${displayName(hook)}`;
    const { canBlock, decides, approves } = contractOf(event, profile);
    const common = { place, hook: name, isGate: canBlock || decides || approves };
    if (runsOn(hook) === "agent") {
      const says = `${name} runs on the agent's machine. To check its programs, run "quarterdeck hook --check" there.`;
      findings.push({ ...common, kind: "beside_agent", program: null, says });
      continue;
    }
    const { programs, optional, unread } = namedPrograms(command);
    for (const part of unread) {
      const says = `The programs of ${name} are not all known. ${part}`;
      findings.push({ ...common, kind: "unknown", program: null, says });
    }
    const answer = await searched({ programs, env: hook.env, workingDir: hook.working_dir }, find, answers);
    if (answer.kind === "failed") {
      const says = `The programs of ${name} could not be checked: ${answer.reason}.`;
      findings.push({ ...common, kind: "unknown", program: null, says });
      continue;
    }
    for (const program of answer.missing) {
      const says = `${name} runs ${program}, which is not in the sandbox. Install it where the server runs hooks, or write a rule (type: rules) that needs no program.`;
      findings.push({ ...common, isGate: common.isGate && !optional.has(program), kind: "missing", program, says });
    }
  }
  return findings.slice(0, FINDINGS_MAX);
}

/** Hooks with the same programs in the same place are searched for once. */
function searched(
  question: Parameters<FindPrograms>[0],
  find: FindPrograms,
  answers: Map<string, Promise<ProgramAnswer>>,
): Promise<ProgramAnswer> {
  const key = JSON.stringify(question);
  const known = answers.get(key);
  if (known !== undefined) return known;
  if (answers.size >= SEARCHES_MAX)
    return Promise.resolve({ kind: "failed", reason: `only ${SEARCHES_MAX} hooks are looked at` });
  const answer = find(question);
  answers.set(key, answer);
  return answer;
}
