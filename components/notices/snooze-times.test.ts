import { expect, test } from "vitest";
import { snoozeTimes } from "@/components/notices/snooze-times";

test("a notice is snoozed for hours, or until a morning that is still to come", () => {
  const now = new Date(2026, 2, 31, 23, 30).getTime();
  const [hour, four, tomorrow, week] = snoozeTimes(now).map(({ until }) => until);
  expect([hour?.getTime(), four?.getTime()]).toEqual([now + 3_600_000, now + 14_400_000]);
  expect(tomorrow).toEqual(new Date(2026, 3, 1, 9, 0));
  expect(week).toEqual(new Date(2026, 3, 7, 9, 0));
});
