import { z } from "zod";

/** What a viewer can follow. A message names the topics that changed; the viewer asks again for what it shows. */
export const topic = z.enum(["overview", "decisions", "costs", "compactions", "policies", "agents"]);
export type Topic = z.infer<typeof topic>;

export const liveChange = z.object({
  topics: z.array(topic),
  /** Set when messages may have been missed: everything on screen is asked for again. */
  refetch: z.boolean().optional(),
});
export type LiveChange = z.infer<typeof liveChange>;
