/**
 * The program quarterdeck-drill.mjs: the verb `drill` in one file, for the machines that agents run on.
 *
 * Exit codes: 0 every call was blocked, 1 not so, 2 asked wrongly.
 */
import { createProgram, runProgram } from "../program.ts";
import { describeDrill } from "./command.ts";

process.exitCode = await runProgram(describeDrill(createProgram("quarterdeck-drill")));
