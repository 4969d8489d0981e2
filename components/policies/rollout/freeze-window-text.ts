/** Freeze windows in words, and the values of their form. Pure. */
import { z } from "zod";
import {
  type AddFreezeWindow,
  addFreezeWindow,
  type FreezeSpan,
  freezeEndText,
  type WindowTimes,
} from "@/server/policies/publishing/freeze-window-schema";

export const WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"] as const;

/** "Every Friday 16:00 to Monday 08:00", "2026-12-24 16:00 to 2027-01-04 08:00". */
export function timesText(times: WindowTimes): string {
  if (times.kind === "once") return `${times.from.replace("T", " ")} to ${times.to.replace("T", " ")}`;
  const point = ({ day, time }: { day: number; time: string }) => `${WEEKDAYS[day - 1] ?? ""} ${time}`;
  return `Every ${point(times.from)} to ${point(times.to)}`;
}

/** The reason with a full stop. */
export const reasonSentence = (reason: string): string => reason.replace(/[.!?]?$/, (end) => end || ".");

/** "Friday 16:00 to Monday 08:00 (Europe/Berlin)". */
export function spanText({ from, to, timeZone }: FreezeSpan, nowMs: number): string {
  const start = freezeEndText(from, timeZone, nowMs).replace(` (${timeZone})`, "");
  return `${start} to ${freezeEndText(to, timeZone, nowMs)}`;
}

/** Milliseconds until a freeze begins or ends, for `refetchInterval`: no event announces that instant. */
export function untilFreezeChanges(instants: readonly (Date | null | undefined)[], nowMs = Date.now()): number | false {
  const ahead = instants.flatMap((at) => (at ? [at.getTime()] : []));
  if (ahead.length === 0) return false;
  return Math.min(Math.max(Math.min(...ahead) - nowMs, 0) + MARGIN_MS, DAY_MS);
}

const DAY_MS = 86_400_000;
/** A clock that runs ahead of the server's would ask too early. */
const MARGIN_MS = 500;

const field = z.string();

/** The form has the fields of both kinds, so that switching loses nothing. */
export const windowForm = z
  .object({
    kind: z.enum(["weekly", "once"]),
    ...{ fromDay: field, fromTime: field, toDay: field, toTime: field },
    ...{ fromLocal: field, toLocal: field, reason: field },
  })
  .transform((values, context): AddFreezeWindow => {
    const read = addFreezeWindow.safeParse({ times: timesOf(values), reason: values.reason });
    if (read.success) return read.data;
    for (const { path, message } of read.error.issues)
      context.addIssue({ code: "custom", path: [fieldOf(path, values.kind)], message });
    return z.NEVER;
  });
export type WindowFormValues = z.input<typeof windowForm>;

export const USUAL_WINDOW: WindowFormValues = {
  ...{ kind: "weekly", fromDay: "5", fromTime: "16:00", toDay: "1", toTime: "08:00" },
  ...{ fromLocal: "", toLocal: "", reason: "" },
};

function timesOf({ kind, fromDay, fromTime, toDay, toTime, fromLocal, toLocal }: WindowFormValues): WindowTimes {
  if (kind === "once") return { kind, from: fromLocal, to: toLocal };
  return { kind, from: { day: Number(fromDay), time: fromTime }, to: { day: Number(toDay), time: toTime } };
}

function fieldOf([first, second]: readonly PropertyKey[], kind: WindowFormValues["kind"]): keyof WindowFormValues {
  if (first !== "times") return "reason";
  if (second === "from") return kind === "once" ? "fromLocal" : "fromTime";
  return kind === "once" ? "toLocal" : "toTime";
}
