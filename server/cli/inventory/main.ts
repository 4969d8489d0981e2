/**
 * The program quarterdeck-inventory.mjs: the verb `inventory` in one file, for the machines that agents run on.
 *
 * Exit codes: 0 reported, 1 not reported, 2 asked wrongly.
 */
import { createProgram, runProgram } from "../program.ts";
import { describeInventory } from "./command.ts";

process.exitCode = await runProgram(describeInventory(createProgram("quarterdeck-inventory")));
