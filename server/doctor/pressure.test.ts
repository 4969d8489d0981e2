import { expect, test } from "vitest";
import { pressure } from "./pressure.ts";

const NOW = new Date("2026-11-30T12:30:00Z");
const lastAt = (text: string, level: number) => ({ level, atMs: Date.parse(text) });

test("names what gives way now", () => {
  const finding = pressure({ level: 3, last: lastAt("2026-11-30T12:30:00Z", 3) }, NOW);
  expect(finding.state).toBe("warning");
  expect(finding.says).toBe(
    "Gates wait, so other work gives way: live updates are slowed, figures lag, exports pause, scans pause, reports and telemetry are refused. The pressure level is 3 of 5.",
  );
});

test("names what gave way within the last hour, and nothing older", () => {
  const lately = pressure({ level: 0, last: lastAt("2026-11-30T12:03:00Z", 1) }, NOW);
  expect(lately).toMatchObject({
    state: "ok",
    says: expect.stringContaining("until 12:03 UTC: live updates are slowed"),
  });
  for (const last of [null, lastAt("2026-11-30T11:03:00Z", 5)])
    expect(pressure({ level: 0, last }, NOW).says).toContain("no work has given way");
});
