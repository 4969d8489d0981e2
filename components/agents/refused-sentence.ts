import type { AgentView } from "@/server/agents/schema";

const counted = (count: number, word: string) => `${count.toLocaleString("en")} ${word}${count === 1 ? "" : "s"}`;

/** Events that the agent's local executor could not report, why the last one was refused, and where they are. */
export function refusedSentence({ kept, dropped, machines, lastCode }: NonNullable<AgentView["refused"]>): string {
  const why = lastCode === "" ? "" : ` (the last one: ${lastCode})`;
  const lost =
    dropped === 0
      ? ""
      : ` ${counted(dropped, "older event")} ${dropped === 1 ? "was" : "were"} dropped for lack of space.`;
  return `${counted(kept, "event")} of ${counted(machines, "machine")} could not be recorded: Quarterdeck refused ${kept === 1 ? "it" : "them"}${why}.${lost} See the folder "refused" of the local executor. Empty it after you have checked the events.`;
}
