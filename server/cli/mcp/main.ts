/**
 * The program quarterdeck-mcp.mjs: the verb `mcp` in one file, for the machines that agents run on.
 *
 * Exit codes: 0 the client disconnected, 2 invalid arguments.
 */
import { createProgram, runProgram } from "../program.ts";
import { describeMcp } from "./command.ts";

process.exitCode = await runProgram(describeMcp(createProgram("quarterdeck-mcp")));
