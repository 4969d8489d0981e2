import { expect, test } from "vitest";
import { attentionOf } from "@/components/layout/attention";

test("a page where nothing waits, and one of which nothing is known yet, have no badge", () => {
  const nothing = { reviews: 0, approvals: 0, unreadNotices: 0, alerts: { firing: 0, isCritical: false } };
  expect(attentionOf({ ...nothing, agents: null, health: null })).toEqual({});
  const ok = { failures: 0, warnings: 0 };
  expect(attentionOf({ ...nothing, agents: 0, health: ok })).toEqual({});
});

test("what waits is a number, words, and as serious as the worst of it", () => {
  const all = {
    reviews: 1,
    agents: 2,
    approvals: 3,
    unreadNotices: 2,
    alerts: { firing: 2, isCritical: false },
    health: { failures: 1, warnings: 3 },
  };
  expect(attentionOf(all)).toEqual({
    reviews: { count: 1, words: "1 review waiting for you", tone: "info" },
    agents: { count: 2, words: "2 agents to look at", tone: "warning" },
    approvals: { count: 3, words: "3 calls to answer", tone: "warning" },
    unreadNotices: { count: 2, words: "2 unread notices", tone: "info" },
    alerts: { count: 2, words: "2 alerts firing", tone: "warning" },
    health: { count: 4, words: "4 findings", tone: "danger" },
  });
});
