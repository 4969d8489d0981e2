import type { AgentView } from "@/server/agents/schema";

const counted = (count: number, word: string) => `${count.toLocaleString("en")} ${word}${count === 1 ? "" : "s"}`;

/** Events that the agent's local executor could not report, why the last one was refused, and where they are. */
export function refusedSentence({ kept, dropped, machines, lastCode }: NonNullable<AgentView["refused"]>): string {
  const why = lastCode === "" ? "" : ` (the last one: ${lastCode})`;
  const lost =
    dropped === 0 ? "" : ` ${counted(dropped, "older one")} had no room and ${dropped === 1 ? "is" : "are"} lost.`;
  return `${counted(kept, "event")} of ${counted(machines, "machine")} could not be recorded: Quarterdeck refused ${kept === 1 ? "it" : "them"}${why}.${lost} They are in the folder "refused" of the local executor; empty it when you have looked at them.`;
}
