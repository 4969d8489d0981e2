/** The tools, MCP servers and skills that agents called, and the rules that check them (docs/fleet.md). */
export { noteTools } from "./note-tools.ts";
export { countFirstSeen } from "./repository.ts";
