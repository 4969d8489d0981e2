/** Tags as people type them: apart by commas. */
import { z } from "zod";
import { agentTags } from "@/server/policies/assignments/agent-tag-schema";

export const typedTags = z
  .string()
  .transform((text) => text.split(",").filter((tag) => tag.trim() !== ""))
  .pipe(agentTags);
