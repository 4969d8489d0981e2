/**
 * The program quarterdeck-enrol.mjs: the verbs `enrol`, `join`, `drill` and `connect` in one file, for the machines that agents
 * run on. `enrol` writes a client's files without a connection, `join` asks the console for a key, and `connect` does
 * both and then drills the client, as `drill` does.
 *
 * Exit codes: 0 done, 1 failed, 2 invalid arguments.
 */
import { describeConnect } from "../connect-command.ts";
import { describeDrill } from "../drill/command.ts";
import { describeJoin } from "../join-command.ts";
import { createProgram, runProgram } from "../program.ts";
import { describeEnrol } from "./command.ts";

const program = describeEnrol(createProgram("quarterdeck-enrol"));
// Options after the verb are its own.
program.enablePositionalOptions();
describeJoin(program.command("join"));
describeConnect(program.command("connect"));
describeDrill(program.command("drill"));
process.exitCode = await runProgram(program);
