import { expect, it } from "vitest";
import {
  reasonSentence,
  spanText,
  timesText,
  USUAL_WINDOW,
  untilFreezeChanges,
  windowForm,
} from "@/components/policies/rollout/freeze-window-text";

it("names a window, and its occurrence in the zone of the workspace", () => {
  const from = { day: 5, time: "16:00" };
  expect(timesText({ kind: "weekly", from, to: { day: 1, time: "08:00" } })).toBe("Every Friday 16:00 to Monday 08:00");
  expect(timesText({ kind: "once", from: "2026-12-24T16:00", to: "2027-01-04T08:00" })).toBe(
    "2026-12-24 16:00 to 2027-01-04 08:00",
  );
  const span = { from: new Date("2026-12-04T15:00Z"), to: new Date("2026-12-07T07:00Z"), reason: "weekend" };
  expect(spanText({ ...span, timeZone: "Europe/Berlin" }, Date.parse("2026-12-03T00:00Z"))).toBe(
    "Friday 16:00 to Monday 08:00 (Europe/Berlin)",
  );
});

it("ends a reason with one stop", () => {
  expect(["weekend", "weekend.", "Why?"].map(reasonSentence)).toEqual(["weekend.", "weekend.", "Why?"]);
});

it("asks again when the first of some instants is over, and at least daily", () => {
  expect(untilFreezeChanges([null, undefined], 0)).toBe(false);
  expect(untilFreezeChanges([new Date(9_000), null, new Date(5_000)], 1_000)).toBe(4_500);
  expect(untilFreezeChanges([new Date(40 * 86_400_000)], 0)).toBe(86_400_000);
});

it("reads a form, and shows each error at its field", () => {
  const read = (over: object) => windowForm.safeParse({ ...USUAL_WINDOW, reason: "weekend", ...over });
  expect(read({}).data).toEqual({
    times: { kind: "weekly", from: { day: 5, time: "16:00" }, to: { day: 1, time: "08:00" } },
    reason: "weekend",
  });
  const fields = (over: object) => read(over).error?.issues.map(({ path }) => path[0]);
  expect(fields({ reason: " " })).toEqual(["reason"]);
  expect(fields({ fromTime: "" })).toEqual(["fromTime"]);
  expect(fields({ toDay: "5", toTime: "16:00" })).toEqual(["toTime"]);
  expect(fields({ kind: "once" })).toEqual(["fromLocal", "toLocal"]);
  expect(fields({ kind: "once", fromLocal: "2026-12-24T16:00", toLocal: "2026-12-24T15:00" })).toEqual(["toLocal"]);
});
