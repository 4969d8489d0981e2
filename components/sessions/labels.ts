/** The words and looks of sessions and their events. */
import {
  Bell,
  Bot,
  Brain,
  CirclePlay,
  FoldVertical,
  type LucideIcon,
  MessageSquare,
  Repeat,
  Shapes,
  Wrench,
} from "lucide-react";
import type { Tone } from "@/components/ui/tone";
import type { EventKind, MarkKind, RowView, SessionState } from "@/server/sessions/schema";

export const stateWords: Readonly<Record<SessionState, { tone: Tone; label: string; says: string }>> = {
  running: { tone: "observe", label: "Running", says: "The session sent events in the last 10 minutes." },
  ended: { tone: "allow", label: "Ended", says: "session_end received." },
  quiet: { tone: "unknown", label: "Quiet", says: "No event for 10 minutes, and no session_end." },
};

export const kindWords: Readonly<Record<EventKind, { label: string; icon: LucideIcon }>> = {
  session: { label: "Session", icon: CirclePlay },
  prompt: { label: "Prompts", icon: MessageSquare },
  turn: { label: "Turns", icon: Repeat },
  model: { label: "Model calls", icon: Brain },
  tool: { label: "Tool calls", icon: Wrench },
  compaction: { label: "Compactions", icon: FoldVertical },
  agent: { label: "Agents", icon: Bot },
  notice: { label: "Notices", icon: Bell },
  other: { label: "Other", icon: Shapes },
};

export const markWords: Readonly<Record<MarkKind, { tone: Tone; one: string; many: string; key: string }>> = {
  denial: { tone: "deny", one: "denial", many: "denials", key: "n" },
  error: { tone: "error", one: "error", many: "errors", key: "e" },
  compaction: { tone: "observe", one: "compaction", many: "compactions", key: "m" },
};

const VERDICTS: Readonly<Record<string, { tone: Tone; label: string }>> = {
  allow: { tone: "allow", label: "Allowed" },
  ask: { tone: "ask", label: "Asked" },
  deny: { tone: "deny", label: "Denied" },
  canceled: { tone: "canceled", label: "Canceled" },
};

/** The mark of a row; null when there is nothing to say in a word. */
export function markOf(row: RowView): { tone: Tone; label: string } | null {
  if (row.final) return VERDICTS[row.final.verdict] ?? { tone: "unknown", label: row.final.verdict };
  if (row.isError) return { tone: "error", label: row.event === "on_error" ? "Error" : "Tool failed" };
  if (row.routedTo !== null) return { tone: "observe", label: "Routed" };
  if (row.verdict !== "none") return VERDICTS[row.verdict] ?? null;
  if (row.compaction && row.compaction.effect !== "nothing")
    return row.compaction.effect === "vetoed"
      ? { tone: "deny", label: "Blocked" }
      : { tone: "observe", label: row.compaction.effect };
  return null;
}

/** `user_approved` → `user approved`: the chain's source as words. */
export const sourceText = (source: string): string => source.replaceAll("_", " ");
