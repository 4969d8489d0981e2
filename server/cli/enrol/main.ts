/**
 * The program quarterdeck-enrol.mjs: the verbs `enrol` and `join` in one file, for the machines that agents run on.
 * `enrol` writes a client's files without a connection; `join` asks the console for a key.
 *
 * Exit codes: 0 done, 1 failed, 2 invalid arguments.
 */
import { describeJoin } from "../join-command.ts";
import { createProgram, runProgram } from "../program.ts";
import { describeEnrol } from "./command.ts";

const program = describeEnrol(createProgram("quarterdeck-enrol"));
// Options after the verb are its own.
describeJoin(program.enablePositionalOptions().command("join"));
process.exitCode = await runProgram(program);
