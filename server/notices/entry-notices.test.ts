import { describe, expect, it } from "vitest";
import { type EntryRow, requestIdsOf } from "./entry-notices.ts";

const entry = (kind: string, body: object): EntryRow => ({
  ...{ seq: 1, at: new Date(0), kind, body: JSON.stringify(body), actorId: null },
});

describe("the requests that entries are about", () => {
  it("are those of entries that can be read: one of another release holds up nothing", () => {
    const ids = requestIdsOf([
      entry("approval_requested", { request: "renamed" }),
      entry("approvals_reminded", { approvals: "none" }),
      entry("approval_requested", { approval: "a" }),
      entry("approvals_escalated", { approvals: [{ approval: "b", number: 2 }] }),
      entry("halted", {}),
    ]);
    expect(ids).toEqual(["a", "b"]);
  });
});
