import { afterEach, expect, it, vi } from "vitest";
import { NOTICE_WORKER_PATH, showNotice } from "@/components/notices/show-notice";

const NOTICE = {
  ...({ key: "halt/1", kind: "halts", at: new Date(0), title: "An agent is halted", says: "It went wild." } as const),
  ...{ path: "/audit/halts", isDone: false },
};

afterEach(() => vi.unstubAllGlobals());

it("has the worker show it, with the page that a click opens", async () => {
  const showNotification = vi.fn(async () => undefined);
  const register = vi.fn(async () => undefined);
  vi.stubGlobal("navigator", { serviceWorker: { register, ready: Promise.resolve({ showNotification }) } });
  await showNotice(NOTICE);
  expect(register.mock.calls).toEqual([[NOTICE_WORKER_PATH]]);
  const options = { body: "It went wild.", tag: "halt/1", data: { url: "/audit/halts" } };
  expect(showNotification.mock.calls).toEqual([["An agent is halted", options]]);
});

it.each([
  ["has none", {}],
  ["refuses it", { serviceWorker: { register: () => Promise.reject(new Error("refused")) } }],
])("shows it from the page in a browser that %s", async (_, navigator) => {
  const shown: { onclick?: () => void }[] = [];
  const closed = vi.fn();
  const assign = vi.fn();
  vi.stubGlobal("navigator", navigator);
  vi.stubGlobal("window", { focus: () => undefined, location: { assign } });
  vi.stubGlobal(
    "Notification",
    class {
      onclick?: () => void;
      close = closed;
      constructor() {
        shown.push(this);
      }
    },
  );
  await showNotice(NOTICE);
  expect(shown).toHaveLength(1);
  shown[0]?.onclick?.();
  expect([assign.mock.calls, closed.mock.calls.length]).toEqual([[["/audit/halts"]], 1]);
});
