/**
 * The program quarterdeck-mcp.mjs: the verb `mcp` in one file, for the machines that agents run on.
 *
 * Exit codes: 0 the client went away, 2 asked wrongly.
 */
import { createProgram, runProgram } from "../program.ts";
import { describeMcp } from "./command.ts";

process.exitCode = await runProgram(describeMcp(createProgram("quarterdeck-mcp")));
