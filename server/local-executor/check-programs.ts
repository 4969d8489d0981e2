/** `quarterdeck hook --check`: the programs that the hooks of this machine name, looked for on this machine. */
import { resolve } from "node:path";
import {
  contractOf,
  createFindPrograms,
  everyHook,
  inProcessSpawner,
  type ProgramAnswer,
  runsOn,
} from "@quarterdeck/hooks";
import { displayName } from "@quarterdeck/hooks/contract/hook";
import { namedPrograms } from "@quarterdeck/hooks/contract/lint/shell/named-programs";
import type { World } from "./call.ts";
import type { Ended } from "./exit.ts";
import type { Policy } from "./policy.ts";

/** One line for each gap. Ends with 1 when a gate lacks a program. */
export async function checkPrograms(
  { sources, profile }: Policy,
  { env, workingDir }: Pick<World, "env" | "workingDir">,
): Promise<Ended> {
  const given = Object.fromEntries(Object.entries(env).flatMap(([name, value]) => (value ? [[name, value]] : [])));
  const find = createFindPrograms(inProcessSpawner(), given, "given");
  const lines: string[] = [];
  let isOpen = false;
  let hooks = 0;
  for (const source of sources)
    for (const placed of everyHook(source.hooks)) {
      const { hook, event } = placed;
      if (hook.type !== "command" || !hook.command || runsOn(hook) !== "agent") continue;
      hooks += 1;
      const { programs, optional, unread } = namedPrograms(hook.command);
      const cwd = resolve(workingDir, hook.working_dir ?? "");
      const answer = await find({ programs, env: hook.env, workingDir: cwd });
      const at = `${source.policy} revision ${source.revision}, ${event}, ${displayName(hook)}`;
      const { canBlock, decides, approves } = contractOf(event, profile);
      const isGate = canBlock || decides || approves;
      for (const program of missingOf(answer)) {
        const isError = isGate && !optional.has(program);
        isOpen ||= isError;
        lines.push(`${isError ? "error" : "warning"}: ${at}: ${program} is not on this machine. Install it.`);
      }
      const unknown = answer.kind === "failed" ? [...unread, answer.reason] : unread;
      lines.push(...unknown.map((reason) => `unknown: ${at}: its programs are not all known. ${reason}`));
    }
  const count = `${hooks} ${hooks === 1 ? "command hook runs" : "command hooks run"} on this machine.`;
  return { code: isOpen ? 1 : 0, stdout: `${[count, ...lines].join("\n")}\n`, stderr: "" };
}

const missingOf = (answer: ProgramAnswer): readonly string[] => (answer.kind === "searched" ? answer.missing : []);
