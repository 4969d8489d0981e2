/** Looks for programs where a hook will run (its sandbox or the agent's machine), with the hook's PATH and working directory. */
import type { Environment } from "../../engine/ports.ts";
import { allowedEnvironment, expandPath, hookEnvironment } from "../../environment.ts";
import type { Spawner } from "./client.ts";

export interface ProgramQuestion {
  /** By name or by path, without line breaks. */
  readonly programs: readonly string[];
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly workingDir?: string | undefined;
}

export type ProgramAnswer =
  | { readonly kind: "searched"; readonly missing: readonly string[] }
  /** The search itself failed, so the result is unknown. */
  | { readonly kind: "failed"; readonly reason: string };

export type FindPrograms = (question: ProgramQuestion) => Promise<ProgramAnswer>;

const SEARCH_MS = 10_000;
/**
 * Names are passed on standard input, because an argument may begin with a hyphen and a line is never code. The last line confirms
 * that all names were checked.
 */
const SCRIPT = `while IFS= read -r p; do
  case $p in
  */*) [ -f "$p" ] && [ -x "$p" ] && continue ;;
  *) command -v "$p" >/dev/null 2>&1 && continue ;;
  esac
  printf '%s\\n' "$p"
done
printf '%s\\n' "//"`;

/** `place` as in `CommandKindOptions`. */
export function createFindPrograms(
  spawner: Pick<Spawner, "run">,
  env: Environment,
  place: "isolated" | "given",
): FindPrograms {
  const isolated = place === "isolated";
  const base = isolated ? allowedEnvironment(env) : env;
  return async ({ programs, env: own, workingDir = "" }) => {
    if (programs.length === 0) return { kind: "searched", missing: [] };
    const request = {
      ...{ shell: "/bin/sh", command: SCRIPT, stdin: `${programs.join("\n")}\n`, isolated, network: false },
      ...{ env: hookEnvironment(base, own), cwd: expandPath(workingDir, base), backstopMs: SEARCH_MS },
    };
    const reply = await spawner.run(request, AbortSignal.timeout(SEARCH_MS));
    if (reply.kind !== "exited")
      return { kind: "failed", reason: "message" in reply ? reply.message : "it did not run" };
    const lines = reply.stdout.trimEnd().split("\n");
    if (reply.exitCode !== 0 || lines.pop() !== "//") return { kind: "failed", reason: "the search did not end" };
    return { kind: "searched", missing: lines };
  };
}
