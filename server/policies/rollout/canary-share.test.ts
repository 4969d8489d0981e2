import { expect, test } from "vitest";
import { isInCanary, smallestShare } from "./canary-share.ts";

const POLICY = "019fb000-0000-7000-8000-000000000001";
const NO_GROUPS = new Set<string>();
const agents = Array.from({ length: 40 }, (_, at) => `019fb000-0000-7000-8000-0000000001${at}`);
const inside = (share: number, ids: readonly string[]) =>
  ids.filter((id) => isInCanary({ share, groupId: null }, POLICY, id, NO_GROUPS)).length;

test("the smallest share reaches an agent, and one percent less reaches none", () => {
  expect(smallestShare(POLICY, [])).toBeNull();
  for (let count = 1; count <= agents.length; count += 1) {
    const some = agents.slice(0, count);
    const share = smallestShare(POLICY, some) ?? 0;
    expect(share).toBeGreaterThanOrEqual(1);
    expect(share).toBeLessThanOrEqual(100);
    expect(inside(share, some)).toBeGreaterThan(0);
    expect(inside(share - 1, some)).toBe(0);
  }
});
