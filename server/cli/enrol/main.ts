/**
 * The program quarterdeck-enrol.mjs: the verbs `enrol` and `join` in one file, for the machines that agents run on. To enrol it
 * writes the files of a client and connects to nobody; to join it asks the console for a key.
 *
 * Exit codes: 0 done, 1 tried and failed, 2 asked wrongly.
 */
import { describeJoin } from "../join-command.ts";
import { createProgram, runProgram } from "../program.ts";
import { describeEnrol } from "./command.ts";

const program = describeEnrol(createProgram("quarterdeck-enrol"));
// Options after the verb are its own.
describeJoin(program.enablePositionalOptions().command("join"));
process.exitCode = await runProgram(program);
