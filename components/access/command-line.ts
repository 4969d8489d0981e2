"use client";

import { createContext, use } from "react";

/** The server knows it: a checkout, a package and a container start in different ways. */
const CommandContext = createContext<string | null>(null);
export const CommandProvider = CommandContext.Provider;

/** The words before a verb of the command line on this installation, for commands that people copy. */
export function useCommandLine(): string {
  const command = use(CommandContext);
  if (command === null) throw new Error("CommandProvider is missing above this component");
  return command;
}
