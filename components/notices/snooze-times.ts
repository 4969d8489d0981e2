const HOUR_MS = 3_600_000;
const MORNING_HOUR = 9;

export interface SnoozeTime {
  readonly label: string;
  readonly until: Date;
}

/** The times that a notice can be snoozed until, in the clock of the browser. */
export function snoozeTimes(nowMs: number): readonly SnoozeTime[] {
  return [
    { label: "1 hour", until: new Date(nowMs + HOUR_MS) },
    { label: "4 hours", until: new Date(nowMs + 4 * HOUR_MS) },
    { label: "Tomorrow, 09:00", until: morning(nowMs, 1) },
    { label: "Next week, 09:00", until: morning(nowMs, 7) },
  ];
}

function morning(nowMs: number, days: number): Date {
  const at = new Date(nowMs);
  at.setDate(at.getDate() + days);
  at.setHours(MORNING_HOUR, 0, 0, 0);
  return at;
}
