/** `quarterdeck hook --rules EVENT`: the rules of an exported policy, decided without a console. */
import { answerOf, createExecutor, rulesKind, systemClock } from "@quarterdeck/hooks";
import { contractOf, judgesCalls } from "@quarterdeck/hooks/contract/events";
import { RULES_VARIABLE } from "@quarterdeck/hooks/contract/native-hooks";
import { NEWEST_PROFILE } from "@quarterdeck/hooks/contract/profiles";
import { type Rule, rules } from "@quarterdeck/hooks/contract/rules/schema";
import { serverNeedOf } from "@quarterdeck/hooks/contract/rules/server-need";
import type { RulesArguments } from "./arguments.ts";
import type { World } from "./call.ts";
import { Trouble } from "./errors.ts";
import { answered, type Ended } from "./exit.ts";
import { readInput } from "./input.ts";

/** Hook output. Errors: a `Trouble` when the rules or the call cannot be read; its caller denies. */
export async function rulesHook({ event, lane }: RulesArguments, world: World): Promise<Ended> {
  if (!judgesCalls(contractOf(event, NEWEST_PROFILE))) throw new Trouble(`No rules decide about ${event}.`);
  const hook = { type: "rules", rules: readRules(world.env[RULES_VARIABLE]) };
  const config = { [event]: [{ hooks: [hook], ...(lane === "preempt_yolo" && { preempt_yolo: true }) }] };
  const { value } = await readInput(world.stdin);
  const { workingDir, signal } = world;
  const kinds = [rulesKind()];
  const executor = createExecutor({ config, profile: NEWEST_PROFILE, kinds, clock: systemClock, env: {}, workingDir });
  const { result } = await executor.dispatch({ event, lane, input: value, signal });
  return answered(event, JSON.stringify(answerOf(result, event, lane, NEWEST_PROFILE)));
}

function readRules(text: string | undefined): Rule[] {
  const read = rules.safeParse(parsed(text));
  if (!read.success) throw new Trouble(`The rules in ${RULES_VARIABLE} cannot be read.`);
  const need = serverNeedOf(read.data);
  if (need !== null) throw new Trouble(`Rules with ${need} are decided by the Quarterdeck server.`);
  return read.data;
}

function parsed(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? "");
  } catch {
    return undefined;
  }
}
