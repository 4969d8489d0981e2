import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { NOTICE_WORKER } from "@/components/notices/notice-worker";

const ORIGIN = "https://deck.example";

/** Clicks a notification about `url` while tabs stand open at these addresses; answers what was focused and opened. */
async function click(url: string, tabs: readonly string[]) {
  const done: string[] = [];
  const listeners = new Map<string, (event: object) => void>();
  const clients = {
    matchAll: async () => tabs.map((at) => ({ url: at, focus: () => done.push(`focused ${at}`) })),
    openWindow: (at: string) => done.push(`opened ${at}`),
  };
  const addEventListener = (name: string, listener: (event: object) => void) => listeners.set(name, listener);
  const self = { addEventListener, clients, location: { origin: ORIGIN }, skipWaiting: () => undefined };
  runInNewContext(NOTICE_WORKER, { self, URL });
  const until: Promise<unknown>[] = [];
  listeners.get("notificationclick")?.({
    notification: { data: { url }, close: () => done.push("closed") },
    waitUntil: (one: Promise<unknown>) => until.push(one),
  });
  await Promise.all(until);
  return { done, heard: [...listeners.keys()] };
}

it("focuses the tab that is at the page, and opens one where none is", async () => {
  const page = `${ORIGIN}/approvals#QD-1`;
  expect((await click("/approvals#QD-1", [`${ORIGIN}/`, page])).done).toEqual(["closed", `focused ${page}`]);
  expect((await click("/approvals#QD-1", [`${ORIGIN}/policies/new`])).done).toEqual(["closed", `opened ${page}`]);
});

it("opens no page of another server", async () => {
  expect((await click("https://evil.example/x", [])).done).toEqual(["closed", `opened ${ORIGIN}/`]);
  expect((await click("//evil.example/x", [])).done).toEqual(["closed", `opened ${ORIGIN}/`]);
});

it("sees no request and no push", async () => {
  expect((await click("/", [])).heard.sort()).toEqual(["install", "notificationclick"]);
});
