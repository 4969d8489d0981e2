/**
 * The program quarterdeck-enrol.mjs: the verbs `enrol`, `join`, `drill`, `connect`, `login`, `logout` and `whoami` in one file, for the
 * machines that agents run on. `enrol` writes a client's files without a connection, `join` asks the console for a key, and `connect` does
 * both and then drills the client, as `drill` does.
 *
 * Exit codes: 0 done, 1 failed, 2 invalid arguments.
 */
import { describeConnect } from "../connect-command.ts";
import { describeDrill } from "../drill/command.ts";
import { describeJoin } from "../join-command.ts";
import { describeLogins } from "../login/command.ts";
import { createProgram, runProgram } from "../program.ts";
import { describeEnrol } from "./command.ts";

const program = describeEnrol(createProgram("quarterdeck-enrol"));
// Options after the verb are its own.
program.enablePositionalOptions();
describeJoin(program.command("join"));
describeConnect(program.command("connect"));
describeDrill(program.command("drill"));
describeLogins(program);
process.exitCode = await runProgram(program);
